// The worked examples of runtime/FORMAT.md. Each is decoded by the readers of the runtime and by the second
// reader of runtime/src/checks, and must mean what is written beside its bytes.

#include <autoshard/autoshard.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "crc32.h"
#include "entities/types/course.autoshard.h"
#include "entity_index.h"
#include "index_state_records.h"
#include "keys.h"
#include "page.h"
#include "runtime_reader.h"
#include "second_reader.h"
#include "support/test_store.h"

namespace autoshard::test::format {
namespace {

using school::Course;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Pair;

const detail::EntityType& kCourse = detail::kEntityType<Course>;

class FormatTest : public ::testing::Test {
 protected:
  /// Says which example a failure is of.
  static std::string where(const Example& example) {
    return "the example at line " + std::to_string(example.place) + " of FORMAT.md";
  }
};

TEST_F(FormatTest, EveryExampleHasAKnownForm) {
  for (const Example& example : examples()) {
    SCOPED_TRACE(where(example));
    std::vector<std::string> labels;
    for (const auto& [label, lines] : example.parts) labels.push_back(label);
    if (example.name == "record") {
      EXPECT_THAT(labels, ElementsAre("key", "value"));
    } else if (example.name == "ids") {
      EXPECT_THAT(labels, ElementsAre("id"));
    } else {
      EXPECT_THAT(example.name, ::testing::StartsWith("definition "));
      EXPECT_THAT(labels, ElementsAre("crc32", "text"));
    }
  }
}

TEST_F(FormatTest, EveryKindOfRecordHasAnExample) {
  std::set<int> kinds;
  for (const Record& record : all_records()) kinds.insert(record.kind());
  for (int kind = 0; kind < CheckedKey::kOther; ++kind)
    EXPECT_TRUE(kinds.contains(kind)) << "no example of CheckedKey::Kind " << kind;
  EXPECT_TRUE(kinds.contains(CheckedKey::kOther)) << "no example of a record of the store";
}

TEST_F(FormatTest, KeysMeanToTheRuntimeWhatIsBesideThem) {
  for (const Record& record : all_records()) {
    SCOPED_TRACE(where(record.example));
    EXPECT_EQ(read_key(record.key), record.key_lines);
  }
}

TEST_F(FormatTest, KeysMeanToTheSecondReaderWhatIsBesideThem) {
  for (const Record& record : all_records()) {
    SCOPED_TRACE(where(record.example));
    const bool is_of_store = record.key_lines.front().meaning == "store";
    EXPECT_EQ(record.kind() == CheckedKey::kOther, is_of_store);
    std::span<const Line> left(record.key_lines);
    for (const Line& read : read_key_again(record.key)) {
      Line joined;
      while (joined.bytes.size() < read.bytes.size() && !left.empty()) {
        joined = {joined.bytes + left.front().bytes, left.front().meaning};
        left = left.subspan(1);
      }
      if (read.meaning.empty()) joined.meaning.clear();
      EXPECT_EQ(joined, read);
    }
    EXPECT_TRUE(left.empty());
  }
}

TEST_F(FormatTest, ValuesMeanToTheRuntimeWhatIsBesideThem) {
  for (const Record& record : all_records()) {
    SCOPED_TRACE(where(record.example));
    EXPECT_EQ(read_value(record), record.value_lines);
  }
}

TEST_F(FormatTest, ValuesMeanToTheSecondReaderWhatIsBesideThem) {
  for (const Record& record : all_records()) {
    SCOPED_TRACE(where(record.example));
    std::vector<std::string> expected;
    for (const Line& line : record.value_lines) expected.push_back(line.meaning);
    EXPECT_THAT(read_value_again(record), ::testing::UnorderedElementsAreArray(expected));
  }
}

TEST_F(FormatTest, IdsMeanWhatIsBesideThem) {
  std::size_t ids = 0;
  for (const Example& example : examples()) {
    if (example.name != "ids") continue;
    SCOPED_TRACE(where(example));
    std::string before;
    for (const auto& [bytes, meaning] : example.parts.at("id")) {
      const detail::EntityKey entity = detail::entity_with_id("K", bytes);
      EXPECT_EQ(detail::entity_of(detail::main_key(entity)), entity);
      EXPECT_EQ(detail::describe(entity), "K " + meaning);
      const CheckedKey key = detail::parse_checked_key(detail::checked_main_key(entity.bytes()));
      EXPECT_EQ(key.kind, CheckedKey::kMain);
      EXPECT_EQ(detail::checked_id(key.entity), bytes);
      EXPECT_LT(before, bytes) << "is not in the order of keys";
      before = bytes;
      ++ids;
    }
  }
  EXPECT_GT(ids, 0U);
}

TEST_F(FormatTest, DefinitionsOfIndexesAreHashesOfTheirText) {
  std::size_t definitions = 0;
  for (const Example& example : examples()) {
    if (!example.name.starts_with("definition ")) continue;
    SCOPED_TRACE(where(example));
    ++definitions;
    const Lines &text = example.parts.at("text"), &hash = example.parts.at("crc32");
    for (const auto& [bytes, meaning] : text) {
      std::string_view rest = bytes;
      detail::skip_part(rest);
      EXPECT_EQ(rest, "");
      EXPECT_EQ("part" + detail::describe(detail::kind_key("K") + bytes).substr(1), meaning);
    }
    std::string crc;
    for (int shift = 24; shift >= 0; shift -= 8)
      crc += static_cast<char>(detail::crc32(bytes_of(text)) >> shift);
    EXPECT_EQ(hash, (Lines{{crc, "definition"}}));
    const std::string name = example.name.substr(std::string_view("definition ").size());
    const auto declared = std::ranges::find(kCourse.indexes, name, &detail::IndexType::name);
    ASSERT_NE(declared, kCourse.indexes.end());
    EXPECT_TRUE(detail::find_index(kCourse, *declared).key().ends_with(crc));
  }
  EXPECT_EQ(definitions, kCourse.indexes.size());
}

/// A mapper reads the examples as the records of one store.
TEST_F(FormatTest, ExamplesAreOneStore) {
  MemoryStore store;
  std::unique_ptr<Transaction> transaction = store.begin();
  for (const Record& record : all_records()) {
    std::string value;
    if (record.kind() == CheckedKey::kOther) continue;
    EXPECT_FALSE(transaction->get(record.key, value)) << where(record.example) << " repeats another";
    transaction->put(record.key, record.value);
  }
  for (const auto& index : detail::indexes_of(kCourse).all)
    transaction->put(index->key(), detail::encode_state(true));
  ASSERT_EQ(transaction->commit(), CommitOutcome::kCommitted);

  school::Time now{};
  Mapper mapper(store, {.compact_every = std::chrono::milliseconds(0), .clock = [&] { return now; }});
  const std::optional<Course> course = mapper.load<Course>(42);
  ASSERT_TRUE(course);
  EXPECT_EQ(course->title, "Sailing");
  EXPECT_EQ(course->teacher, "Ann");
  EXPECT_THAT(course->tags, ElementsAre("sea"));
  EXPECT_EQ(course->votes(), 12);
  EXPECT_EQ(course->views(), 1);
  EXPECT_EQ(course->seats(), 13);
  EXPECT_THAT(course->questions(), ElementsAre("When?"));
  EXPECT_THAT(course->members(), ElementsAre("Bob"));
  EXPECT_THAT(course->ratings(), ElementsAre(Pair("Bob", 5)));
  EXPECT_EQ(admin::shards<Course>(mapper, 42, "votes"), 8U);
  EXPECT_FALSE(mapper.exists<Course>(43)) << "a tombstone is there";

  using q = Fields<Course>;
  const std::pair<Condition<Course>, const char*> conditions[] = {
      {q::teacher == "Ann", "index ByTeacher"},
      {q::title == "Sailing", "index title"},
      {q::tags.contains("sea"), "index tags"},
      {q::votes > 10, "index votes"},
  };
  for (const auto& [condition, index] : conditions) {
    EXPECT_THAT(mapper.query<Course>(condition).explain(), HasSubstr(index));
    EXPECT_EQ(mapper.query<Course>(condition).count(), 1U) << index;
  }

  mapper.apply<&Course::vote>(42, token("order-7"), 1);
  EXPECT_EQ(mapper.load<Course>(42).value().votes(), 12) << "the token was counted already";
  now = *course->until;
  EXPECT_FALSE(mapper.exists<Course>(42)) << "the entity has expired";
  admin::compact(mapper);
  EXPECT_THAT(records(store, detail::kind_key("Course"), detail::end_key(detail::kind_key("Course"))),
              ::testing::IsEmpty());
}

TEST_F(FormatTest, AnExampleThatIsNotInTheFormIsRefused) {
  const auto read = [](const std::string& lines) {
    std::istringstream page("```record\n" + lines + "```\n");
    return read_examples(page).size();
  };
  EXPECT_EQ(read("key    02 41 00 01  kind \"A\"\n       15 2A        id 42\nvalue  C0           nil\n"), 1U);
  EXPECT_EQ(read("key    02 41\n       00 01  kind \"A\"\n"), 1U) << "a line that goes on in the next";
  for (const char* lines :
       {"key  02 4\n", "key  02 4G  kind\n", "key  0241  kind\n", "key  02 4a  kind\n", "key 02 41  kind\n",
        "key  kind\n", "     02 41  kind\n", "key  02 41\n", "key  02 41 kind\n",
        "key  02  kind\nkey  02  kind\n", "key  02  kind \n", "key  02\nvalue  03  nil\n", ""})
    EXPECT_THROW(read(lines), std::invalid_argument) << lines;
  std::istringstream open("```record\nkey  02  kind\n");
  EXPECT_THROW(read_examples(open), std::invalid_argument);
}

}  // namespace
}  // namespace autoshard::test::format