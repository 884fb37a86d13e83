#pragma once

#include <autoshard/detail/condition.h>
#include <autoshard/detail/entity_type.h>
#include <autoshard/detail/hooks.h>
#include <autoshard/detail/query_run.h>
#include <autoshard/generated.h>

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

/// The properties of E, sharded ones too, as queries name them: `using q = Fields<Question>;`, then
/// `q::votes`.
template <class E>
using Fields = typename Traits<E>::Fields;

/// What entities of E are to fulfil: a comparison of a field, or several, combined with `&&`, `||` and `!`.
template <class E>
class Condition {
 public:
  /// Every entity does.
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

/// By what entities of E are sorted: `q::votes.desc()`, `q::author.asc()`.
template <class E>
class Order {
 public:
  explicit Order(detail::SortKey key) : key_(std::move(key)) {}
  const detail::SortKey& key() const { return key_; }

 private:
  detail::SortKey key_;
};

/// Each compares with the value of the field, sharded ones folded; `value` may be another field of the same
/// entity. Integers of different types compare by value. Nothing, of an `optional` or pointer, is less than
/// any value: `q::rank < 5` holds without a rank. A struct of one member compares by that member.
template <class E, class T, class V>
Condition<E> operator==(const Field<E, T>& field, const V& value) {
  return Condition<E>(detail::compare<detail::Comparison::kEqual>(field, value));
}
template <class E, class T, class V>
Condition<E> operator!=(const Field<E, T>& field, const V& value) {
  return !(field == value);
}
template <class E, class T, class V>
Condition<E> operator<(const Field<E, T>& field, const V& value) {
  return Condition<E>(detail::compare<detail::Comparison::kLess>(field, value));
}
template <class E, class T, class V>
Condition<E> operator<=(const Field<E, T>& field, const V& value) {
  return Condition<E>(detail::compare<detail::Comparison::kAtMost>(field, value));
}
template <class E, class T, class V>
Condition<E> operator>(const Field<E, T>& field, const V& value) {
  return Condition<E>(detail::compare<detail::Comparison::kGreater>(field, value));
}
template <class E, class T, class V>
Condition<E> operator>=(const Field<E, T>& field, const V& value) {
  return Condition<E>(detail::compare<detail::Comparison::kAtLeast>(field, value));
}

template <class E, class T>
template <class V>
Condition<E> Field<E, T>::in(std::initializer_list<V> values) const {
  return in(std::vector<V>(values));
}
template <class E, class T>
template <class V>
Condition<E> Field<E, T>::in(const std::vector<V>& values) const {
  return Condition<E>(detail::one_of(*this, values));
}
template <class E, class T>
template <class V, class W>
Condition<E> Field<E, T>::between(const V& least, const W& most) const {
  return *this >= least && *this <= most;
}
template <class E, class T>
Condition<E> Field<E, T>::starts_with(std::string_view prefix) const {
  return Condition<E>(detail::has_prefix(*this, prefix));
}
template <class E, class T>
template <class V>
Condition<E> Field<E, T>::contains(const V& value) const {
  return Condition<E>(detail::has_element(*this, value));
}
template <class E, class T>
Order<E> Field<E, T>::asc() const {
  return Order<E>(detail::sort_key(*this, false));
}
template <class E, class T>
Order<E> Field<E, T>::desc() const {
  return Order<E>(detail::sort_key(*this, true));
}

/// Some of the rows that a query gives, and where to go on.
template <class Row>
struct Page {
  std::vector<Row> rows;
  std::string cursor;  ///< for `Query::after`; empty where the query came to its end
};

/// A question to the store, asked when it is iterated over, or when one of the last four functions is called:
///
///   using q = Fields<Question>;
///   for (const Question& question : mapper.query<Question>(q::votes >
///   50).order_by(q::votes.desc()).limit(20))
///
/// Each time it is answered from one snapshot of the store: no entity is missed or seen twice, and all that
/// is seen is of one instant. Rows come as `order_by` says; without it as they are found, which is the order
/// of the ids, or of the index that `explain` names, and stays the same from page to page. They are read as
/// the iteration gets to them, however many there are, unless they are found in another order than that of
/// `order_by`, as `explain` tells: then the fields to sort by and the ids of those that matched are kept in
/// memory, or of as many as `limit` asks for.
///
/// Indexes are used where conditions that all have to hold compare their first members with values, ranges
/// or beginnings, or where rows are sorted by them. The same entities are found with an index and without.
/// That of a sharded member says where entities stood a while ago: besides what its order gives, all that
/// were updated since are read, in the same snapshot. Without a condition on the member or a limit, it is not
/// used.
///
/// A value, to be copied freely. Neither it nor its iterators may outlive the mapper. The entities that it
/// gives are as loaded ones: they can be saved. `after_load` has run on them, but not before the condition
/// and the order were looked at, nor for fields alone. Throws what `Mapper::load` throws.
template <Persisted E, class Row = E>
class Query {
 public:
  Query(detail::MapperCore& core, const Condition<E>& condition)
      : core_(&core),
        spec_{.type = &detail::entity_type<E>(), .clause = condition.clause()},
        to_row_([](E& entity) {
          detail::after_load(entity);
          return std::move(entity);
        }) {}

  /// By the first, those that are equal in it by the next, and at last by their ids.
  template <class... Orders>
  Query order_by(const Orders&... orders) const {
    Query query = *this;
    (query.spec_.order.push_back(sort_key(orders)), ...);
    return query;
  }

  /// Not more rows than that.
  Query limit(std::uint64_t rows) const {
    Query query = *this;
    query.spec_.limit = rows;
    return query;
  }

  /// Goes on behind a page of the same query; an empty cursor begins anew. In a later snapshot: an entity
  /// that has changed its place meanwhile may come twice or not at all. `InvalidCursor` if it is another
  /// query's, or of an index that is gone, when rows are asked for.
  Query after(std::string_view cursor) const {
    Query query = *this;
    query.spec_.after = cursor;
    return query;
  }

  /// Only these fields, as tuples: nothing else is decoded.
  template <class... T>
  Query<E, std::tuple<T...>> select(const Field<E, T>&... fields) const {
    static_assert(std::is_same_v<Row, E>, "select is called once");
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

  /// All the rows, up to the limit, and the cursor behind the last of them.
  Page<Row> page() const {
    Page<Row> page;
    Iterator row(*this);
    for (; row != std::default_sentinel; ++row) page.rows.push_back(std::move(*row));
    page.cursor = row.cursor();
    return page;
  }

  /// How many rows there are, up to the limit.
  std::uint64_t count() const {
    std::uint64_t rows = 0;
    for_each_row([&](detail::QueryRun&) { ++rows; });
    return rows;
  }

  /// Erases the entities that the rows are of, those excepted that are saved meanwhile; updates of sharded
  /// properties do not keep them. Each in a commit of its own. Returns how many are gone.
  std::uint64_t erase() const {
    std::uint64_t erased = 0;
    for_each_row([&](detail::QueryRun& run) { erased += run.erase() ? 1 : 0; });
    return erased;
  }

  /// How the query will be answered, for a person to read.
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

  /// Reads the next row's entity; false at the end.
  static bool read_next(detail::QueryRun& run, std::optional<E>& entity) {
    return run.next([&](std::string_view key) {
      entity.emplace(detail::make_entity<E>(detail::read_id<typename Traits<E>::Id>(key)));
      return detail::Candidate{&*entity, &Traits<E>::state(*entity).version};
    });
  }

  /// Reads no more than what decides which rows there are.
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

  /// Behind the row that was given last, for `Query::after`; empty where the query came to its end.
  std::string cursor() const { return run_->cursor(); }

 private:
  std::shared_ptr<detail::QueryRun> run_;
  ToRow to_row_;
  std::optional<Row> row_;
};

}  // namespace autoshard
