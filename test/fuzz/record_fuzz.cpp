#include "record_fuzz.h"

#include <autoshard/codec.h>
#include <autoshard/detail/entity_type.h>
#include <autoshard/detail/id.h>
#include <autoshard/errors.h>

#include <array>
#include <bitset>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <initializer_list>
#include <list>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <tuple>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "entities/strategies/stock.autoshard.h"
#include "expiring_record.h"
#include "keys.h"
#include "main_record.h"
#include "number_fold.h"
#include "require.h"
#include "shard_record.h"

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
  std::bitset<70> bitset;
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
        Property{"pointer", &Everything::pointer},   Property{"bitset", &Everything::bitset},
    };
  }
};

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
  constexpr EntityKeyView kEntity("key");
  E entity = Traits<E>::make();
  const std::uint64_t version = decode_main(kEntityType<E>, kEntity, bytes, &entity).version;
  const StoredMain stored = read_main(kEntityType<E>, kEntity, bytes);
  require(stored.version == version);
  const std::string once = encode_main(kEntityType<E>, &entity, version, stored);
  const std::string twice =
      encode_main(kEntityType<E>, &entity, version, read_main(kEntityType<E>, kEntity, once));
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
  detail::read_mark("key", bytes);
  const std::string container = detail::read_container("key", bytes);
  std::string element;
  detail::encode_element(element, container, detail::read_tail("key", bytes).epoch,
                         detail::ElementMark::kAdopted);
  require(detail::read_container("key", element) == container);
}

/// An id at the end of an entity's key: what is read of it is what was written.
template <class Id>
void try_id(std::string_view bytes) try {
  std::string_view rest = bytes;
  const Id id = detail::take_id<Id>(rest);
  std::string written;
  detail::append_id(written, id);
  require(std::string(bytes.substr(0, bytes.size() - rest.size())) == written);
  std::string_view skipped = bytes;
  detail::skip_part(skipped);
  require(skipped == rest);
} catch (const CorruptRecord&) {
}

void try_part(std::string_view bytes) {
  std::string_view rest = bytes;
  detail::skip_part(rest);
  require(rest.size() < bytes.size());
}

/// Behind the key of an entity, and of the records of its kind; and by itself.
void try_record_key(std::string_view bytes) {
  using namespace detail;
  const EntityKey entity = entity_key("Stock", std::string("bread"));
  for (const std::string& key :
       {std::string(bytes), entity.bytes() + std::string(bytes), kind_key("Stock") + std::string(bytes)}) {
    require(!describe(key).empty());
    const EntityKeyView its_entity = entity_of(key);
    require(its_entity.has_record(key));
    if (its_entity.empty()) continue;
    require(entity_of(its_entity.bytes()) == its_entity && entity_of(main_key(its_entity)) == its_entity);
    require(its_entity.bytes().ends_with(id_in(its_entity)));
    const std::optional<ShardKey> shard = read_shard_key(its_entity, key);
    if (!shard) continue;
    require(shard->shard || !shard->element.empty());
    if (shard->shard) {
      const RecordKey written(shard_key(its_entity, shard->property, *shard->shard), shard->element);
      // Names of properties hold no zeros, which would be escaped.
      require(shard->property.find('\0') != std::string_view::npos || written == key);
    }
    read_new_id(shard->element);
  }
}

void try_expiry_key(std::string_view bytes) {
  using namespace detail;
  std::string key = begin_of_expiries("Stock", 0);
  key.resize(key.size() - sizeof(std::int64_t));
  for (const std::string& tried : {key + std::string(bytes), begin_of_expiries("Stock", 1).append(bytes)}) {
    const std::optional<ExpiryKey> expiry = read_expiry_key("Stock", tried);
    if (!expiry || expiry->time < 0) continue;
    require(expiry_key("Stock", expiry->time, expiry->entity) == tried);
  }
}

void try_expiring(std::string_view bytes) {
  const detail::Expiring read = detail::read_expiring("key", bytes);
  std::string written;
  detail::encode_expiring(written, read.until, read.number);
  require(detail::read_expiring("key", written).until == read.until);
}

void try_number(std::string_view bytes) {
  const NumberFold fold{.fold = Fold::kSum, .number = 1, .least = -100, .most = 100, .others = {}, .size = 1};
  const std::optional<std::string> folded = detail::fold_number(fold, bytes);
  if (folded)
    require(detail::fold_number(fold, *folded).has_value() ||
            detail::read_number_record(*folded).number == 100);
}

void try_each(std::string_view bytes, std::initializer_list<void (*)(std::string_view)> attempts) {
  for (void (*attempt)(std::string_view) : attempts) {
    try {
      attempt(bytes);
    } catch (const CorruptRecord&) {
    }
  }
}

/// A value that is read alone may be one level deeper than one that can be written into a record.
template <auto kAttempt>
void allow_depth(std::string_view bytes) try {
  kAttempt(bytes);
} catch (const InvalidUse&) {
}

}  // namespace

void try_record(std::string_view bytes) {
  try_each(bytes, {allow_depth<try_codec>, allow_depth<try_copy>, allow_depth<try_main<shop::Stock>>,
                   allow_depth<try_shards<shop::Stock>>, try_expiring, try_number});
}

void try_key(std::string_view bytes) {
  try_each(bytes,
           {try_part, try_record_key, try_expiry_key, try_id<std::string>, try_id<int>, try_id<std::uint64_t>,
            try_id<bool>, try_id<std::array<std::byte, 3>>, try_id<std::chrono::sys_days>,
            try_id<std::tuple<std::string, int, std::array<std::byte, 2>>>});
}

}  // namespace autoshard::test
