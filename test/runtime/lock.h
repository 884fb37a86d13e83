#pragma once

#include <autoshard/codec.h>
#include <autoshard/generated.h>

#include <chrono>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>

/// Entities as the generator makes them of two releases of a class. The old release has no member that says
/// when an entity expires. Both have an index, and a member whose codec may throw.
namespace locks {

using Time = std::chrono::system_clock::time_point;

struct Note {
  std::string text;
};

inline const Note kUnwritable{"unwritable"};

inline constexpr long kMostUses = 1'000'000;
inline constexpr long kFirstUses = 600'000;  ///< of one that is made without saying; twice are too many

template <bool kOld>
class BasicLock {
 public:
  explicit BasicLock(int number, std::string by = "", std::optional<Time> end = {}, long uses = 0)
      : owner(std::move(by)), until(end), number_(number), uses_(uses) {}

  int number() const { return number_; }
  long uses() const { return uses_; }
  void use(long times) {
    autoshard_.pending.use(times);
    uses_ += times;
  }

  std::string owner;
  std::optional<Time> until;
  Note note;

  struct Shard {
    long uses_ = 0;

    void use(long times) { uses_ += times; }

    static long fold_uses(long x, const long& y) {
      if (x + y > kMostUses) throw std::out_of_range("used too often");
      return x + y;
    }
  };

 private:
  friend struct ::autoshard::Traits<BasicLock>;
  explicit BasicLock(::autoshard::Loading) {}

  int number_ = 0;
  long uses_ = kFirstUses;
  ::autoshard::State<Shard> autoshard_;
};

using Lock = BasicLock<false>;
using OldLock = BasicLock<true>;

/// What the two releases do not have in common.
template <bool kOld>
struct Expiry {
  static constexpr auto kExpires = &BasicLock<kOld>::until;
  static constexpr auto properties() {
    return std::tuple{::autoshard::Property{"until", &BasicLock<kOld>::until}};
  }
};
template <>
struct Expiry<true> {
  static constexpr auto properties() { return std::tuple{}; }
};

}  // namespace locks

template <>
struct autoshard::Codec<locks::Note> {
  static void encode(Encoder& out, const locks::Note& note) {
    if (note.text == locks::kUnwritable.text) throw std::domain_error("this note cannot be written");
    out.text(note.text);
  }
  static void decode(Decoder& in, locks::Note& note) { note.text = in.text(); }
};

template <bool kOld>
struct autoshard::Traits<locks::BasicLock<kOld>> : locks::Expiry<kOld> {
  using Entity = locks::BasicLock<kOld>;
  using Shard = typename Entity::Shard;
  using Id = int;

  static constexpr std::string_view kKind = "Lock";
  static constexpr auto kId = &Entity::number_;

  static constexpr auto properties() {
    return std::tuple_cat(locks::Expiry<kOld>::properties(),
                          std::tuple{Property{"owner", &Entity::owner}, Property{"note", &Entity::note}});
  }
  static constexpr auto sharded_properties() {
    return std::tuple{ShardedProperty{"uses", 3, &Entity::uses_, &Shard::uses_, &Shard::fold_uses}};
  }
  static constexpr auto indexes() { return std::tuple{index("owner", Property{"owner", &Entity::owner})}; }

  struct Fields {
    static constexpr auto owner = field<Entity>("owner", &Entity::owner);
  };

  static Entity make() { return Entity(Loading{}); }
  static State<Shard>& state(Entity& entity) { return entity.autoshard_; }

  template <auto kMethod, class... Args>
  static void run(Shard& shard, Args&&... args) {
    static_assert(kSameMethod<kMethod, &Entity::use>,
                  "this is no [[autoshard::shard_method]] of locks::BasicLock");
    shard.use(std::forward<Args>(args)...);
  }
};
