#include "record_fuzz.h"

#include <autoshard/codec.h>
#include <autoshard/detail/entity_type.h>
#include <autoshard/errors.h>

#include <cstdlib>
#include <stdexcept>
#include <string>

#include "keys.h"
#include "record.h"
#include "stock.h"

namespace autoshard::test {
namespace {

struct Node {
  int number = 0;
  std::vector<Node> children;
  std::unique_ptr<Node> next;
};

struct Everything {
  bool boolean = false;
  signed char small = 0;
  std::uint64_t large = 0;
  float single = 0;
  double real = 0;
  std::string text;
  std::optional<std::optional<int>> optional;
  std::vector<bool> bits;
  std::array<short, 3> three{};
  std::map<std::string, std::vector<Node>> map;
  std::unordered_map<int, std::pair<std::string, double>> table;
  std::set<std::string> set;
  std::chrono::system_clock::time_point time;
  Node node;
  std::variant<std::monostate, int, std::list<Node>, std::optional<std::string>> variant;
  std::tuple<int, std::string, std::tuple<>> tuple;
  std::deque<std::unordered_set<std::string>> deque;
  std::unordered_set<int> hashes;
  std::unique_ptr<std::optional<Node>> pointer;
};

struct Owner {
  static constexpr auto members(const Node*) {
    return std::tuple{Property{"number", &Node::number}, Property{"children", &Node::children},
                      Property{"next", &Node::next}};
  }
  static constexpr auto members(const Everything*) {
    return std::tuple{
        Property{"boolean", &Everything::boolean},   Property{"small", &Everything::small},
        Property{"large", &Everything::large},       Property{"single", &Everything::single},
        Property{"real", &Everything::real},         Property{"text", &Everything::text},
        Property{"optional", &Everything::optional}, Property{"bits", &Everything::bits},
        Property{"three", &Everything::three},       Property{"map", &Everything::map},
        Property{"table", &Everything::table},       Property{"set", &Everything::set},
        Property{"time", &Everything::time},         Property{"node", &Everything::node},
        Property{"variant", &Everything::variant},   Property{"tuple", &Everything::tuple},
        Property{"deque", &Everything::deque},       Property{"hashes", &Everything::hashes},
        Property{"pointer", &Everything::pointer},
    };
  }
};

void require(bool holds) {
  if (!holds) std::abort();
}

void try_codec(std::string_view bytes) {
  const auto decoded = [](std::string_view from) {
    Everything everything;
    Decoder in("key", from);
    decode<Owner>(in, everything);
    return everything;
  };
  const auto encoded = [](const Everything& everything) {
    std::string to;
    Encoder out(to);
    encode<Owner>(out, everything);
    return to;
  };
  const std::string once = encoded(decoded(bytes));
  require(encoded(decoded(once)) == once);
}

void try_copy(std::string_view bytes) {
  const auto copied = [](std::string_view from) {
    std::string to;
    Encoder out(to);
    Decoder("key", from).copy(out);
    return to;
  };
  const std::string once = copied(bytes);
  require(copied(once) == once);
}

template <class E>
void try_main(std::string_view bytes) {
  using namespace detail;
  E entity = Traits<E>::make();
  const std::uint64_t version = decode_main(kEntityType<E>, "key", bytes, &entity).version;
  const StoredMain stored = read_main(kEntityType<E>, "key", bytes);
  require(stored.version == version);
  const std::string once = encode_main(kEntityType<E>, &entity, version, stored);
  const std::string twice =
      encode_main(kEntityType<E>, &entity, version, read_main(kEntityType<E>, "key", once));
  require(once == twice);
}

template <class E>
void try_shards(std::string_view bytes) {
  for (const detail::ShardedPropertyType& property : detail::kShardedPropertyTypes<E>) {
    typename Traits<E>::Shard shard{};
    void* value = property.in_shard(&shard);
    detail::fold_shard(property, value, 0, "key", bytes);
    std::string folded;
    detail::encode_folded_shard(folded, property, value, 0, "key", bytes);
  }
}

}  // namespace

void try_bytes(std::string_view bytes) {
  for (void (*attempt)(std::string_view) :
       {try_codec, try_copy, try_main<shop::Stock>, try_shards<shop::Stock>}) {
    try {
      attempt(bytes);
    } catch (const CorruptRecord&) {
    } catch (const std::length_error&) {
      // A value that is read alone may be one level deeper than one that can be written into a record.
    }
  }
  require(!detail::describe(bytes).empty());
}

}  // namespace autoshard::test
