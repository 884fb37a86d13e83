// A game: what many matches report about one player at the same time.
// In the style of another code base, which a fix keeps.
// clang-format off
#ifndef GAME_PLAYER_H
#define GAME_PLAYER_H

#include <algorithm>
#include <bitset>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <unordered_map>

namespace game
{

class Player
{
public:
    enum class Rank : int { bronze, silver, gold };

    explicit Player(std::string playerName) : m_name(std::move(playerName)) {}

    void scored(int points)
    {
        m_points += points;
        m_bestMatch = std::max(points, m_bestMatch);
    }

    void played(unsigned seconds)
    {
        if (seconds < m_shortestMatch)
            m_shortestMatch = seconds;
        if (m_longestMatch < seconds) { m_longestMatch = seconds; }
        ++m_matches;
    }

    void reached(Rank rank)
    {
        m_highest = rank > m_highest ? rank : m_highest;
    }
    void unlock(std::uint8_t features)
    {
        m_features = static_cast<std::uint8_t>(m_features | features);
    }
    void forbid(std::uint32_t features) { m_allowed &= ~features; }
    void achieve(const std::string &what) { m_achievements.insert(what); }
    void killed(const std::string &enemy) { ++m_kills[enemy]; }
    void visited(int area, const std::string &room)
    {
        m_rooms[area].emplace(room);
    }
    void boosted(double factor) { m_boost *= factor; }
    void rolled(unsigned odds) { m_odds *= odds; }

    // Not these: a place is where one was last, a streak ends, and a life is
    // taken only if there is one.
    void moved(int x, int y)
    {
        m_x = x;
        m_y = y;
        ++m_steps;
    }
    void collect(std::size_t badge) { m_badges.set(badge); }
    void lose(std::size_t life) { m_spare.reset(life); }
    void won() { ++m_streak; }
    void lost() { m_streak = 0; }
    bool hit()
    {
        if (m_lives == 0)
            return false;
        --m_lives;
        return true;
    }

    int points() const { return m_points; }
    int bestMatch() const { return m_bestMatch; }
    std::uint32_t allowed() const { return m_allowed; }

private:
    std::string m_name;
    int m_points = 0, m_bestMatch = 0;
    unsigned m_shortestMatch = 0xffffffff, m_longestMatch = 0;
    long m_matches = 0;
    Rank m_highest = Rank::bronze;
    std::uint8_t m_features = 0;
    std::uint32_t m_allowed = ~0U;
    std::set<std::string> m_achievements;
    std::bitset<40> m_badges;
    std::bitset<9> m_spare = ~std::bitset<9>();
    std::unordered_map<std::string, short> m_kills;
    std::map<int, std::set<std::string>> m_rooms;
    double m_boost = 1;
    unsigned m_odds = 1;
    int m_x = 0, m_y = 0;
    unsigned m_steps = 0;
    int m_streak = 0;
    int m_lives = 3;
};

} // namespace game

#endif
