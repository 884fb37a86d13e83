// ledger DATABASE CENTS: makes the account, or updates it, in every way that there is, and prints what it
// holds.
#include <autoshard/autoshard.h>

#include <cstdio>
#include <cstdlib>

#ifdef WITH_PLUGIN
#include "model/account.h"
#else
#include "model/account.autoshard.h"
#endif

int main(int, char** arguments) {
  autoshard::RocksDbStore store{arguments[1]};
  autoshard::Mapper mapper{store};
  const long cents = std::atol(arguments[2]);

  if (!mapper.exists<bank::Account>(7)) mapper.save(bank::Account{7, "Ada"});
  mapper.apply<&bank::Account::deposit>(7, cents);
  mapper.update<bank::Account>(7, [&](auto& account) {
    account.deposit(cents);
    account.deposit(cents);
  });
  auto account = mapper.load<bank::Account>(7);
  account->deposit(cents);
  mapper.apply<&bank::Account::withdraw>(7, cents);
  account->note("saved");
  mapper.save(*account);

  const auto saved = mapper.load<bank::Account>(7);
  std::printf("%s %ld %zu\n", saved->owner().c_str(), saved->balance(), saved->remarks());
}
