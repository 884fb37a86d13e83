#include "account.h"

namespace bank {

void Account::withdraw(long cents) { balance_ -= cents; }

}  // namespace bank
