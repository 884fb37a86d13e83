#include "billing/billing.autoshard.h"

int number_of_billing() { return static_cast<int>(sizeof(billing::Account)); }
