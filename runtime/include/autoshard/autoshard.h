#pragma once

/// Includes what an application needs besides the generated headers: all but JSON, the monitor and the
/// testing of laws.

#include <autoshard/activity.h>
#include <autoshard/adaptive.h>
#include <autoshard/admin.h>
#include <autoshard/codec.h>
#include <autoshard/completion.h>
#include <autoshard/durability.h>
#include <autoshard/elements.h>
#include <autoshard/entity_transaction.h>
#include <autoshard/errors.h>
#include <autoshard/future.h>
#include <autoshard/generated.h>
#include <autoshard/mapper.h>
#include <autoshard/memcached_cache.h>
#include <autoshard/memory_cache.h>
#include <autoshard/memory_store.h>
#include <autoshard/metrics.h>
#include <autoshard/mysql_store.h>
#include <autoshard/query.h>
#include <autoshard/range.h>
#include <autoshard/ref.h>
#include <autoshard/retry.h>
#include <autoshard/rocksdb_store.h>
#include <autoshard/shared_cache.h>
#include <autoshard/store.h>
