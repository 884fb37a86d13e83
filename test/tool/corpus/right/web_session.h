#pragma once
// Sessions of a web shop. Style: macros for the annotations, so that they can be compiled away.

#include <chrono>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#define DB_ENTITY [[autoshard::entity]]
#define DB_BY_USER [[autoshard::sharded_index(name = ByUser, key = user, order = started, shards = 4)]]
#define DB_KEY [[autoshard::id]]
#define DB_UNIQUE [[autoshard::index(unique)]]
#define DB_TTL [[autoshard::expires]]
#define DB_SET [[autoshard::shard_group(shards = 4)]]

namespace web
{
    using time_point = std::chrono::system_clock::time_point;

    struct DB_ENTITY DB_BY_USER Login
    {
        DB_KEY std::string user;
        DB_KEY long started = 0;
        DB_TTL std::optional<time_point> until;
    };

    class DB_ENTITY Session final
    {
    public:
        explicit Session(std::string_view id) : m_id(id) {}

        [[autoshard::shard_method]] void saw(int product) { m_seen.insert(product); }
        [[autoshard::shard_method]] void put(int product, int pieces) { if (pieces > 0) this->m_basket[product] = pieces; }
        [[autoshard::shard_method]] void put_one(int product) { put(product, 1); saw(product); }
        std::size_t seen() const { return m_seen.size(); }

    private:
        [[autoshard::after_load]] void extend() noexcept { m_until += std::chrono::hours{1}; }

        DB_KEY std::string m_id;
        DB_UNIQUE std::string m_token;
        DB_TTL time_point m_until;
        DB_SET std::set<int> m_seen;
        DB_SET std::map<int, int> m_basket;
    };
}
