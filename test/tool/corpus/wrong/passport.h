#pragma once
#include <string>

namespace border {

class [[autoshard::entity]] Passport {
 public:
  Passport(std::string number, int year) : m_number(std::move(number)), m_issued(year) {}
  bool isOld(int year) const { return year > m_issued + 10; }

  [[autoshard::shard_method]] void crossed() { m_crossings++; }

 private:
  [[autoshard::shard_fold]] static int add(int a, int b) { return a + b; }

  [[autoshard::id]] std::string m_number;
  // wrong:
  const int m_issued;
  // expect: autoshard-const-property: member 'm_issued' is const, so it cannot be loaded; drop 'const', make
  //     it static, or mark it [[autoshard::transient]]
  // right:
  // int m_issued;
  [[autoshard::shardable(neutral = 0, shards = 2)]] int m_crossings = 0;
};

}  // namespace border
