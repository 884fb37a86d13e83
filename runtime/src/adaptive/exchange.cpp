#include "exchange.h"

#include <autoshard/errors.h>
#include <autoshard/messagepack.h>

#include <algorithm>
#include <cstddef>
#include <utility>

#include "check.h"
#include "hex.h"
#include "random.h"

namespace autoshard::detail {
namespace {

constexpr std::string_view kList = "usage";
constexpr std::chrono::days kListLives{30};
constexpr std::size_t kMostMembers = 1'000;
constexpr std::size_t kNameLength = 16;
constexpr int kTries = 5;  // to change the list while others change it; then again in the next window

std::string random_name() { return to_hex(random_bits()); }

std::string key_of(std::string_view member) { return std::string(kList) + '/' + std::string(member); }

bool contains(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

std::string encode(const std::vector<std::string>& members) {
  std::string bytes;
  Encoder out(bytes);
  out.array(members.size());
  for (const std::string& member : members) out.text(member);
  return bytes;
}

}  // namespace

Exchange::Exchange(SharedCache& cache, std::chrono::milliseconds lifetime, Log log, Clock clock)
    : cache_(cache),
      lifetime_(lifetime),
      log_(std::move(log)),
      clock_(std::move(clock)),
      name_(random_name()) {}

Exchange::Shared Exchange::share(const Window& own) {
  Shared shared{.all = own, .news = own};
  const auto deadline = clock_() + lifetime_ / 6;
  if (!cache_.put(key_of(name_), detail::encode(own), lifetime_)) {
    note(State::kAlone);
    shared.is_partial = true;
    return shared;
  }
  note(State::kShares);
  nonsense_seen_ = false;
  const auto list = cache_.get(kList);
  std::vector<std::string> members = list ? members_in(list->value) : std::vector<std::string>();
  // If there is not time for all members, each call reads others.
  std::rotate(members.begin(), members.begin() + static_cast<std::ptrdiff_t>(random_below(members.size())),
              members.end());
  std::vector<std::string> gone;
  std::map<std::string, SharedCache::Version> seen;
  for (const std::string& member : members) {
    if (member == name_) continue;
    if (clock_() > deadline) {
      shared.is_partial = true;
      break;
    }
    const auto bytes = cache_.get(key_of(member));
    if (!bytes) {
      gone.push_back(member);
    } else if (const auto window = decode_window(bytes->value)) {
      seen[member] = bytes->version;
      const auto before = seen_.find(member);
      merge(shared.all, *window);
      if (before == seen_.end() || before->second != bytes->version) merge(shared.news, *window);
    } else {
      nonsense_seen_ = true;
    }
  }
  if (!gone.empty() || !contains(members, name_)) change_list(gone, true);
  seen_ = std::move(seen);
  note_nonsense();
  return shared;
}

void Exchange::leave() {
  cache_.erase(key_of(name_));
  change_list({name_}, false);
}

/// Removes names from the list. With `enter`, also makes sure that this process's name is in it.
void Exchange::change_list(const std::vector<std::string>& gone, bool enter) {
  for (int tries = 0; tries < kTries; ++tries) {
    const auto list = cache_.get(kList);
    std::vector<std::string> members = list ? members_in(list->value) : std::vector<std::string>();
    std::erase_if(members, [&](const std::string& member) { return contains(gone, member); });
    if (enter && !contains(members, name_) && members.size() < kMostMembers) members.push_back(name_);
    AUTOSHARD_CHECK(members.size() <= kMostMembers, {"members", members.size()});
    if (cache_.put_if(kList, encode(members), kListLives, list ? list->version : SharedCache::kAbsent))
      return;
  }
}

std::vector<std::string> Exchange::members_in(const std::string& list) try {
  Decoder in("list of processes", list);
  const std::size_t size = in.array();
  if (size > kMostMembers) in.fail("too many processes");
  std::vector<std::string> members;
  for (std::size_t i = 0; i < size; ++i) {
    members.emplace_back(in.text());
    if (members.back().size() != kNameLength) in.fail("an invalid name of a process");
  }
  std::sort(members.begin(), members.end());
  members.erase(std::unique(members.begin(), members.end()), members.end());
  return members;
} catch (const CorruptRecord&) {
  nonsense_seen_ = true;
  return {};
}

void Exchange::note(State state) {
  if (std::exchange(state_, state) == state || !log_) return;
  log_(state == State::kAlone ? "the shared cache does not keep the statistics of this process: adaptive "
                                "properties follow the load of this process alone"
                              : "the shared cache keeps the statistics of this process again");
}

void Exchange::note_nonsense() {
  if (nonsense_seen_ && !nonsense_ && log_)
    log_(
        "the shared cache holds a foreign value under a key for statistics, and the value is ignored: give "
        "AutoShard a key prefix of its own");
  nonsense_ = nonsense_seen_;
}

}  // namespace autoshard::detail
