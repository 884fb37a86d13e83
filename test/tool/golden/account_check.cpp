#include "entities/forms/account.autoshard.h"
#include "golden_check.h"

GOLDEN_CHECK(account) {
  using bank::Account;

  static_assert(noexcept(std::declval<Account&>().tick()));
  autoshard::MemoryStore store;
  autoshard::Mapper mapper{store};
  mapper.save(Account{-7});
  auto account = *mapper.load<Account>(-7);

  // Each of these counts once, although every body runs on the shard and on the aggregated value.
  account.book();
  account.book(20);
  account.book(3, Account::Reason::kSalary, 2);
  CHECK(account.cents() == 126);
  std::string other(100, 'b');
  const std::string reason(100, 'a');
  account.note(reason, std::move(other));
  CHECK(account.by_reason().at(reason) == 1 && account.by_reason().at(std::string(100, 'b')) == 1);
  CHECK(account.deposit(4) == 4);
  int remaining = 5;
  account.count_down(remaining);
  CHECK(remaining == 4 && account.cents() == 131);
  CHECK(&account.chained(1).chained(1) == &account && account.cents() == 133);
  CHECK(account.last(Account::Reason::kRent) == Account::Reason::kRent);
  CHECK(account.tick() && !account.tick(0) && account.cents() == 135);

  // A body that throws changes neither value.
  bool thrown = false;
  try {
    account.deposit(-1);
  } catch (const std::invalid_argument&) {
    thrown = true;
  }
  CHECK(thrown && account.cents() == 135);

  // Unsaved updates are no part of the value.
  Account same = account;
  mapper.save(account);
  CHECK(same == account);
  CHECK(*mapper.load<Account>(-7) == account);

  mapper.apply<static_cast<void (Account::*)(long)>(&Account::book)>(-7, 5);
  mapper.apply<static_cast<void (Account::*)()>(&Account::book)>(-7);
  mapper.apply<static_cast<void (Account::*)(long, Account::Reason, int)>(&Account::book)>(
      -7, 10, Account::Reason::kRent);
  mapper.apply<&Account::tick>(-7);
  mapper.update<Account>(-7, [](auto& shard) { shard.chained(1).chained(2); });
  CHECK(mapper.load<Account>(-7)->cents() == 135 + 5 + 100 + 10 + 1 + 3);

  thrown = false;
  try {
    mapper.apply<&Account::deposit>(-7, -1);
  } catch (const std::invalid_argument&) {
    thrown = true;
  }
  CHECK(thrown && mapper.load<Account>(-7)->cents() == 254);
}
