#pragma once

#include <autoshard/elements.h>

#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "actor.h"
#include "use_of_entities.h"

namespace autoshard::simulation {

/// An actor that uses one class of entities.
template <class E>
class Client final : public Actor {
 public:
  using Actor::Actor;

  void run(const std::vector<Operation>& operations) override;

 private:
  void write(int entity) override;
  void run(const Operation& operation);
  void update(const Operation& operation);
  void update(const Operation& operation, Number effect);
  void repeat();
  void commit_update(const Operation& operation);
  void update_async(const Operation& operation);
  void load(const Operation& operation);
  void load_cached(const Operation& operation);
  void query(const Operation& operation);
  void save(const Operation& operation);
  void create(const Operation& operation);
  void erase(const Operation& operation);
  void transact(const Operation& operation);
  void change_element(const Operation& operation);
  void find_element(const Operation& operation);
  void erase_element(const Operation& operation, const ElementId& element);
  void replace_element(const Operation& operation, const ElementId& element);
  void set_shards(const Operation& operation);
  void ask_for_hot_spots(const Operation& operation);
  void export_all(const Operation& operation);
  void import_one(const Operation& operation);
  bool import_as_exported(const Operation& operation, int id, const std::string& text);
  History::Outcome outcome_of_update(const std::string& told, const Operation& operation, int entity,
                                     Number update);
  void run_on(EntityTransaction& transaction, const Operation& operation, int entity,
              const std::vector<Number>& effects, std::vector<Number>& done);

  E make(int entity, const Operation& operation) {
    return Use<E>::make(entity, operation, scheduler_.system_time());
  }
  void note_end(Number created, const E& entity) {
    if constexpr (detail::kMayExpire<E>) {
      if (entity.ends()) history_.set_ends(created, entity.ends()->time_since_epoch());
    }
  }
  void check(const E& entity, History::Step begin, History::Step others);

  std::optional<E> held_;
  std::optional<History::Step> loaded_;  // when the load of `held_` began, unless it was saved or made since
  struct Flying {
    Completion completion;
    Number effect;
    const Operation* operation;
    History::Step begin;
  };
  std::vector<Flying> flying_;
  struct Named {
    Number effect;
    const Operation* operation;
  };
  std::optional<Named> last_with_token_;
  std::map<std::tuple<int, std::uint32_t, OperationId>, ElementId> elements_;  // by entities, parts and keys
};

}  // namespace autoshard::simulation
