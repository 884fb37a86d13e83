#pragma once

/// Every version of the class Page.

#include "page/all_time.autoshard.h"
#include "page/bounded.autoshard.h"
#include "page/former_name.autoshard.h"
#include "page/page.autoshard.h"
#include "page/plain.autoshard.h"
