// Two classes of one kind in one program.

#include <autoshard/autoshard.h>
#include <autoshard/elements.h>
#include <autoshard/json.h>
#include <autoshard/memory_store.h>
#include <gmock/gmock.h>

#include <chrono>
#include <functional>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <tuple>
#include <typeinfo>
#include <vector>

#include "entities/versions/account/billing.autoshard.h"
#include "entities/versions/account/game.autoshard.h"
#include "support/test_store.h"

struct AccountInNoNamespace {};

inline namespace sharded {
struct CompanionInNoNamespace {};
}  // namespace sharded

namespace autoshard::test {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::SizeIs;
using ::testing::ThrowsMessage;

class KindsTest : public ::testing::Test {
 protected:
  KindsTest() { detail::allow_versions_of_classes(false); }
  ~KindsTest() override { detail::allow_versions_of_classes(true); }

  /// What the uses of a class throw, each.
  template <class E>
  std::vector<std::string> refusals() {
    std::stringstream lines;
    const std::vector<std::function<void()>> uses = {
        [&] { mapper_.save(E(1)); },
        [&] {
          mapper_.save(std::vector{E(2), E(3)});
        },
        [&] { mapper_.load<E>(1); },
        [&] {
          mapper_.template load<E>(std::vector{1, 2});
        },
        [&] { mapper_.template load<E>(1, cached{std::chrono::seconds(1)}); },
        [&] { mapper_.template apply<&E::visit>(1); },
        [&] { mapper_.template apply_async<&E::visit>(1).get(); },
        [&] { mapper_.template update<E>(1, [](auto& shard) { shard.visit(); }); },
        [&] { mapper_.template apply<&E::visit>(1, token("apply")); },
        [&] { mapper_.template apply_async<&E::visit>(1, token("apply_async")).get(); },
        [&] { mapper_.template update<E>(1, token("update"), [](auto& shard) { shard.visit(); }); },
        [&] { mapper_.elements(1, Fields<E>::notes).begin(); },
        [&] { mapper_.erase_element(1, Fields<E>::notes, ElementId("1")); },
        [&] { mapper_.replace_element(1, Fields<E>::notes, ElementId("1"), "a note"); },
        [&] { mapper_.template exists<E>(1); },
        [&] { mapper_.template erase<E>(1); },
        [&] { mapper_.template query<E>().count(); },
        [&] { admin::set_shards<E>(mapper_, 2, "visits", 8); },
        [&] { admin::compact<E>(mapper_); },
        [&] { mapper_.transact([](EntityTransaction& transaction) { transaction.load<E>(2); }); },
        [&] { mapper_.transact([](EntityTransaction& transaction) { transaction.save(E(4)); }); },
        [&] { mapper_.transact([](EntityTransaction& transaction) { transaction.erase<E>(2); }); },
        [&] { to_json(E(1)); },
        [&] { from_json<E>("{\"@id\": 1}"); },
        [&] { export_json<E>(mapper_, lines); },
        [&] {
          lines << "{\"@id\": 5}\n";
          import_json<E>(mapper_, lines);
        }};
    std::vector<std::string> messages;
    for (const auto& use : uses) {
      try {
        use();
      } catch (const InvalidUse& error) {
        messages.emplace_back(error.what());
      } catch (const Error&) {  // of entities that are there, or are not, by now
      }
    }
    EXPECT_TRUE(messages.empty() || messages.size() == uses.size()) << messages.size();
    return messages;
  }

  MemoryStore store_;
  Mapper mapper_{store_};
};

TEST_F(KindsTest, TheSecondClassOfAKindIsRefused) {
  const std::vector<std::string> one = refusals<billing::Account>(), other = refusals<game::Account>();
  EXPECT_NE(one.empty(), other.empty()) << "one is the first";
  for (const std::string& message : one.empty() ? other : one) {
    EXPECT_THAT(message, AllOf(HasSubstr(" billing::Account"), HasSubstr(" game::Account"),
                               HasSubstr("have the same kind Account"), HasSubstr("[[autoshard::entity(")));
  }
  EXPECT_TRUE((refusals<billing::Account>().empty() == one.empty()));
}

/// As where several libraries of a program have the code of one class.
TEST_F(KindsTest, AClassThatIsNotedAgainIsStillTheFirst) {
  const bool is_one = detail::kIsFirstOfKind<billing::Account>;
  ASSERT_NE(is_one, detail::kIsFirstOfKind<game::Account>);
  const detail::EntityType &one = detail::kEntityType<billing::Account>,
                           &other = detail::kEntityType<game::Account>;
  const detail::EntityType &first = is_one ? one : other, &second = is_one ? other : one;
  for (int library = 0; library < 2; ++library) {
    EXPECT_TRUE(detail::note_kind(first));
    EXPECT_NO_THROW(detail::refuse_second_class(first));
    EXPECT_FALSE(detail::note_kind(second));
    EXPECT_THROW(detail::refuse_second_class(second), InvalidUse);
  }
}

/// Compaction by the second class would change records of the first one.
TEST_F(KindsTest, BackgroundWorkIsThatOfTheFirstClass) {
  const auto classes = [](const std::vector<const detail::EntityType*>& types) {
    std::set<std::string> names;
    for (const detail::EntityType* type : types) {
      if (type->kind == "Account") names.insert(type->entity_class->name());
    }
    return names;
  };
  const std::string first = detail::kIsFirstOfKind<billing::Account> ? typeid(billing::Account).name()
                                                                     : typeid(game::Account).name();
  EXPECT_THAT(classes(detail::entity_types()), ElementsAre(first));
  detail::allow_versions_of_classes(true);
  EXPECT_THAT(classes(detail::entity_types()), SizeIs(2));
}

TEST_F(KindsTest, ClassesInNoNamespaceAreNamedAsTheyAreWritten) {
  static auto &one = *new detail::EntityType(detail::kEntityType<billing::Account>),
              &other = *new detail::EntityType(one);
  one.kind = other.kind = "Account in no namespace";
  one.entity_class = &typeid(AccountInNoNamespace);
  other.entity_class = &typeid(CompanionInNoNamespace);
  ASSERT_TRUE(detail::note_kind(one));
  EXPECT_THAT([] { detail::refuse_second_class(other); },
              ThrowsMessage<InvalidUse>(HasSubstr(
                  "the classes AccountInNoNamespace and CompanionInNoNamespace have the same kind")));
}

/// By a static object that is initialised before the kind of its class is noted.
TEST_F(KindsTest, AClassThatIsNotNotedYetCanBeUsed) {
  detail::EntityType type = detail::kEntityType<billing::Account>;
  type.kind = "Account that nobody has noted";
  EXPECT_NO_THROW(detail::refuse_second_class(type));
}

}  // namespace
}  // namespace autoshard::test
