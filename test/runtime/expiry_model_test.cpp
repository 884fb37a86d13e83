// Random calls on entities that expire, by two releases of their class, against a model: the clock moves
// while a call runs, members cannot be written, and reads fail in the middle of a transaction that goes on.

#include <autoshard/autoshard.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <random>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include "entities/versions/lock/lock.autoshard.h"
#include "entities/versions/lock/old.autoshard.h"
#include "keys.h"
#include "main_record.h"
#include "support/faulty_store.h"
#include "support/index_fixture.h"
#include "support/test_store.h"

namespace autoshard::test {
namespace {

using namespace std::chrono_literals;
using locks::Lock;
using locks::OldLock;
using locks::Time;

constexpr int kNumbers = 3;

struct Stored {
  std::string owner;
  std::optional<Time> until;
  long uses = 0;
};

using Model = std::map<int, Stored>;

enum class Action { kLoad, kExists, kCreate, kChange, kSpoil, kUse, kErase };

struct Step {
  Action action;
  int number;
  std::string owner;
  std::optional<Time> until;
  long uses;
  bool fails;  ///< a read of it does
};

/// The result of a step in the model, at an instant. `is_old`: by the release that does not know of expiry.
/// `ended`: the ids that a transaction cannot use for new entities, because one of them has ended in it.
std::string step_of_model(Model& model, std::set<int>& ended, const Step& step, Time now, bool is_old) {
  const auto found = model.find(step.number);
  const bool is_there =
      found != model.end() && (is_old || !found->second.until || *found->second.until > now);
  const bool ends_at_once = !is_old && step.until && *step.until <= now;
  switch (step.action) {
    case Action::kLoad:
      return is_there ? found->second.owner + ' ' + std::to_string(found->second.uses) : "none";
    case Action::kExists:
      return is_there ? "there" : "none";
    case Action::kCreate:
      if (is_there || ended.contains(step.number)) return "failed";
      model[step.number] = {step.owner, is_old ? std::nullopt : step.until, step.uses};
      if (ends_at_once) ended.insert(step.number);
      return "done";
    case Action::kChange:
      if (!is_there) return "none";
      found->second.owner = step.owner;
      if (!is_old) found->second.until = step.until;
      found->second.uses += step.uses;
      if (ends_at_once) ended.insert(step.number);
      return "done";
    case Action::kSpoil:
      return is_there ? "failed" : "none";
    case Action::kUse:
      if (!is_there) return "failed";
      found->second.uses += step.uses;
      return "done";
    case Action::kErase:
      if (!is_there) return "none";
      model.erase(found);
      ended.insert(step.number);
      return "done";
  }
  return {};
}

/// A mapper, as far as a step needs one; a transaction is another.
template <class E, class Target>
std::string step_of(Target& target, const Step& step) try {
  const auto changed = [&]() -> std::optional<E> {
    std::optional<E> entity = target.template load<E>(step.number);
    if (!entity) return entity;
    entity->owner = step.owner;
    entity->until = step.until;
    entity->use(step.uses);
    return entity;
  };
  switch (step.action) {
    case Action::kLoad: {
      const std::optional<E> entity = target.template load<E>(step.number);
      return entity ? entity->owner + ' ' + std::to_string(entity->uses()) : "none";
    }
    case Action::kExists:
      return target.template exists<E>(step.number) ? "there" : "none";
    case Action::kCreate: {
      target.save(E(step.number, step.owner, step.until, step.uses));
      return "done";
    }
    case Action::kChange: {
      std::optional<E> entity = changed();
      if (!entity) return "none";
      target.save(*entity);
      return "done";
    }
    case Action::kSpoil: {
      std::optional<E> entity = changed();
      if (!entity) return "none";
      entity->note = locks::kUnwritable;
      target.save(*entity);
      return "done";
    }
    case Action::kUse:
      target.template apply<&E::use>(step.number, step.uses);
      return "done";
    case Action::kErase:
      return target.template erase<E>(step.number) ? "done" : "none";
  }
  return {};
} catch (const StaleEntity&) {
  return "failed";
} catch (const NotFound&) {
  return "failed";
} catch (const StoreUnavailable&) {
  return "failed";
} catch (const std::domain_error&) {  // out of the application's code
  return "failed";
}

class ExpiryModelTest : public StoreTest {
 protected:
  std::size_t random_below(std::size_t bound) { return below(generator_, bound); }

  /// Moves at some looks, and often to the end of an entity.
  Time look() {
    if (random_below(4) == 0) now_ += std::chrono::milliseconds(random_below(3));
    if (random_below(8) == 0) {
      for (const auto& [number, stored] : model_) {
        if (stored.until && *stored.until > now_) now_ = std::min(*stored.until, now_ + 20ms);
      }
    }
    seen_.insert(now_);
    return now_;
  }

  Step random_step() {
    const auto action = static_cast<Action>(random_below(7));
    std::optional<Time> until;
    if (random_below(4) > 0) until = now_ + std::chrono::milliseconds(random_below(20)) - 2ms;
    return {action, static_cast<int>(random_below(kNumbers)), "owner " + std::to_string(random_below(4)),
            until,  static_cast<long>(random_below(3)),       false};
  }

  /// The steps' results in the model at one of the instants that the clock has shown must be those that they
  /// had. It goes on as it is then.
  void expect_in_model(const std::vector<Step>& steps, const std::vector<std::string>& results, bool is_old) {
    seen_.insert(now_);  // of a call that asks no clock
    std::string expected;
    for (const Time now : seen_) {
      Model model = model_;
      std::set<int> ended;
      std::vector<std::string> in_model;
      for (std::size_t i = 0; i < steps.size(); ++i) {
        if (steps[i].fails && results[i] == "failed") {
          in_model.emplace_back("failed");
          continue;
        }
        in_model.push_back(step_of_model(model, ended, steps[i], now, is_old));
      }
      if (in_model == results) {
        model_ = model;
        return;
      }
      expected += "\n at " + std::to_string(now.time_since_epoch() / 1ms) + ':';
      for (const std::string& result : in_model) expected += ' ' + result + ';';
    }
    std::string actual;
    for (std::size_t i = 0; i < steps.size(); ++i)
      actual += ' ' + std::to_string(static_cast<int>(steps[i].action)) + " of " +
                std::to_string(steps[i].number) + ": " + results[i] + ';';
    FAIL() << actual << (is_old ? " by the old release" : "") << "\nexpected" << expected;
  }

  template <class E>
  void transact(const std::vector<Step>& steps) {
    std::vector<std::string> results;
    mapper_.transact([&](EntityTransaction& transaction) {
      results.clear();
      for (const Step& step : steps) {
        if (step.fails) {
          faulty_.before_get([left = random_below(3)]() mutable {
            if (left-- == 0) throw StoreUnavailable("no answer");
          });
        }
        results.push_back(step_of<E>(transaction, step));
        faulty_.before_get({});
      }
    });
    expect_in_model(steps, results, std::is_same_v<E, OldLock>);
  }

  template <class E>
  void run_step(Step step) {
    step.fails = false;
    // A change is two calls, each of which asks the clock. The model knows of one.
    const bool is_change = step.action == Action::kChange || step.action == Action::kSpoil;
    if (is_change && !std::is_same_v<E, OldLock>) return transact<E>({step});
    expect_in_model({step}, {step_of<E>(mapper_, step)}, std::is_same_v<E, OldLock>);
  }

  void run_round() {
    seen_.clear();
    std::vector<Step> steps;
    for (std::size_t i = 1 + random_below(4); i > 0; --i) {
      steps.push_back(random_step());
      steps.back().fails = random_below(6) == 0;
    }
    switch (random_below(6)) {
      case 0:
        now_ += std::chrono::milliseconds(random_below(10));
        admin::compact(mapper_);
        return;
      case 1:
        return run_step<OldLock>(steps.front());
      case 2:
        return run_step<Lock>(steps.front());
      case 3:
        return transact<OldLock>(steps);
      default:
        return transact<Lock>(steps);
    }
  }

  /// The store holds the entities of the model, and nothing leads elsewhere.
  void expect_stored() {
    std::set<std::string> expiries, expected;
    for (const auto& [key, value] :
         records(*store_, detail::begin_of_expiries("Lock", 0), detail::begin_of_expiries("Lock", 1LL << 62)))
      expiries.insert(key);
    for (int number = 0; number < kNumbers; ++number) {
      const std::optional<OldLock> lock = observer_.load<OldLock>(number);
      const auto model = model_.find(number);
      const bool has_expired = model != model_.end() && model->second.until && *model->second.until <= now_;
      if (!lock) {
        ASSERT_TRUE(model == model_.end() || has_expired) << number;
        if (has_expired) model_.erase(model);  // it was removed
        continue;
      }
      const detail::EntityKey key = detail::entity_key("Lock", number);
      ASSERT_NE(model, model_.end()) << number;
      ASSERT_EQ(lock->owner, model->second.owner);
      if (has_expired) model->second.uses = lock->uses();  // the last ones may have come too late
      ASSERT_EQ(lock->uses(), model->second.uses);
      std::string main;
      ASSERT_TRUE(store_->snapshot()->get(detail::main_key(key), main));
      const std::optional<std::int64_t> until = detail::read_expiry(key, main);
      ASSERT_EQ(until.has_value(), model->second.until.has_value());
      if (!until) continue;
      ASSERT_EQ(*until, model->second.until->time_since_epoch() / 1ms);
      expected.insert(detail::expiry_key("Lock", *until, key).bytes());
    }
    ASSERT_EQ(expiries, expected);
    expect_right_indexes<OldLock>(*store_->snapshot());
  }

  std::mt19937_64 generator_ = seeded_generator();
  Time now_{1'000'000s};
  std::set<Time> seen_;  // what the clock has shown in the call
  Model model_;
  FaultyStore faulty_{*store_};
  Mapper mapper_{faulty_, {.compact_every = 0ms, .clock = [this] { return look(); }}};
  Mapper observer_{*store_, {.compact_every = 0ms}};
};

TEST_P(ExpiryModelTest, ACallIsOfOneInstantAndWholeOrNothing) {
  for (int round = 0; round < 3'000 && !HasFatalFailure(); ++round) {
    run_round();
    if (!HasFatalFailure()) expect_stored();
  }
}

INSTANTIATE_TEST_SUITE_P(Stores, ExpiryModelTest, ::testing::ValuesIn(all_stores()), store_name);

}  // namespace
}  // namespace autoshard::test
