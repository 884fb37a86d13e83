/// Elements of a map that a client names by their ids.
#include <autoshard/elements.h>
#include <autoshard/errors.h>

#include "client.h"

namespace autoshard::simulation {

/// Calls `run` with the field of a map whose entries are elements.
template <class E, class Run>
void with_elements(const Operation& operation, const Run& run) {
  if constexpr (Use<E>::kWorld == World::kAlbums) {
    if (operation.parts == kTag) return run(Fields<E>::labels);
    if constexpr (E::kIsNew) return run(Fields<E>::marks);
  }
}

/// A client lists elements once, and keeps their ids.
template <class E>
void Client<E>::change_element(const Operation& operation) {
  const std::tuple named(operation.entity, operation.parts, operation.id % kKeys);
  if (!elements_.contains(named)) find_element(operation);
  const auto found = elements_.find(named);
  if (found == elements_.end()) return;
  operation.kind == Operation::kEraseElement ? erase_element(operation, found->second)
                                             : replace_element(operation, found->second);
}

template <class E>
void Client<E>::find_element(const Operation& operation) {
  with_elements<E>(operation, [&](const auto& field) {
    attempt(operation, {}, [&] {
      for (const auto& [id, entry] : mapper_.elements(operation.entity, field))
        elements_[{operation.entity, operation.parts, entry.first}] = id;
    });
  });
}

template <class E>
void Client<E>::erase_element(const Operation& operation, const ElementId& element) {
  with_elements<E>(operation, [&](const auto& field) {
    const Number erased = history_.begin(History::kEraseElement, operation, operation.entity);
    const History::Step begin = history_.now();
    try {
      if (mapper_.erase_element(operation.entity, field, element)) {
        history_.check_present(operation.id, operation.entity, begin);
        return history_.end(erased, History::kDone);
      }
    } catch (...) {
      return history_.end(erased, judge(operation, begin, std::current_exception()));
    }
    history_.end(erased, History::kFailed);
    history_.check_no_element(operation, begin);
  });
}

/// The new entry is that of an update.
template <class E>
void Client<E>::replace_element(const Operation& operation, const ElementId& element) {
  with_elements<E>(operation, [&](const auto& field) {
    const Number effect = history_.begin(History::kUpdate, operation, operation.entity);
    const History::Step begin = history_.now();
    try {
      mapper_.replace_element(operation.entity, field, element, {operation.id % kKeys, operation.id});
    } catch (const NotFound&) {
      history_.end(effect, History::kFailed);
      return history_.check_no_element(operation, begin);
    } catch (...) {
      return settle(effect, operation, begin, std::current_exception());
    }
    settle(effect, operation, begin, nullptr);
  });
}

template void Client<Ledger>::change_element(const Operation&);
template void Client<Album<1>>::change_element(const Operation&);
template void Client<Album<2>>::change_element(const Operation&);
template void Client<Permit<1>>::change_element(const Operation&);
template void Client<Permit<2>>::change_element(const Operation&);

}  // namespace autoshard::simulation
