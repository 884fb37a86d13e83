#pragma once

#include <autoshard/codec.h>
#include <autoshard/detail/entity_type.h>
#include <autoshard/errors.h>
#include <autoshard/mapper.h>
#include <autoshard/query.h>

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

/// Entities as JSON, to be read by people, exported and imported.
///
/// An entity is an object. It has first its id as `"@id"`, a composite id as an array, and then its
/// properties by their names in the store. Sharded properties have their whole values. The order is always
/// that of the class, so equal entities give equal texts. Values have the form of MessagePack
/// (runtime/FORMAT.md) in JSON: integers with all of their 64 bits, floating-point numbers with a point or
/// exponent, maps and structs as objects. A value that JSON cannot express is an object with one key that
/// begins with `@`:
///
///   {"@hex": "00ff"}          a text that is not UTF-8, by its bytes
///   {"@real": "nan"}          also "inf", "-inf"; the kind of NaN is lost
///   {"@map": [[1, "a"], …]}   a map with keys that are not texts of UTF-8, or with one key that begins with
///   @
///
/// So every value of an entity survives an export and import, also one outside of bounds that have become
/// narrower. For the same reason they run no hooks of the class: they copy the stored values. The buckets of
/// a window are not exported: its whole value counts from the time of the import on.
namespace autoshard {

/// The text is not an entity of the class: it is not JSON, has a property that the class does not have, or a
/// value of another type. The message says what is wrong and where.
class InvalidJson : public Error {
 public:
  using Error::Error;
};

/// An import that ended early. The message names the line, the error in it, and the lines that are imported.
class ImportFailed : public Error {
 public:
  ImportFailed(const std::string& message, std::uint64_t line, std::uint64_t imported)
      : Error(message), line_(line), imported_(imported) {}

  /// Returns the number of the first line that is not imported, counted from 1.
  std::uint64_t line() const { return line_; }
  /// Returns the number of imported entities.
  std::uint64_t imported() const { return imported_; }

 private:
  std::uint64_t line_, imported_;
};

/// The progress of an export or import.
struct JsonProgress {
  std::uint64_t entities = 0;                  ///< written or saved
  std::uint64_t bytes = 0;                     ///< written or read
  std::optional<std::uint64_t> total_bytes{};  ///< to be read, if the stream tells
};
/// Called now and then, and at the end. An exception from it ends the export or import.
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
    if (bytes.size() != id.size()) in.fail("an id with another number of bytes");
    std::memcpy(id.data(), bytes.data(), bytes.size());
  } else if constexpr (kIs<Id, std::tuple>) {
    if (in.array() != std::tuple_size_v<Id>) in.fail("an id with another number of parts");
    std::apply([&](auto&... part) { (decode_id(in, part), ...); }, id);
  } else if constexpr (kIsStruct<Id>) {
    auto& [value] = id;
    decode_id(in, value);
  } else {
    decode<void>(in, id);
  }
}

/// Returns the entity as JSON. `id` is encoded as MessagePack.
std::string write_json(const EntityType& type, std::string_view id, void* entity);

/// The parsed text of an entity.
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
  /// Calls `read`; adds the name of the value to its errors.
  static void reading(std::string_view name, const std::function<void()>& read);

  std::string id_;                                               // as MessagePack
  std::vector<std::pair<std::string, std::string>> properties_;  // by their names; values as MessagePack
};

/// The lines of an export.
class JsonOutput {
 public:
  JsonOutput(std::ostream& out, const OnJsonProgress& progress) : out_(out), progress_(progress) {}
  void write(std::string line);
  /// Returns the number of lines.
  std::uint64_t finish();

 private:
  std::ostream& out_;
  const OnJsonProgress& progress_;
  JsonProgress done_;
};

/// The lines of an import and their results.
class JsonInput {
 public:
  JsonInput(std::istream& in, const OnJsonProgress& progress);

  /// Returns the next line that is not empty; null at the end.
  const std::string* next();
  /// Returns the number of that line.
  std::uint64_t number() const { return number_; }

  /// Records that `entities` more are saved, and that all lines up to the present one are done.
  void note_saved(std::size_t entities);
  /// Throws `ImportFailed`: the import ends because of that line.
  [[noreturn]] void fail(std::uint64_t line, const std::string& what) const;
  std::uint64_t saved() const { return done_.entities; }

 private:
  std::istream& in_;
  const OnJsonProgress& progress_;
  std::string line_;
  std::uint64_t number_ = 0;
  JsonProgress done_;
};

/// Reads and writes stored values without hooks.
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

/// Returns the entity as one line of JSON, without the end of the line.
template <Persisted E>
std::string to_json(const E& entity) {
  std::string id;
  Encoder out(id);
  detail::encode_id(out, typename Traits<E>::Id(detail::id_of(entity)));
  // Only the type requires a mutable entity; the call does not change it.
  return detail::write_json(detail::entity_type<E>(), id, const_cast<E*>(&entity));
}

/// Returns a new entity from a text that `to_json` or a person wrote. A missing property has its default
/// value. Throws `InvalidJson`.
template <Persisted E>
E from_json(std::string_view text) {
  const detail::JsonEntity json(text);
  E entity = detail::make_entity<E>(json.id<typename Traits<E>::Id>());
  json.fill(detail::entity_type<E>(), &entity);
  return entity;
}

/// Writes every entity of the class, one on each line, in the order of the ids, as of one instant. Memory use
/// is constant. `after_load` does not run. Returns the number of entities. Throws what a query throws, and
/// `Error` if the stream fails.
template <Persisted E>
std::uint64_t export_json(const Mapper& mapper, std::ostream& out, const OnJsonProgress& progress = {}) {
  detail::JsonOutput lines(out, progress);
  for (const E& entity : detail::JsonTransfer::all_of<E>(mapper)) lines.write(to_json(entity));
  return lines.finish();
}

/// Creates an entity for each line, in batches. Memory use is constant. `before_save` does not run: each
/// entity gets the values of its line. Empty lines are skipped. Returns the number of entities. Throws
/// `ImportFailed` in these cases: at the first line that is not an entity, after all earlier lines are saved;
/// for entities that cannot be saved, for instance because an id is taken, after the others of their batch
/// are saved; and for a stream that cannot be read.
template <Persisted E>
std::uint64_t import_json(Mapper& mapper, std::istream& in, const OnJsonProgress& progress = {}) {
  constexpr std::size_t kBatch = 128;
  detail::JsonInput lines(in, progress);
  std::vector<E> batch;
  std::vector<std::uint64_t> numbers;  // the line numbers of the batch
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
