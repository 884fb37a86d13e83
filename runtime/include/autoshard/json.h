#pragma once

#include <autoshard/codec.h>
#include <autoshard/detail/entity_type.h>
#include <autoshard/errors.h>
#include <autoshard/mapper.h>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <exception>
#include <functional>
#include <istream>
#include <optional>
#include <ostream>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

/// Entities as JSON, to be looked at, exported and imported.
///
/// An entity is an object: first its id as `"@id"`, a composite one as an array, then its properties by the
/// names that they have in the store, sharded ones with their whole values; always in the order of the class,
/// so that equal entities give equal texts. Values have the form of MessagePack (runtime/FORMAT.md) in JSON:
/// integers with all of their 64 bits, floating-point numbers with a point or exponent, maps and structs as
/// objects. What JSON has no form for is an object with one key that begins with `@`:
///
///   {"@hex": "00ff"}          a text that is not UTF-8, by its bytes
///   {"@real": "nan"}          also "inf", "-inf"; which NaN it is gets lost
///   {"@map": [[1, "a"], …]}   a map with keys that are not texts of UTF-8, or with one key that begins so
///
/// So whatever an entity holds comes back as it was. For the same reason an export and an import run no hooks
/// of the class: they copy what is stored.
namespace autoshard {

/// A text that is no entity of the class: no JSON, or with a property that the class does not have, or with
/// a value of another type. The message says what is wrong and where.
class InvalidJson : public Error {
 public:
  using Error::Error;
};

/// An import that came to its end too early. The message names the line, what is wrong with it, and which
/// lines are imported.
class ImportFailed : public Error {
 public:
  ImportFailed(const std::string& message, std::uint64_t line, std::uint64_t imported)
      : Error(message), line_(line), imported_(imported) {}

  /// The first that is not imported; from 1.
  std::uint64_t line() const { return line_; }
  /// How many entities are.
  std::uint64_t imported() const { return imported_; }

 private:
  std::uint64_t line_, imported_;
};

/// How far an export or import is.
struct JsonProgress {
  std::uint64_t entities = 0;                  ///< written, or saved
  std::uint64_t bytes = 0;                     ///< written, or read
  std::optional<std::uint64_t> total_bytes{};  ///< to be read, where the stream knows
};
/// Called now and then, and at the end. What it throws ends the export or import.
using OnJsonProgress = std::function<void(const JsonProgress&)>;

namespace detail {

/// An id that is a struct of one member.
template <class Id>
inline constexpr bool kIsStruct =
    std::is_class_v<Id> && !std::same_as<Id, std::string> && !Ticks<Id> && !Moment<Id>;

template <class Id>
void encode_id(Encoder& out, const Id& id) {
  if constexpr (kIsBytes<Id>) {
    out.text({reinterpret_cast<const char*>(id.data()), id.size()});
  } else if constexpr (kIs<Id, std::tuple>) {
    out.array(std::tuple_size_v<Id>);
    std::apply([&](const auto&... part) { (encode_id(out, part), ...); }, id);
  } else if constexpr (kIsStruct<Id>) {
    const auto& [value] = id;
    encode_id(out, value);
  } else {
    encode<void>(out, id);
  }
}

template <class Id>
void decode_id(Decoder& in, Id& id) {
  if constexpr (kIsBytes<Id>) {
    const std::string_view bytes = in.text();
    if (bytes.size() != id.size()) in.fail("an id of another size");
    std::memcpy(id.data(), bytes.data(), bytes.size());
  } else if constexpr (kIs<Id, std::tuple>) {
    if (in.array() != std::tuple_size_v<Id>) in.fail("an id of another number of parts");
    std::apply([&](auto&... part) { (decode_id(in, part), ...); }, id);
  } else if constexpr (kIsStruct<Id>) {
    auto& [value] = id;
    decode_id(in, value);
  } else {
    decode<void>(in, id);
  }
}

/// `id`: as MessagePack.
std::string write_json(const EntityType& type, std::string_view id, void* entity);

/// The text of an entity, taken apart.
class JsonEntity {
 public:
  /// Throws `InvalidJson`.
  explicit JsonEntity(std::string_view text);

  template <class Id>
  Id id() const {
    Id id{};
    reading("@id", [&] {
      Decoder in("@id", id_);
      decode_id(in, id);
    });
    return id;
  }
  /// Throws `InvalidJson`, also for a property that the class does not have.
  void fill(const EntityType& type, void* entity) const;

 private:
  /// Complains of the value of that name.
  static void reading(std::string_view name, const std::function<void()>& read);

  std::string id_;                                               // as MessagePack
  std::vector<std::pair<std::string, std::string>> properties_;  // likewise, by their names
};

/// The lines of an export.
class JsonOutput {
 public:
  JsonOutput(std::ostream& out, const OnJsonProgress& progress) : out_(out), progress_(progress) {}
  void write(std::string line);
  /// Returns how many there are.
  std::uint64_t finish();

 private:
  std::ostream& out_;
  const OnJsonProgress& progress_;
  JsonProgress done_;
};

/// The lines of an import, and what became of them.
class JsonInput {
 public:
  JsonInput(std::istream& in, const OnJsonProgress& progress);

  /// The next line that is not empty; null at the end.
  const std::string* next();
  /// The number of that line.
  std::uint64_t number() const { return number_; }

  /// So many more are saved, and all lines up to this one are dealt with.
  void note_saved(std::size_t entities);
  /// Nothing more is imported because of that line.
  [[noreturn]] void fail(std::uint64_t line, const std::string& what) const;
  std::uint64_t saved() const { return done_.entities; }

 private:
  std::istream& in_;
  const OnJsonProgress& progress_;
  std::string line_;
  std::uint64_t number_ = 0;
  JsonProgress done_;
};

/// What is stored, read and written without hooks.
struct JsonTransfer {
  template <class E>
  static Query<E> all_of(const Mapper& mapper) {
    Query<E> query = mapper.query<E>();
    query.to_row_ = [](E& entity) { return std::move(entity); };
    return query;
  }
  template <class E>
  static void save(Mapper& mapper, std::vector<E>& entities) {
    mapper.save_as_they_are(entities);
  }
};

}  // namespace detail

/// The entity as one line of JSON, without the end of the line.
template <Persisted E>
std::string to_json(const E& entity) {
  std::string id;
  Encoder out(id);
  detail::encode_id(out, typename Traits<E>::Id(detail::id_of(entity)));
  // What is const only by type: nothing is written to it.
  return detail::write_json(detail::entity_type<E>(), id, const_cast<E*>(&entity));
}

/// A new entity, as `to_json` wrote it, or a person: a property that is missing has its default value.
/// Throws `InvalidJson`.
template <Persisted E>
E from_json(std::string_view text) {
  const detail::JsonEntity json(text);
  E entity = detail::make_entity<E>(json.id<typename Traits<E>::Id>());
  json.fill(detail::entity_type<E>(), &entity);
  return entity;
}

/// Writes every entity of the class, one a line, in the order of the ids, as of one instant; with constant
/// memory, however many there are. `after_load` does not run. Returns how many. Throws what a query throws,
/// and `Error` if the stream fails.
template <Persisted E>
std::uint64_t export_json(const Mapper& mapper, std::ostream& out, const OnJsonProgress& progress = {}) {
  detail::JsonOutput lines(out, progress);
  for (const E& entity : detail::JsonTransfer::all_of<E>(mapper)) lines.write(to_json(entity));
  return lines.finish();
}

/// Creates an entity for each line, in batches, with constant memory. `before_save` does not run: each entity
/// gets what its line says. Returns how many there are. Empty lines are skipped. Throws `ImportFailed` at the
/// first line that is no entity, once all before it are saved; for entities that cannot be saved, such as
/// those whose ids are taken, once the others of their batch are; and for a stream that cannot be read.
template <Persisted E>
std::uint64_t import_json(Mapper& mapper, std::istream& in, const OnJsonProgress& progress = {}) {
  constexpr std::size_t kBatch = 128;
  detail::JsonInput lines(in, progress);
  std::vector<E> batch;
  std::vector<std::uint64_t> numbers;  // of their lines
  const auto save = [&] {
    if (batch.empty()) return;
    try {
      detail::JsonTransfer::save(mapper, batch);
    } catch (const BatchFailed& failed) {
      lines.note_saved(batch.size() - failed.failures().size());
      lines.fail(numbers[failed.failures().front().place], failed.what());
    } catch (const std::exception& error) {
      lines.fail(numbers.front(), error.what());
    }
    lines.note_saved(batch.size());
    batch.clear();
    numbers.clear();
  };
  while (const std::string* line = lines.next()) {
    try {
      batch.push_back(from_json<E>(*line));
    } catch (const InvalidJson& error) {
      const std::uint64_t number = lines.number();
      save();
      lines.fail(number, error.what());
    }
    numbers.push_back(lines.number());
    if (batch.size() == kBatch) save();
  }
  save();
  return lines.saved();
}

}  // namespace autoshard
