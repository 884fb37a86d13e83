/// Elements of a map that a client names by their ids.
#include <autoshard/elements.h>
#include <autoshard/errors.h>

#include "client.h"

namespace autoshard::simulation {

/// A client lists elements once, and keeps their ids.
template <class E>
void Client<E>::change_element(const Operation& operation) {
  const std::pair named(operation.entity, operation.id % kKeys);
  if (!elements_.contains(named)) find_element(operation);
  const auto found = elements_.find(named);
  if (found == elements_.end()) return;
  operation.kind == Operation::kEraseElement ? erase_element(operation, found->second)
                                             : replace_element(operation, found->second);
}

template <class E>
void Client<E>::find_element(const Operation& operation) {
  if constexpr (Use<E>::kWorld == World::kAlbums) {
    attempt(operation, {}, [&] {
      for (const auto& [id, entry] : mapper_.elements(operation.entity, Fields<E>::labels))
        elements_[{operation.entity, entry.first}] = id;
    });
  }
}

template <class E>
void Client<E>::erase_element(const Operation& operation, const ElementId& element) {
  if constexpr (Use<E>::kWorld == World::kAlbums) {
    const Number erased = history_.begin(History::kEraseElement, operation, operation.entity);
    const History::Step begin = history_.now();
    try {
      if (mapper_.erase_element(operation.entity, Fields<E>::labels, element)) {
        history_.check_present(operation.id, operation.entity, begin);
        return history_.end(erased, History::kDone);
      }
    } catch (...) {
      return history_.end(erased, judge(operation, begin, std::current_exception()));
    }
    history_.end(erased, History::kFailed);
    history_.check_no_element(operation.id, operation.entity, begin);
  }
}

/// The new entry is that of an update.
template <class E>
void Client<E>::replace_element(const Operation& operation, const ElementId& element) {
  if constexpr (Use<E>::kWorld == World::kAlbums) {
    Operation put = operation;
    put.parts = rules_.elements;
    const Number effect = history_.begin(History::kUpdate, put, operation.entity);
    const History::Step begin = history_.now();
    try {
      mapper_.replace_element(operation.entity, Fields<E>::labels, element,
                              {operation.id % kKeys, operation.id});
    } catch (const NotFound&) {
      history_.end(effect, History::kFailed);
      return history_.check_no_element(operation.id, operation.entity, begin);
    } catch (...) {
      return settle(effect, operation, begin, std::current_exception());
    }
    settle(effect, operation, begin, nullptr);
  }
}

template void Client<Ledger>::change_element(const Operation&);
template void Client<Album<1>>::change_element(const Operation&);
template void Client<Album<2>>::change_element(const Operation&);
template void Client<Permit<1>>::change_element(const Operation&);
template void Client<Permit<2>>::change_element(const Operation&);

}  // namespace autoshard::simulation
