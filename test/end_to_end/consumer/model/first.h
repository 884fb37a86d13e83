#pragma once

// Every source of the target includes it before anything else.
#define SHOP_INCLUDED_FIRST 1
