#include "codegen_headers.h"

#include <fmt/format.h>

#include <fstream>
#include <iterator>
#include <stdexcept>

namespace autoshard::bench {
namespace {

/// Each with a number in the place of `{0}`.
constexpr const char* kEntities[] = {
    R"(#pragma once

#include <string>
#include <utility>
#include <vector>

namespace forum {{

struct Answer{0} {{
  std::string text;
  std::string author;
}};

/// A post that many people vote on at the same time.
class [[autoshard::entity]] Post{0} {{
 public:
  Post{0}(int id, std::string text, std::string author)
      : id_(id), text_(std::move(text)), author_(std::move(author)) {{}}

  [[autoshard::shard_method]] void voteUp() {{ ++votes_; }}
  [[autoshard::shard_method]] void voteDown() {{ --votes_; }}
  [[autoshard::shard_fold]] static int foldVotes(int x, int y) {{ return x + y; }}

  void answer(std::string text, std::string author) {{
    answers_.push_back({{std::move(text), std::move(author)}});
  }}

  int id() const {{ return id_; }}
  const std::string& text() const {{ return text_; }}
  const std::string& author() const {{ return author_; }}
  const std::vector<Answer{0}>& answers() const {{ return answers_; }}
  int votes() const {{ return votes_; }}

 private:
  [[autoshard::id]] int id_;
  std::string text_;
  std::string author_;
  std::vector<Answer{0}> answers_;
  [[autoshard::shardable(neutral = 0, shards = 16)]] int votes_ = 0;
}};

}}  // namespace forum
)",
    R"(#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>

namespace shop {{

/// What is left of an article in all warehouses.
class [[autoshard::entity("article{0}")]] Article{0} {{
 public:
  Article{0}(std::string number, std::string name) : number_(std::move(number)), name_(std::move(name)) {{}}

  [[autoshard::shard_method]] void receive(std::int64_t pieces) {{
    stock_ += pieces;
    ++deliveries_;
  }}
  [[autoshard::shard_method]] void ship(std::int64_t pieces) {{ stock_ -= pieces; }}

  const std::string& number() const {{ return number_; }}
  const std::string& name() const {{ return name_; }}
  std::int64_t stock() const {{ return stock_; }}
  std::int64_t deliveries() const {{ return deliveries_; }}
  void discount(double rate) {{ discount_ = rate; }}

 private:
  [[autoshard::shard_fold]] static std::int64_t sum(std::int64_t x, std::int64_t y) {{ return x + y; }}

  [[autoshard::id]] std::string number_;
  std::string name_;
  std::optional<double> discount_;
  [[autoshard::shardable(neutral = 0, shards = 32)]] std::int64_t stock_ = 0;
  [[autoshard::shardable(neutral = 0, shards = 32)]] std::int64_t deliveries_ = 0;
}};

}}  // namespace shop
)",
    R"(#pragma once

#include <map>
#include <string>
#include <utility>

namespace arcade {{

enum class Level{0} {{ kEasy, kNormal, kHard }};

/// A game, and the best that anybody reached in it.
class [[autoshard::entity]] Game{0} {{
 public:
  explicit Game{0}(std::string title) : title_(std::move(title)) {{}}

  [[autoshard::shard_method]] void finish(unsigned points, unsigned seconds) {{
    if (points > best_) best_ = points;
    played_ += seconds;
  }}

  const std::string& title() const {{ return title_; }}
  unsigned best() const {{ return best_; }}
  unsigned played() const {{ return played_; }}
  void setting(const std::string& name, const std::string& value) {{ settings_[name] = value; }}

 private:
  [[autoshard::shard_fold(best_)]] static unsigned higher(unsigned x, unsigned y) {{ return x > y ? x : y; }}
  [[autoshard::shard_fold(played_)]] static unsigned sum(unsigned x, unsigned y) {{ return x + y; }}

  [[autoshard::id]] std::string title_;
  Level{0} level_ = Level{0}::kNormal;
  std::map<std::string, std::string> settings_;
  [[autoshard::shardable(neutral = 0, shards = 8)]] unsigned best_ = 0;
  [[autoshard::shardable(neutral = 0, shards = 8)]] unsigned played_ = 0;
}};

}}  // namespace arcade
)",
    R"(#pragma once

#include <array>
#include <string>
#include <vector>

namespace metrics {{

/// The hits of a page, by the hour of the day.
class [[autoshard::entity]] Page{0} {{
 public:
  Page{0}(std::string site, std::string path) : site_(site), path_(path) {{}}

  [[autoshard::shard_method]] void hit() {{ hits_++; }}
  [[autoshard::shard_method]] void hitBy(unsigned robots) {{ hits_ += robots; }}

  const std::string& site() const {{ return site_; }}
  const std::string& path() const {{ return path_; }}
  unsigned long hits() const {{ return hits_; }}
  const std::vector<std::string>& tags() const {{ return tags_; }}
  void tag(const std::string& name) {{ tags_.push_back(name); }}

 private:
  [[autoshard::id]] std::string site_;
  [[autoshard::id]] std::string path_;
  std::vector<std::string> tags_;
  std::array<int, 4> layout_{{}};
  double seconds_ = 0;
  [[autoshard::shardable(neutral = 0, shards = 64, fold = std::plus<>{{}})]] unsigned long hits_ = 0;
}};

}}  // namespace metrics
)",
};

}  // namespace

std::vector<std::string> write_entity_headers(const std::filesystem::path& folder, int count) {
  std::vector<std::string> names;
  for (int number = 0; number < count; ++number) {
    const char* const entity = kEntities[static_cast<std::size_t>(number) % std::size(kEntities)];
    const std::string name = fmt::format("entity{}.h", number);
    std::ofstream out(folder / name);
    out << fmt::format(fmt::runtime(entity), number);
    if (!out.flush()) throw std::runtime_error("cannot write " + (folder / name).string());
    names.push_back(name);
  }
  return names;
}

}  // namespace autoshard::bench
