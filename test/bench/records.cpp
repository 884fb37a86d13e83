#include "records.h"

#include <autoshard/autoshard.h>
#include <benchmark/benchmark.h>

#include <cstdint>
#include <msgpack.hpp>
#include <stdexcept>
#include <string_view>

#include "main_record.h"
#include "product.autoshard.h"

namespace autoshard::bench {
namespace {

using shop::Product;

constexpr detail::EntityKeyView kKey(std::string_view("\x02Product\0\1\x15\7", 12));  // for messages only
constexpr std::uint64_t kVersion = std::uint64_t{7} << 32;

struct PeerProduct {
  std::uint64_t version = 0;
  std::string name, maker;
  double price = 0;
  int in_stock = 0;
  bool on_sale = false;
  std::vector<std::string> tags;
};

struct Buffer {
  std::string& bytes;
  void write(const char* data, std::size_t size) { bytes.append(data, size); }
};

std::string pack(const PeerProduct& product) {
  std::string record;
  record.reserve(256);
  Buffer buffer{record};
  msgpack::packer<Buffer> packer(buffer);
  packer.pack_map(7);
  packer.pack(std::string_view("@version")).pack(product.version);
  packer.pack(std::string_view("name")).pack(product.name);
  packer.pack(std::string_view("maker")).pack(product.maker);
  packer.pack(std::string_view("price")).pack(product.price);
  packer.pack(std::string_view("in_stock")).pack(product.in_stock);
  packer.pack(std::string_view("on_sale")).pack(product.on_sale);
  packer.pack(std::string_view("tags")).pack(product.tags);
  return record;
}

/// Fills in a product as msgpack-cxx comes to its values, without a tree of them.
struct PeerVisitor : msgpack::null_visitor {
  explicit PeerVisitor(PeerProduct& its_product) : product(its_product) {}

  enum class Field { kNone, kItsVersion, kName, kMaker, kPrice, kInStock, kOnSale, kTags };

  static Field field_of(std::string_view name) {
    if (name == "@version") return Field::kItsVersion;
    if (name == "name") return Field::kName;
    if (name == "maker") return Field::kMaker;
    if (name == "price") return Field::kPrice;
    if (name == "in_stock") return Field::kInStock;
    if (name == "on_sale") return Field::kOnSale;
    if (name == "tags") return Field::kTags;
    return Field::kNone;
  }

  bool start_map_key() { return in_key = true; }
  bool end_map_key() { return !(in_key = false); }
  bool visit_str(const char* bytes, std::uint32_t size) {
    if (in_key) {
      field = field_of({bytes, size});
    } else if (field == Field::kName) {
      product.name.assign(bytes, size);
    } else if (field == Field::kMaker) {
      product.maker.assign(bytes, size);
    } else if (field == Field::kTags) {
      product.tags.emplace_back(bytes, size);
    } else {
      return field == Field::kNone;
    }
    return true;
  }
  bool visit_positive_integer(std::uint64_t value) {
    if (field == Field::kItsVersion) {
      product.version = value;
    } else if (field == Field::kInStock) {
      product.in_stock = static_cast<int>(value);
    } else {
      return field == Field::kNone;
    }
    return true;
  }
  bool visit_negative_integer(std::int64_t value) {
    if (field == Field::kInStock) product.in_stock = static_cast<int>(value);
    return field == Field::kInStock || field == Field::kNone;
  }
  bool visit_float64(double value) {
    if (field == Field::kPrice) product.price = value;
    return field == Field::kPrice || field == Field::kNone;
  }
  bool visit_boolean(bool value) {
    if (field == Field::kOnSale) product.on_sale = value;
    return field == Field::kOnSale || field == Field::kNone;
  }
  bool start_array(std::uint32_t size) {
    if (field == Field::kTags) product.tags.reserve(size);
    return field == Field::kTags || field == Field::kNone;
  }

  PeerProduct& product;
  Field field = Field::kNone;
  bool in_key = false;
};

PeerProduct unpack(const std::string& record) {
  PeerProduct product;
  PeerVisitor visitor(product);
  std::size_t end = 0;
  if (!msgpack::parse(record.data(), record.size(), end, visitor) || end != record.size())
    throw msgpack::type_error();
  return product;
}

std::string encode(const Product& product) {
  return detail::encode_main(detail::kEntityType<Product>, &product, kVersion, {});
}

Product decode(const std::string& record) {
  Product product = detail::make_entity<Product>(7);
  detail::decode_main(detail::kEntityType<Product>, kKey, record, &product);
  return product;
}

}  // namespace

std::vector<std::pair<std::string, std::function<void()>>> record_operations() {
  const std::vector<std::string> tags = {"kitchen", "steel", "dishwasher-safe"};
  Product product(7);
  product.describe("Frying pan, 28 cm", "Northern Ironworks", tags);
  product.price(39.9, 1250);
  const PeerProduct peer{.version = kVersion,
                         .name = "Frying pan, 28 cm",
                         .maker = "Northern Ironworks",
                         .price = 39.9,
                         .in_stock = 1250,
                         .on_sale = true,
                         .tags = tags};
  const std::string record = encode(product), peer_record = pack(peer);
  if (decode(record) != product || pack(unpack(peer_record)) != peer_record || record.size() < 100)
    throw std::logic_error("records are not read as they were written");
  return {
      {"autoshard-encode", [=] { benchmark::DoNotOptimize(encode(product)); }},
      {"peer-encode", [=] { benchmark::DoNotOptimize(pack(peer)); }},
      {"autoshard-decode", [=] { benchmark::DoNotOptimize(decode(record)); }},
      {"peer-decode", [=] { benchmark::DoNotOptimize(unpack(peer_record)); }},
  };
}

}  // namespace autoshard::bench
