#pragma once

#include <autoshard/generated.h>

#include <string>
#include <utility>

/// An entity as the generator makes them of a class without sharded properties.
namespace shop {

class Note {
 public:
  explicit Note(long number) : number_(number) {}

  void set_text(std::string text) { text_ = std::move(text); }
  const std::string& text() const { return text_; }

 private:
  friend struct ::autoshard::Traits<Note>;
  explicit Note(::autoshard::Loading) : number_() {}

  long number_;
  std::string text_;
  ::autoshard::State<> autoshard_;
};

}  // namespace shop

template <>
struct autoshard::Traits<shop::Note> {
  using Entity = shop::Note;
  using Shard = NoShard;
  using Id = long;

  static constexpr std::string_view kKind = "Note";
  static constexpr auto kId = &Entity::number_;

  static constexpr auto properties() { return std::tuple{Property{"text", &Entity::text_}}; }
  static constexpr auto sharded_properties() { return std::tuple{}; }

  struct Fields {
    static constexpr auto number = field<Entity>("number", &Entity::number_);
    static constexpr auto text = field<Entity>("text", &Entity::text_);
  };

  static Entity make() { return Entity(Loading{}); }
  static State<Shard>& state(Entity& entity) { return entity.autoshard_; }

  template <auto kMethod, class... Args>
  static void run(Shard&, Args&&...) {
    static_assert(kNotAShardMethod<kMethod>, "this is no [[autoshard::shard_method]] of shop::Note");
  }
};
