#pragma once

/// Every version of the class Bus. In the older one the number has another name.

#include "bus/free.autoshard.h"
#include "bus/seats.autoshard.h"
#include "bus/unbounded.autoshard.h"
