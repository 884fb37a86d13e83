/*****************************************************************************
 * harbour.h - ships, berths and cargo.
 *
 * History:
 *   1998-03-11  first version
 *   2011-10-02  std::map instead of our own list
 *   2024-05-30  sharded
 *****************************************************************************/
#ifndef _HARBOUR_H_INCLUDED
#define _HARBOUR_H_INCLUDED

#include "common/units.h"

#include <map>
#include <set>
#include <string>
#include <vector>

#define HARBOUR_BEGIN namespace harbour {
#define HARBOUR_END }

HARBOUR_BEGIN

class Ship;
class Berth;
typedef std::vector<std::string> StringList;
typedef std::map<std::string, units::Kilograms> CargoMap;

/*---------------------------------------------------------------------------*/
/* A ship. Loaded by several cranes at a time.                               */
/*---------------------------------------------------------------------------*/
class [[autoshard::entity]] Ship
{
public:
                    Ship(long Imo, const char* Name);
    virtual         ~Ship() {}
                    Ship(const Ship&) = default;
    Ship&           operator=(const Ship&) = default;

    [[autoshard::shard_method]]
    void            Load(const std::string& What, units::Kilograms Mass);
    [[autoshard::shard_method]]
    void            Crane(int Number)              { Cranes.insert(Number); }

    double          Mass() const;
    const char*     Name() const                   { return ShipName.c_str(); }
    void            Rename(const char* NewName)    { ShipName = NewName; }
    class Berth*    MooredAt() const               { return Moored; }
    void            Moor(class Berth* At)          { Moored = At; }

private:
    [[autoshard::shard_fold]]
    static CargoMap Sum(const CargoMap& A, const CargoMap& B);
    [[autoshard::shard_fold]]
    static std::set<int> Union(std::set<int> A, const std::set<int>& B)
    {
        for (std::set<int>::const_iterator It = B.begin(); It != B.end(); ++It)
            A.insert(*It);
        return A;
    }

    [[autoshard::id]]
    long            ImoNumber;
    std::string     ShipName;
    StringList      Flags;
    [[autoshard::transient]]
    class Berth*    Moored;
    [[autoshard::shardable(neutral = CargoMap(), shards = 6)]]
    CargoMap        Cargo;
    [[autoshard::shardable(neutral = std::set<int>(), shards = 6)]]
    std::set<int>   Cranes;
};

inline Ship::Ship(long Imo, const char* Name)
    : ImoNumber(Imo), ShipName(Name), Moored(0)
{
}

inline void Ship::Load(const std::string& What, units::Kilograms Mass)
{
    units::Kilograms& Loaded = Cargo[What];
    Loaded = Loaded + Mass;
}

inline double Ship::Mass() const
{
    units::Kilograms Result = {0.0};
    for (CargoMap::const_iterator It = Cargo.begin(); It != Cargo.end(); ++It)
        Result = Result + It->second;
    return units::rounded(Result);
}

inline CargoMap Ship::Sum(const CargoMap& A, const CargoMap& B)
{
    CargoMap Result(A);
    for (CargoMap::const_iterator It = B.begin(); It != B.end(); ++It) {
        CargoMap::iterator At = Result.insert(CargoMap::value_type(It->first, units::Kilograms())).first;
        At->second = At->second + It->second;
    }
    return Result;
}

/* A place for one ship. */
class [[autoshard::entity]] Berth
{
    friend class BerthPlan;
    friend class Ship;

public:
    explicit        Berth(int No = 0) : Number(No), Arrivals(0) {}

    [[autoshard::shard_method]]
    Berth*          Arrive()                       { ++Arrivals; return this; }
    int             HowMany() const                { return Arrivals; }

private:
    static int      Plus(int A, int B)             { return A + B; }

    [[autoshard::id]]
    int             Number;
    [[autoshard::shardable(neutral = 0, shards = 3, fold = &Berth::Plus)]]
    int             Arrivals;
};

class BerthPlan
{
public:
    void            Add(const Berth& B)            { Numbers.push_back(B.Number); }

private:
    friend class Ship;
    std::vector<int> Numbers;
};

HARBOUR_END

#endif /* _HARBOUR_H_INCLUDED */
