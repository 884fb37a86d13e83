#include "records.h"

#include <autoshard/autoshard.h>
#include <benchmark/benchmark.h>

#include <cstdint>
#include <msgpack.hpp>
#include <stdexcept>
#include <string_view>

#include "product.autoshard.h"
#include "record.h"

namespace autoshard::bench {
namespace {

using shop::Product;

constexpr std::string_view kKey("\x02Product\0\1\x15\7", 12);  // for messages only
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

PeerProduct unpack(const std::string& record) {
  PeerProduct product;
  const msgpack::object_handle handle = msgpack::unpack(record.data(), record.size());
  if (handle->type != msgpack::type::MAP) throw msgpack::type_error();
  for (const msgpack::object_kv& entry : handle->via.map) {
    const auto name = entry.key.as<std::string_view>();
    if (name == "@version") entry.val.convert(product.version);
    if (name == "name") entry.val.convert(product.name);
    if (name == "maker") entry.val.convert(product.maker);
    if (name == "price") entry.val.convert(product.price);
    if (name == "in_stock") entry.val.convert(product.in_stock);
    if (name == "on_sale") entry.val.convert(product.on_sale);
    if (name == "tags") entry.val.convert(product.tags);
  }
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
