#pragma once

/// Every version of the class Tally, whose sharded numbers get other names: what one writes, the others read.

#include "tally/first.autoshard.h"
#include "tally/indexed.autoshard.h"
#include "tally/never_renamed.autoshard.h"
#include "tally/plain.autoshard.h"
#include "tally/plain_renamed.autoshard.h"
#include "tally/second.autoshard.h"
#include "tally/third.autoshard.h"
