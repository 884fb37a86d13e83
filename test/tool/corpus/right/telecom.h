/*
 * Telecom: cells, subscribers, calls. Style: C with classes; lower case, typedefs, everything in structs and
 * unions' days gone by; lines end as on Windows.
 */
#ifndef TELCO_MODEL_H
#define TELCO_MODEL_H

#include <array>
#include <chrono>
#include <cstdint>
#include <string>

#ifndef TELCO_SHARDS
# define TELCO_SHARDS 24
#endif

namespace telco
{

typedef std::uint32_t cell_id_t;
typedef std::chrono::duration<std::int64_t> seconds_t;

enum alarm_t : unsigned { ALARM_NONE = 0, ALARM_POWER = 1u << 0, ALARM_FAN = 1u << 1, ALARM_DOOR = 1u << 2 };

struct imsi_t
{
    std::array<std::uint8_t, 8> digits;
};

/* A radio cell. Its traffic is counted by every call. */
class [[autoshard::entity]] cell
{
public:
    cell(unsigned short country, unsigned short network, cell_id_t id)
        : mcc(country), mnc(network), ci(id)
    {
    }

    [[autoshard::shard_method]]
    void call_began(void)
    {
        calls = calls + 1;
    }

    [[autoshard::shard_method]]
    void call_ended(seconds_t lasted, bool dropped)
    {
        airtime += lasted;
        if (dropped)
            drops++;
    }

    [[autoshard::shard_method]]
    void raise(unsigned alarm)
    {
        alarms |= alarm;
    }

    double drop_rate() const
    {
        return calls ? static_cast<double>(drops) / static_cast<double>(calls) : 0.0;
    }

    bool is_raised(alarm_t alarm) const
    {
        return (alarms & alarm) != 0;
    }

#if TELCO_SHARDS > 1
    static const char* storage(void) { return "sharded"; }
#else
    static const char* storage(void) { return "plain"; }
#endif

private:
    [[autoshard::shard_fold(calls)]]
    static std::uint64_t add_calls(std::uint64_t a, std::uint64_t b) { return a + b; }
    [[autoshard::shard_fold(drops)]]
    static std::uint64_t add_drops(std::uint64_t a, std::uint64_t b) { return a + b; }
    [[autoshard::shard_fold(airtime)]]
    static seconds_t add_time(seconds_t a, seconds_t b) { return a + b; }
    [[autoshard::shard_fold(alarms)]]
    static unsigned join_alarms(unsigned a, unsigned b) { return a | b; }

    [[autoshard::id]] unsigned short mcc;
    [[autoshard::id]] unsigned short mnc;
    [[autoshard::id]] cell_id_t      ci;

    double latitude = 0.0, longitude = 0.0;

    [[autoshard::shardable(neutral = 0, shards = TELCO_SHARDS)]] std::uint64_t calls = 0;
    [[autoshard::shardable(neutral = 0, shards = TELCO_SHARDS)]] std::uint64_t drops = 0;
    [[autoshard::shardable(neutral = seconds_t(0), shards = TELCO_SHARDS)]] seconds_t airtime{0};
    [[autoshard::shardable(neutral = 0, shards = 2)]] unsigned alarms = ALARM_NONE;
};

/* A subscriber's bundle: what was used of it, this month. */
struct [[autoshard::entity("sub")]] subscriber
{
    struct usage
    {
        std::int64_t bytes;
        std::int64_t seconds;
        std::int32_t messages;
    };

    subscriber() : who() {}
    explicit subscriber(const imsi_t& imsi) : who(imsi) {}

    [[autoshard::shard_method]] void operator+=(const usage& more) { used = add(used, more); }
    [[autoshard::shard_method]] void message() { used.messages += 1; }

    const usage& get() const { return used; }

    [[autoshard::shard_fold]] static usage add(const usage& a, const usage& b)
    {
        const usage sum = { a.bytes + b.bytes, a.seconds + b.seconds, a.messages + b.messages };
        return sum;
    }

    [[autoshard::id]] imsi_t who;
    std::string msisdn;

private:
    [[autoshard::shardable(neutral = usage{}, shards = 6)]] usage used = usage();
};

} /* namespace telco */

#endif /* TELCO_MODEL_H */
