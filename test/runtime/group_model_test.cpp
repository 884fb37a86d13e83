// Random changes of groups by several threads: each knows exactly what of its own must be there, and where.

#include <autoshard/autoshard.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

#include "entities/groups/topic.autoshard.h"
#include "support/test_store.h"

namespace autoshard::test {
namespace {

using forum::Post;
using forum::Topic;
using q = Fields<Topic>;
using Texts = std::vector<std::string>;

class GroupModelTest : public StoreTest {};
INSTANTIATE_TEST_SUITE_P(Stores, GroupModelTest, ::testing::ValuesIn(stores_for_threads()), store_name);

constexpr int kTopics = 2;

/// Changes what is its own, of topics that others use, too.
class Poster {
 public:
  Poster(Mapper& mapper, std::mt19937_64::result_type seed, int number)
      : mapper_(mapper),
        generator_(seed),
        prefix_(std::to_string(number) + '/'),
        posts_(kTopics),
        stars_(kTopics) {}

  void run(int steps) {
    for (int i = 0; i < steps && !::testing::Test::HasFatalFailure(); ++i) step();
    for (int topic = 0; topic < kTopics; ++topic) expect_loaded(topic);
  }

  const Texts& posts(int topic) const { return posts_[static_cast<std::size_t>(topic)]; }

 private:
  std::string new_text() { return prefix_ + std::to_string(next_++); }

  /// Those of its own; fails if any comes twice.
  Texts mine(const Texts& texts) {
    EXPECT_EQ(std::set<std::string>(texts.begin(), texts.end()).size(), texts.size());
    Texts mine;
    for (const std::string& text : texts) {
      if (text.starts_with(prefix_)) mine.push_back(text);
    }
    return mine;
  }

  void expect_loaded(int id) {
    const auto index = static_cast<std::size_t>(id);
    const Topic topic = mapper_.load<Topic>(id).value();
    ASSERT_EQ(mine(topic.texts()), posts_[index]);
    for (const auto& [reader, stars] : stars_[index]) {
      if (stars) {
        ASSERT_EQ(topic.stars().at(reader), *stars);
      } else {
        ASSERT_FALSE(topic.stars().contains(reader));
      }
    }
  }

  void expect_paged(int id) {
    Texts texts;
    std::string cursor;
    do {
      const auto page = mapper_.elements(id, q::posts).after(cursor).limit(1 + below(generator_, 40)).page();
      for (const Element<Post>& post : page.rows) texts.push_back(post.value.text);
      cursor = page.cursor;
    } while (!cursor.empty());
    ASSERT_EQ(mine(texts), posts_[static_cast<std::size_t>(id)]);
  }

  ElementId id_of(int topic, const std::string& text) {
    for (const Element<Post>& post : mapper_.elements(topic, q::posts)) {
      if (post.value.text == text) return post.id;
    }
    ADD_FAILURE() << text << " is not there";
    return ElementId();
  }

  void step() {
    const auto id = static_cast<int>(below(generator_, kTopics));
    const auto index = static_cast<std::size_t>(id);
    Texts& posts = posts_[index];
    const std::string text = new_text();
    switch (below(generator_, 9)) {
      case 0:
        mapper_.apply<&Topic::add_post>(id, text);
        posts.push_back(text);
        break;
      case 1: {
        const std::string other = new_text();
        mapper_.update<Topic>(id, [&](auto& topic) {
          topic.add_post(text);
          topic.view();
          topic.add_post(other);
        });
        posts.insert(posts.end(), {text, other});
        break;
      }
      case 2:
        for (bool saved = false; !saved;) {
          Topic topic = mapper_.load<Topic>(id).value();
          topic.add_post(text);
          if (below(generator_, 2) == 0) topic.set_title(text);
          try {
            mapper_.save(topic);
            saved = true;
          } catch (const StaleEntity&) {
          }
        }
        posts.push_back(text);
        break;
      case 3:
        mapper_.transact([&](EntityTransaction& transaction) {
          Topic topic = transaction.load<Topic>(id).value();
          topic.set_title(text);
          topic.add_post(text);
          transaction.save(topic);
        });
        posts.push_back(text);
        break;
      case 4:
        if (!posts.empty()) {
          const auto gone = posts.begin() + static_cast<std::ptrdiff_t>(below(generator_, posts.size()));
          ASSERT_TRUE(mapper_.erase_element(id, q::posts, id_of(id, *gone)));
          posts.erase(gone);
        }
        break;
      case 5:
        if (!posts.empty()) {
          std::string& changed = posts[below(generator_, posts.size())];
          mapper_.replace_element(id, q::posts, id_of(id, changed), Post{text});
          changed = text;
        }
        break;
      case 6: {
        const std::string reader = prefix_ + std::to_string(below(generator_, 3));
        const auto stars = static_cast<int>(below(generator_, 6));
        mapper_.apply<&Topic::rate>(id, reader, stars);
        stars_[index][reader] = stars;
        break;
      }
      case 7:
        for (const auto& [element, entry] : mapper_.elements(id, q::stars)) {
          if (!entry.first.starts_with(prefix_)) continue;
          ASSERT_TRUE(mapper_.erase_element(id, q::stars, element));
          stars_[index][entry.first].reset();
          break;
        }
        break;
      default:
        below(generator_, 2) == 0 ? expect_loaded(id) : expect_paged(id);
    }
  }

  Mapper& mapper_;
  std::mt19937_64 generator_;
  const std::string prefix_;
  int next_ = 0;
  std::vector<Texts> posts_;                                      // of each topic
  std::vector<std::map<std::string, std::optional<int>>> stars_;  // likewise; empty: erased
};

TEST_P(GroupModelTest, EveryThreadSeesItsOwnElementsInTheirOrder) {
  std::mt19937_64 generator = seeded_generator();
  Mapper combining(*store_), alone(*store_, {.combine = false});
  for (int topic = 0; topic < kTopics; ++topic) combining.save(Topic(topic));
  std::vector<Poster> posters;
  for (int number = 0; number < 4; ++number)
    posters.emplace_back(number % 2 == 0 ? combining : alone, generator(), number);
  std::vector<std::thread> threads;
  for (Poster& poster : posters) threads.emplace_back([&poster] { poster.run(300); });
  for (std::thread& thread : threads) thread.join();
  for (int topic = 0; topic < kTopics; ++topic) {
    std::multiset<std::string> expected;
    for (const Poster& poster : posters)
      expected.insert(poster.posts(topic).begin(), poster.posts(topic).end());
    const Texts loaded = combining.load<Topic>(topic).value().texts();
    EXPECT_EQ(std::multiset<std::string>(loaded.begin(), loaded.end()), expected);
  }
}

/// Nothing is left of an erased entity, nor found in the next one, while others add to it all the time.
TEST_P(GroupModelTest, ErasedEntitiesLeaveNoElements) {
  constexpr std::size_t kThreads = 3;
  Mapper mapper(*store_);
  std::atomic<int> added{0};
  std::array<std::atomic<int>, kThreads> acknowledged{};  // the last number that each has added
  std::vector<std::jthread> threads;
  for (std::size_t thread = 0; thread < kThreads; ++thread) {
    threads.emplace_back([&, thread](const std::stop_token& stop) {
      for (int number = 1; !stop.stop_requested(); ++number) {
        try {
          mapper.apply<&Topic::add_post>(1, std::to_string(thread) + '/' + std::to_string(number));
          acknowledged[thread] = number;
          ++added;
        } catch (const NotFound&) {
        }
      }
    });
  }
  for (int round = 0; round < 100; ++round) {
    std::array<int, kThreads> before{};
    std::copy(acknowledged.begin(), acknowledged.end(), before.begin());
    mapper.save(Topic(1, {{"first"}}));
    const int added_before = added;
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::minutes(1);
    while (added < added_before + 5) {
      ASSERT_LT(std::chrono::steady_clock::now(), deadline) << "nothing is acknowledged";
      std::this_thread::yield();
    }
    const Texts texts = mapper.load<Topic>(1).value().texts();
    ASSERT_EQ(texts.front(), "first");
    ASSERT_EQ(std::set<std::string>(texts.begin(), texts.end()).size(), texts.size());
    for (std::size_t i = 1; i < texts.size(); ++i) {
      const auto thread = static_cast<std::size_t>(texts[i].front() - '0');
      ASSERT_GT(std::stoi(texts[i].substr(2)), before.at(thread)) << "is another entity's";
    }
    ASSERT_TRUE(mapper.erase<Topic>(1));
    ASSERT_TRUE(records(*store_).empty());
  }
}

}  // namespace
}  // namespace autoshard::test
