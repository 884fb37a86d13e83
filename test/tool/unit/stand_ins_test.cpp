// The stand-ins do what the standard library does.
#include <gtest/gtest.h>

#include <iterator>
#include <map>
#include <random>
#include <set>
#include <string>

#include "tool/laws/trial/stand_ins/chain.h"
#include "tool/laws/trial/stand_ins/keyed.h"
#include "tool/laws/trial/stand_ins/string.h"

namespace autoshard::tool {
namespace {

namespace stand_ins = autoshard_stand_ins;

class StandIns : public testing::TestWithParam<int> {
 protected:
  int below(int bound) { return std::uniform_int_distribution<int>(0, bound - 1)(random_); }
  std::string word() {
    return std::string(static_cast<std::size_t>(below(4)), static_cast<char>('a' + below(3)));
  }

 private:
  std::mt19937 random_{static_cast<unsigned>(GetParam())};
};
INSTANTIATE_TEST_SUITE_P(Seeds, StandIns, testing::Range(1, 51));

TEST_P(StandIns, MapsAreLikeThose) {
  std::map<int, int> expected;
  stand_ins::map<int, int> map;
  for (int step = 0; step < 200; ++step) {
    const int key = below(20);
    switch (below(8)) {
      case 0:
        EXPECT_EQ(map.erase(key), expected.erase(key));
        break;
      case 1:
        if (!expected.empty()) {
          map.erase(map.begin());
          expected.erase(expected.begin());
        }
        break;
      case 2: {
        const auto found = map.find(key);
        ASSERT_EQ(found != map.end(), expected.contains(key));
        if (found == map.end()) break;
        EXPECT_EQ(found->second, expected.at(key));
        break;
      }
      case 3:
        EXPECT_EQ(std::distance(map.begin(), map.lower_bound(key)),
                  std::distance(expected.begin(), expected.lower_bound(key)));
        EXPECT_EQ(std::distance(map.begin(), map.upper_bound(key)),
                  std::distance(expected.begin(), expected.upper_bound(key)));
        break;
      case 4: {
        stand_ins::map<int, int> copy = map;
        copy.erase(key);
        EXPECT_EQ(copy.contains(key), false);
        map = below(2) == 0 ? copy : stand_ins::map<int, int>(copy);
        expected.erase(key);
        break;
      }
      default:
        map[key] += step;
        expected[key] += step;
    }
    ASSERT_EQ(map.size(), expected.size());
    auto at = expected.begin();
    for (const auto& [of, value] : map) {
      ASSERT_EQ(of, at->first);
      ASSERT_EQ(value, at++->second);
    }
  }
}

TEST_P(StandIns, SetsThatAreMergedAreLikeThose) {
  std::set<std::string> expected, expected_other;
  stand_ins::set<stand_ins::string> set, other;
  for (int step = 0; step < 30; ++step) {
    const std::string one = word(), two = word();
    EXPECT_EQ(set.insert(one.c_str()).second, expected.insert(one).second);
    EXPECT_EQ(other.insert(two.c_str()).second, expected_other.insert(two).second);
    if (below(6) == 0) {
      set.merge(other);
      expected.merge(expected_other);
    }
    ASSERT_EQ(set.size(), expected.size());
    ASSERT_EQ(other.size(), expected_other.size());
    auto at = expected.begin();
    for (const stand_ins::string& text : set) ASSERT_EQ(text.c_str(), *at++);
    auto at_other = expected_other.begin();
    for (const stand_ins::string& text : other) ASSERT_EQ(text.c_str(), *at_other++);
  }
}

TEST_P(StandIns, StringsAreLikeThose) {
  std::string expected, expected_other;
  stand_ins::string text, other;
  for (int step = 0; step < 200; ++step) {
    const std::string piece = word();
    const auto at = static_cast<std::size_t>(below(static_cast<int>(expected.size()) + 1));
    const auto count = static_cast<std::size_t>(below(4));
    switch (below(7)) {
      case 0:
        text.replace(at, count, piece);
        expected.replace(at, count, piece);
        break;
      case 1:
        text.erase(at, count);
        expected.erase(at, count);
        break;
      case 2:
        text.resize(count, 'z');
        expected.resize(count, 'z');
        break;
      case 3:
        text = stand_ins::string(count, 'y');
        expected = std::string(count, 'y');
        break;
      case 4:
        swap(text, other);
        swap(expected, expected_other);
        break;
      case 5:
        EXPECT_EQ(text.substr(at, count).c_str(), expected.substr(at, count));
        break;
      default:
        text += piece;
        expected += piece;
    }
    ASSERT_EQ(text.c_str(), expected);
    ASSERT_EQ(text.size(), expected.size());
    EXPECT_EQ(text == other, expected == expected_other);
    EXPECT_EQ(text <=> other, expected <=> expected_other);
  }
}

}  // namespace
}  // namespace autoshard::tool
