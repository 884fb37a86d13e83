/// What loaded entities show, and what has to be true of them besides.
#include <algorithm>
#include <string>

#include "use_of_entities.h"

namespace autoshard::simulation {
namespace {

using Effect = History::Effect;

template <class List>
Effects effects_of(const List& ids) {
  Effects effects;
  for (const OperationId id : ids) ++effects[id];
  return effects;
}

Effects effects_of(const std::map<OperationId, OperationId>& entries) {
  Effects effects;
  for (const auto& [key, id] : entries) ++effects[id];
  return effects;
}

}  // namespace

View Use<Ledger>::view(const Ledger& ledger) {
  return {.entity = ledger.number(),
          .created = ledger.created(),
          .saved = ledger.saved(),
          .shown = {{kVote, ledger.votes(), "votes"},
                    {kLike, ledger.likes(), "likes"},
                    {kView, ledger.views(), "views"},
                    {kNote | kRewrite, ledger.notes(), "notes"},
                    {kBook, ledger.bookings(), "bookings"}}};
}

void Use<Ledger>::check(const Ledger& ledger, const History& history, const Effect& created) {
  const auto fail = [&](const std::string& what, OperationId id) { history.fail(what, ledger.number(), id); };
  // Every update that likes adds to both in one commit.
  if (effects_of(ledger.likers()) != ledger.likes())
    fail("has " + std::to_string(ledger.likers().size()) + " likers for " +
             std::to_string(ledger.likes().size()) + " likes",
         ledger.created());
  // What a store may have folded by itself.
  const Effects& votes = ledger.votes();
  if (ledger.tally() != static_cast<int>(votes.size()))
    fail("has a tally of " + std::to_string(ledger.tally()) + " for " + std::to_string(votes.size()) +
             " votes",
         ledger.created());
  if (ledger.newest() != (votes.empty() ? 0 : votes.rbegin()->first))
    fail("is said to be the newest vote", ledger.newest());
  if (ledger.noted() != static_cast<int>(ledger.notes().size()))
    fail("counts " + std::to_string(ledger.noted()) + " of " + std::to_string(ledger.notes().size()) +
             " notes",
         ledger.created());
  int seats = created.amount;
  for (const auto& [id, times] : ledger.bookings())
    seats -= history.find(History::kUpdate, id, ledger.number())->amount;
  if (seats != ledger.seats() || ledger.capacity() != created.amount || seats < 0 ||
      seats > Ledger::kMostSeats)
    fail("was loaded with " + std::to_string(ledger.seats()) + " seats instead of " + std::to_string(seats),
         ledger.created());
}

template <int kOfClass>
View Use<Album<kOfClass>>::view(const Entity& album) {
  View view{.entity = album.number(),
            .created = album.created(),
            .saved = album.saved(),
            .lacks = Entity::kIsNew ? 0 : rules_of(kWorld).moved,
            .shown = {{kPost, effects_of(album.posts()), "posts"},
                      {kSay, effects_of(album.lines()), "lines"},
                      {kTag, effects_of(album.labels()), "labels"},
                      {kMark, effects_of(album.marks()), "marks"},
                      {kSell | kRefill, album.sales(), "sales"}}};
  if (Entity::kIsNew) view.shown.push_back({kDraw, effects_of(album.drawn()), "drawn"});
  return view;
}

template <int kOfClass>
void Use<Album<kOfClass>>::check(const Entity& album, const History& history, const Effect& created) {
  const auto fail = [&](const std::string& what, OperationId id) { history.fail(what, album.number(), id); };
  int stock = created.amount;
  for (const auto& [id, times] : album.sales()) {
    const Effect& sale = *history.find(History::kUpdate, id, album.number());
    if (sale.parts & kRefill) stock = std::abs(sale.amount);
  }
  for (const auto& [id, times] : album.sales()) {
    const Effect& sale = *history.find(History::kUpdate, id, album.number());
    if (!(sale.parts & kRefill)) stock -= sale.amount;
  }
  if (stock != album.stock() || album.first_stock() != created.amount)
    fail("was loaded with a stock of " + std::to_string(album.stock()) + " instead of " +
             std::to_string(stock),
         album.created());
  if (album.shelf() != Entity::shelf_of(album.saved())) fail("is on another shelf", album.saved());
  if (!Entity::kIsNew) return;
  if (album.title().by != album.created())
    fail("has the title of #" + std::to_string(album.title().by), album.created());
  const auto saves = history.saves_before(album.number(), album.created(), album.saved());
  const auto revised =
      std::find_if(saves.begin(), saves.end(), [](const Effect* save) { return save->version == 2; });
  const Effect* const last = revised != saves.end() ? *revised : created.version == 2 ? &created : nullptr;
  const OperationId expected = last ? last->id : 0;
  if (album.revised() != expected)
    fail("has lost what this version saved, as #" + std::to_string(expected), album.revised());
  if (last ? !history.is_within(album.touched(), *last) : album.touched() != Time(0))
    fail("was touched by another call, at " + std::to_string(album.touched().count()) + " ns", expected);
}

template <int kOfClass>
View Use<Permit<kOfClass>>::view(const Entity& permit) {
  return {.entity = permit.number(),
          .created = permit.created(),
          .saved = permit.saved(),
          .shown = {{kUse, permit.uses(), "uses"},
                    {kSeal, permit.seals(), "seals"},
                    {kSign, effects_of(permit.signers()), "signers"},
                    {kPass | kRestart, permit.passes(), "passes", permit.passed()}}};
}

template <int kOfClass>
void Use<Permit<kOfClass>>::check(const Entity& permit, const History& history, const Effect& created) {
  if (!Entity::kIsNew) return;
  const Time ends = permit.ends() ? Time(permit.ends()->time_since_epoch()) : Time::max();
  if (ends != created.ends) history.fail("has another end of life", permit.number(), permit.created());
}

template struct Use<Album<1>>;
template struct Use<Album<2>>;
template struct Use<Permit<1>>;
template struct Use<Permit<2>>;

}  // namespace autoshard::simulation
