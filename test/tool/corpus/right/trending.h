// What is played now, and who calls the interface too often. Style: east const, macros for windows.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <set>
#include <string>
#include <utility>

#define TRENDING_WINDOW(time, steps) last = time, bucket = steps
#define TRENDING_DAYS(n) n##d
#define TRENDING_RATE [[autoshard::shardable(neutral = 0, shards = adaptive(1, 16), fold = std::plus<>{}, TRENDING_WINDOW(60s, 1s))]]

namespace trending
{

using Plays = std::map<std::string, std::uint32_t>;

/// A song, and how it does this week.
class [[autoshard::entity("song")]] Song final
{
public:
    Song(std::int64_t number, std::string title) : number_{number}, title_{std::move(title)} {}

    [[autoshard::shard_method]] void play(std::string const& country, bool skipped = false)
    {
        if (skipped) ++skips_; else ++plays_[country];
    }
    [[autoshard::shard_method]] void volume(int decibels) { loudest_ = std::max(loudest_, decibels); }
    /// Robots have played it.
    [[autoshard::shard_write]] void forget() { plays_.clear(); }

    Plays const& plays() const { return plays_; }
    int skips() const { return skips_; }
    int loudest() const { return loudest_; }

private:
    [[autoshard::shard_fold(plays_)]] static Plays add(Plays a, Plays const& b)
    {
        for (auto const& [country, plays] : b) a[country] += plays;
        return a;
    }
    [[autoshard::shard_fold(loudest_)]] static int louder(int a, int b) { return std::max(a, b); }

    [[autoshard::id]] std::int64_t number_;
    std::string title_;
    [[autoshard::shardable(neutral = {}, shards = 1 << 3, TRENDING_WINDOW(TRENDING_DAYS(7), 6h))]] Plays plays_;
    [[autoshard::shardable(neutral = 0, bucket = 1d, last = TRENDING_DAYS(28), shards = 2, fold = std::plus<>{})]] int skips_ = 0;
    [[autoshard::shardable(neutral = std::numeric_limits<int>::min(), shards = 2, last = 1'440min, bucket = 86'400s)]]
    int loudest_ = std::numeric_limits<int>::min();
};

/// A client of the interface: held back by what it did in the last minute, billed by what it does in all.
struct [[autoshard::entity]] Client
{
    explicit Client(std::string of_key) : key(std::move(of_key)) {}

    [[autoshard::shard_method]] void call(std::int64_t weight) { calls += 1; total += weight; }
    [[autoshard::shard_method]] void from(std::uint32_t address) { addresses.insert(address); }
    bool is_too_fast() const { return calls > 600 || addresses.size() > 20; }

    [[autoshard::id]] std::string key;

private:
    [[autoshard::shard_fold]] static std::set<std::uint32_t> join(std::set<std::uint32_t> a, std::set<std::uint32_t> b)
    {
        a.merge(b);
        return a;
    }

    TRENDING_RATE int calls = 0;
    [[autoshard::shardable(neutral = 0, fold = std::plus<>{})]] [[autoshard::index]] std::int64_t total = 0;
    [[autoshard::shardable(neutral = {}, shards = 1, last = 5min, bucket = 30s)]] std::set<std::uint32_t> addresses;
};

}

#undef TRENDING_WINDOW
#undef TRENDING_DAYS
#undef TRENDING_RATE
