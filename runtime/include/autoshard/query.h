#pragma once

#include <autoshard/detail/condition.h>
#include <autoshard/detail/entity_type.h>
#include <autoshard/detail/hooks.h>
#include <autoshard/detail/query_run.h>
#include <autoshard/generated.h>
#include <autoshard/mapper.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace autoshard {

/// The properties of E, including the sharded ones, as queries name them: `using q = Fields<Question>;`, then
/// `q::votes`.
template <class E>
using Fields = typename Traits<E>::Fields;

/// A condition on entities of E: a comparison of a field, or several combined with `&&`, `||` and `!`.
template <class E>
class Condition {
 public:
  /// Every entity fulfils it.
  Condition() = default;
  explicit Condition(detail::Clause clause) : clause_(std::move(clause)) {}

  const detail::Clause& clause() const { return clause_; }

  friend Condition operator&&(const Condition& one, const Condition& other) {
    return Condition(detail::both(one.clause_, other.clause_));
  }
  friend Condition operator||(const Condition& one, const Condition& other) {
    return Condition(detail::either(one.clause_, other.clause_));
  }
  friend Condition operator!(const Condition& one) { return Condition(detail::negated(one.clause_)); }

 private:
  detail::Clause clause_;
};

/// A sort order of entities of E: `q::votes.desc()`, `q::author.asc()`.
template <class E>
class Order {
 public:
  explicit Order(detail::SortKey key) : key_(std::move(key)) {}
  const detail::SortKey& key() const { return key_; }

 private:
  detail::SortKey key_;
};

/// The operators compare the value of the field; a sharded field is folded first. `value` may be another
/// field of the same entity. Integers of different types compare by value. An empty `optional` or pointer is
/// less than any value: `q::rank < 5` holds for an entity without a rank. A struct of one member compares by
/// that member.
template <class E, class T, class V>
detail::OfQueryHeader<Condition<E>> operator==(const Field<E, T>& field, const V& value) {
  return Condition<E>(detail::compare<detail::Comparison::kEqual>(field, value));
}
template <class E, class T, class V>
detail::OfQueryHeader<Condition<E>> operator!=(const Field<E, T>& field, const V& value) {
  return !(field == value);
}
template <class E, class T, class V>
detail::OfQueryHeader<Condition<E>> operator<(const Field<E, T>& field, const V& value) {
  return Condition<E>(detail::compare<detail::Comparison::kLess>(field, value));
}
template <class E, class T, class V>
detail::OfQueryHeader<Condition<E>> operator<=(const Field<E, T>& field, const V& value) {
  return Condition<E>(detail::compare<detail::Comparison::kAtMost>(field, value));
}
template <class E, class T, class V>
detail::OfQueryHeader<Condition<E>> operator>(const Field<E, T>& field, const V& value) {
  return Condition<E>(detail::compare<detail::Comparison::kGreater>(field, value));
}
template <class E, class T, class V>
detail::OfQueryHeader<Condition<E>> operator>=(const Field<E, T>& field, const V& value) {
  return Condition<E>(detail::compare<detail::Comparison::kAtLeast>(field, value));
}

template <class E, class T>
template <class V, class Of>
detail::OfQueryHeader<Of> Field<E, T>::in(std::initializer_list<V> values) const {
  return in(std::vector<V>(values));
}
template <class E, class T>
template <class V, class Of>
detail::OfQueryHeader<Of> Field<E, T>::in(const std::vector<V>& values) const {
  return Condition<E>(detail::one_of(*this, values));
}
template <class E, class T>
template <class V, class W, class Of>
detail::OfQueryHeader<Of> Field<E, T>::between(const V& least, const W& most) const {
  return *this >= least && *this <= most;
}
template <class E, class T>
template <class Of>
detail::OfQueryHeader<Of> Field<E, T>::starts_with(std::string_view prefix) const {
  return Condition<E>(detail::has_prefix(*this, prefix));
}
template <class E, class T>
template <class V, class Of>
detail::OfQueryHeader<Of> Field<E, T>::contains(const V& value) const {
  return Condition<E>(detail::has_element(*this, value));
}
template <class E, class T>
template <class Of>
detail::OfQueryHeader<Of> Field<E, T>::asc() const {
  return Order<E>(detail::sort_key(*this, false));
}
template <class E, class T>
template <class Of>
detail::OfQueryHeader<Of> Field<E, T>::desc() const {
  return Order<E>(detail::sort_key(*this, true));
}

/// Some of the rows of a query, and the continuation of the query.
template <class Row>
struct Page {
  std::vector<Row> rows;
  std::string cursor;  ///< for `Query::after`; empty at the end of the query
};

/// A query of the store. It runs when it is iterated over, and when `page`, `count`, `erase` or `explain` is
/// called:
///
///   using q = Fields<Question>;
///   for (const Question& question :
///        mapper.query<Question>(q::votes > 50).order_by(q::votes.desc()).limit(20))
///
/// Each run reads one snapshot of the store: no entity is missed or seen twice, and all rows are as of one
/// instant. `order_by` sets the order of the rows. Without it, rows come in the order of the ids, or of the
/// index that `explain` names; that order stays the same from page to page.
///
/// The iteration reads rows one at a time, however many there are. The exception is a query that finds rows
/// in another order than that of `order_by`, as `explain` tells. It keeps in memory the sort fields and the
/// ids of all matching rows, or of as many as `limit` allows.
///
/// A query uses an index if conditions that all have to hold compare the first members of the index with
/// values, ranges or prefixes, or if the rows are sorted by those members. A query finds the same entities
/// with and without an index. The index of a sharded member shows entities at a former place. So the query
/// also reads, in the same snapshot, all entities that were updated since. It does not use such an index
/// without a condition on the member or a limit.
///
/// A query is a value and may be copied freely. Neither the query nor its iterators may outlive the mapper.
/// Its entities are like loaded ones: they can be saved. `after_load` has run on them; it runs after the
/// condition and the order were evaluated, and does not run for selected fields. Throws what `Mapper::load`
/// throws.
template <Persisted E, class Row>
class Query {
 public:
  Query(detail::MapperCore& core, const Condition<E>& condition)
      : core_(&core),
        spec_{.type = &detail::entity_type<E>(), .clause = condition.clause()},
        to_row_([](E& entity) {
          detail::after_load(entity);
          return std::move(entity);
        }) {}

  /// Sorts by the first order; entities that are equal in it by the next one, and finally by their ids.
  template <class... Orders>
  Query order_by(const Orders&... orders) const {
    Query query = *this;
    (query.spec_.order.push_back(sort_key(orders)), ...);
    return query;
  }

  /// Limits the number of rows.
  Query limit(std::uint64_t rows) const {
    Query query = *this;
    query.spec_.limit = rows;
    return query;
  }

  /// Continues after a page of the same query; an empty cursor begins anew. The continuation reads a later
  /// snapshot: an entity whose place has changed meanwhile may come twice or not at all. `InvalidCursor` if
  /// the cursor belongs to another query or to an index that is gone; thrown when rows are read.
  Query after(std::string_view cursor) const {
    Query query = *this;
    query.spec_.after = cursor;
    return query;
  }

  /// Returns tuples of these fields instead of entities. No other field is decoded.
  template <class... T>
  Query<E, std::tuple<T...>> select(const Field<E, T>&... fields) const {
    static_assert(std::is_same_v<Row, E>, "select must be called only once");
    static_assert((std::is_copy_constructible_v<T> && ...),
                  "a field that cannot be copied cannot be selected");
    Query<E, std::tuple<T...>> query(
        *core_, spec_, [fields...](E& entity) { return std::tuple<T...>(entity.*fields.member...); });
    query.spec_.selected = std::vector<std::string_view>{fields.name...};
    return query;
  }

  class Iterator;
  Iterator begin() const { return Iterator(*this); }
  std::default_sentinel_t end() const { return {}; }

  /// Returns all rows up to the limit, and the cursor after the last row.
  Page<Row> page() const {
    Page<Row> page;
    Iterator row(*this);
    for (; row != std::default_sentinel; ++row) page.rows.push_back(std::move(*row));
    page.cursor = row.cursor();
    return page;
  }

  /// Returns the number of rows up to the limit.
  std::uint64_t count() const {
    std::uint64_t rows = 0;
    for_each_row([&](detail::QueryRun&) { ++rows; });
    return rows;
  }

  /// Erases the entities of the rows, each in a commit of its own, and returns the number of erased entities.
  /// An entity that is saved meanwhile stays; an update of its sharded properties does not keep it.
  std::uint64_t erase() const {
    std::uint64_t erased = 0;
    for_each_row([&](detail::QueryRun& run) { erased += run.erase() ? 1 : 0; });
    return erased;
  }

  /// Returns a description for people of how the query will be answered.
  std::string explain() const { return detail::explain(*core_, spec_); }

 private:
  template <Persisted, class>
  friend class Query;
  template <Persisted>
  friend class Range;
  friend struct detail::JsonTransfer;

  using ToRow = std::function<Row(E&)>;

  Query(detail::MapperCore& core, detail::QuerySpec spec, ToRow to_row)
      : core_(&core), spec_(std::move(spec)), to_row_(std::move(to_row)) {}

  /// Reads the next row's entity; returns false at the end.
  static bool read_next(detail::QueryRun& run, std::optional<E>& entity) {
    return run.next([&](detail::EntityKeyView key) {
      entity.emplace(detail::make_entity<E>(detail::read_id<typename Traits<E>::Id>(key)));
      return detail::Candidate{&*entity, &Traits<E>::state(*entity).version};
    });
  }

  /// Reads only the fields that decide which rows there are.
  template <class Action>
  void for_each_row(Action action) const {
    detail::QuerySpec spec = spec_;
    spec.selected.emplace();
    const std::unique_ptr<detail::QueryRun> run = detail::run(*core_, spec);
    for (std::optional<E> entity; read_next(*run, entity);) action(*run);
  }

  static const detail::SortKey& sort_key(const Order<E>& order) { return order.key(); }
  template <class T>
  static detail::SortKey sort_key(const Field<E, T>& field) {
    return field.asc().key();
  }

  detail::MapperCore* core_;
  detail::QuerySpec spec_;
  ToRow to_row_;
};

template <Persisted E, class Row>
class Query<E, Row>::Iterator {
 public:
  using iterator_category = std::input_iterator_tag;
  using value_type = Row;
  using difference_type = std::ptrdiff_t;
  using pointer = Row*;
  using reference = Row&;

  explicit Iterator(const Query& query)
      : run_(detail::run(*query.core_, query.spec_)), to_row_(query.to_row_) {
    ++*this;
  }

  Row& operator*() { return *row_; }
  Row* operator->() { return &*row_; }
  Iterator& operator++() {
    row_.reset();
    if (std::optional<E> entity; read_next(*run_, entity)) row_.emplace(to_row_(*entity));
    return *this;
  }
  void operator++(int) { ++*this; }

  friend bool operator==(const Iterator& iterator, std::default_sentinel_t) { return !iterator.row_; }

  /// Returns the cursor after the last row that was read, for `Query::after`; empty at the end of the query.
  std::string cursor() const { return run_->cursor(); }

 private:
  std::shared_ptr<detail::QueryRun> run_;
  ToRow to_row_;
  std::optional<Row> row_;
};

template <Persisted E>
detail::OfQueryHeader<Query<E>> Mapper::query(const Condition<E>& condition) const {
  return Query<E>(*core_, condition);
}

}  // namespace autoshard
