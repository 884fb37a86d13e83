#pragma once

/// The types of properties and parameters, as plain values.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace autoshard::tool {

enum class TypeKind {
  kUnsupported,
  kBool,
  kInteger,
  kFloating,
  kEnum,
  kString,
  kOptional,
  kUniquePtr,
  kVector,
  kDeque,
  kList,
  kArray,
  kMap,
  kUnorderedMap,
  kSet,
  kUnorderedSet,
  kPair,
  kTuple,
  kVariant,
  kBitset,
  kMonostate,
  kRef,
  kTimePoint,
  kDuration,
  kStruct,
  kCoded,  ///< the user has a codec for it
};

/// One kind of type: the facts that need no code of their own.
struct TypeKindSpec {
  /// Which arguments of the template are the types of what a value holds.
  enum class Holds { kNothing, kFirst, kSecond, kBoth, kAll };

  TypeKind kind;
  std::string_view name;              ///< in the dumped model
  std::string_view class_template{};  ///< `std::vector`: values of the kind are specialisations of it
  Holds holds = Holds::kNothing;
  bool is_initialised = false;  ///< its default constructor leaves no garbage
};

/// Every kind, in the order of TypeKind.
std::span<const TypeKindSpec> type_kinds();

inline const TypeKindSpec& spec_of(TypeKind kind) { return type_kinds()[static_cast<std::size_t>(kind)]; }

/// The kind of the specialisations of a class template; null where a record cannot hold them.
const TypeKindSpec* find_type_kind(std::string_view class_template);

struct Type;

/// A member of a struct that occurs among the properties.
struct Field {
  std::string name;
  std::string stored_name;
  std::vector<Type> type;  ///< exactly one; a vector because Type is incomplete here
};

struct Type {
  TypeKind kind = TypeKind::kUnsupported;
  std::string qualified;                 ///< spelled so that it is found from the global namespace
  std::string global;                    ///< the same, also from inside of namespaces: `::a::Id<::b::Tag>`
  std::string canonical;                 ///< the same for every alias of one type: only to compare by
  std::string unsupported_reason;        ///< why, and what to do, where `kind` is kUnsupported (at any depth)
  std::vector<Type> arguments;           ///< of a container: its element types; of a duration: its count's
  std::vector<Field> fields;             ///< of a struct
  std::vector<std::string> enumerators;  ///< of an enum, each found from the global namespace
  bool trivially_copyable = false;
  bool copyable = true;            ///< with all that it holds
  bool embedded = false;           ///< a class marked so, whose members need not be public
  bool promotes_to_int = false;    ///< arithmetic on two of them makes an int
  bool is_signed = false;          ///< an integer that can be negative
  std::uint32_t bits = 0;          ///< of an integer
  bool is_byte = false;            ///< unsigned char or std::byte
  bool is_system_time = false;     ///< a time point of std::chrono::system_clock
  bool compares_as_usual = false;  ///< of a set or map: no function of the user compares its keys
  bool is_private = false;         ///< `qualified` holds a name that only some class may use

  friend bool operator==(const Type& one, const Type& other) { return one.canonical == other.canonical; }
};

/// Whether its elements keep the order in which they were added.
inline bool is_sequence(const Type& type) {
  return type.kind == TypeKind::kVector || type.kind == TypeKind::kDeque || type.kind == TypeKind::kList;
}

inline bool is_map(const Type& type) {
  return type.kind == TypeKind::kMap || type.kind == TypeKind::kUnorderedMap;
}

/// Whether it is a set or a map.
inline bool has_keys(const Type& type) {
  return is_map(type) || type.kind == TypeKind::kSet || type.kind == TypeKind::kUnorderedSet;
}

/// Every type that occurs in `roots`, at any depth, once, inner ones first.
std::vector<const Type*> types_in(const std::vector<const Type*>& roots);

}  // namespace autoshard::tool
