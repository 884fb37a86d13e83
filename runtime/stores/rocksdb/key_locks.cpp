#include "key_locks.h"

#include <new>

#include "check.h"

namespace autoshard::rocksdb_store {

KeyLocks::Watch KeyLocks::watch(std::string_view name, std::size_t hash, std::string* value) {
  Partition& partition = partitions_[hash % partitions_.size()];
  const detail::MutexLock lock(partition.mutex);
  auto found = partition.keys.find(Name{name, hash});
  if (found == partition.keys.end()) {
    std::list<Key*> place(1);  // before there is a key, which must not be without its place
    found = partition.keys.try_emplace(std::string(name)).first;
    Key& made = found->second;
    note_held(made);
    made.partition_ = &partition;
    made.name_ = &found->first;
    place.front() = &made;
    made.place_.swap(place);
  }
  Key& key = found->second;
  note_held(key);
  if (key.place_.empty()) {
    partition.idle_bytes -= bytes(key);
    key.place_.splice(key.place_.begin(), partition.idle, key.idle_);
  }
  const std::optional<bool> known = value ? recall_locked(key, *value) : std::nullopt;
  ++key.watchers_;
  return {&key, key.version_, known};
}

void KeyLocks::unwatch(Key* key) {
  Partition& partition = *key->partition_;
  const detail::MutexLock lock(partition.mutex);
  note_held(*key);
  AUTOSHARD_CHECK(key->watchers_ > 0, {"key", key->name()});
  if (--key->watchers_ > 0) return;
  AUTOSHARD_CHECK(!key->writer_ && key->readers_ == 0 && !key->place_.empty(), {"key", key->name()},
                  {"readers", key->readers_});
  if (key->known_ == Known::kNothing) {
    partition.keys.erase(partition.keys.find(*key->name_));
    return;
  }
  key->idle_ = key->place_.begin();
  partition.idle.splice(partition.idle.begin(), key->place_);
  partition.idle_bytes += bytes(*key);
  forget_oldest(partition);
}

std::size_t KeyLocks::bytes(const Key& key) {
  constexpr std::size_t kNodes = 6 * sizeof(void*);  // of the containers, approximately
  return sizeof(std::string) + sizeof(Key) + kNodes + key.name_->capacity() + key.value_.capacity();
}

void KeyLocks::forget_oldest(Partition& partition) const {
  while (partition.idle_bytes > partition_bytes_) {
    const Key* oldest = partition.idle.back();
    note_held(*oldest);
    AUTOSHARD_CHECK(oldest->watchers_ == 0 && bytes(*oldest) <= partition.idle_bytes, {"key", oldest->name()},
                    {"watchers", oldest->watchers_});
    partition.idle_bytes -= bytes(*oldest);
    partition.idle.pop_back();
    partition.keys.erase(partition.keys.find(*oldest->name_));
  }
}

std::optional<bool> KeyLocks::recall(Key* key, std::string& value) {
  const detail::MutexLock lock(key->partition_->mutex);
  return recall_locked(*key, value);
}

std::optional<bool> KeyLocks::recall_locked(const Key& key, std::string& value) {
  // While the key is written, the database may have the new value already, and other threads may have read
  // it.
  if (key.known_ == Known::kNothing || key.writing_) return std::nullopt;
  if (key.known_ == Known::kValue) value = key.value_;
  return key.known_ == Known::kValue;
}

void KeyLocks::remember(Key* key, std::uint64_t version, const std::string* value) {
  const detail::MutexLock lock(key->partition_->mutex);
  if (key->version_ == version && !key->writing_) set_known(*key, value);
}

void KeyLocks::set_known(Key& key, const std::string* value) const noexcept {
  constexpr std::size_t kShare = 8;  // one value may take an eighth of the memory
  key.known_ = Known::kNothing;
  if (value && value->size() > partition_bytes_ / kShare) return;
  try {
    if (value) key.value_ = *value;
    key.known_ = value ? Known::kValue : Known::kAbsence;
  } catch (const std::bad_alloc&) {
    // The value is not remembered.
  }
}

bool KeyLocks::lock_shared(Key* key, std::uint64_t version) {
  detail::MutexLock lock(key->partition_->mutex);
  ++key->waiting_readers_;
  // A waiting writer goes first. Otherwise a stream of readers would keep it out for ever.
  while (!is_outdated(*key, version) && (key->writer_ || key->waiting_writers_ > 0))
    key->partition_->unlocked.wait(lock);
  --key->waiting_readers_;
  if (is_outdated(*key, version)) return false;
  AUTOSHARD_CHECK(!key->writer_ && key->watchers_ > 0, {"key", key->name()});
  ++key->readers_;
  return true;
}

void KeyLocks::unlock_shared(Key* key) {
  const detail::MutexLock lock(key->partition_->mutex);
  AUTOSHARD_CHECK(key->readers_ > 0 && !key->writer_, {"key", key->name()}, {"readers", key->readers_});
  if (--key->readers_ == 0) wake_waiting(*key);
}

bool KeyLocks::lock(Key* key, std::optional<std::uint64_t> version) {
  detail::MutexLock lock(key->partition_->mutex);
  if (version && is_outdated(*key, *version)) return false;
  ++key->waiting_writers_;
  while (!(version && is_outdated(*key, *version)) && (key->writer_ || key->readers_ > 0))
    key->partition_->unlocked.wait(lock);
  --key->waiting_writers_;
  if (version && is_outdated(*key, *version)) {
    wake_waiting(*key);  // readers that have let this writer go first
    return false;
  }
  AUTOSHARD_CHECK(!key->writer_ && !key->writing_ && key->readers_ == 0 && key->watchers_ > 0,
                  {"key", key->name()}, {"readers", key->readers_});
  key->writer_ = true;
  return true;
}

void KeyLocks::announce_write(Key* key) {
  const detail::MutexLock lock(key->partition_->mutex);
  AUTOSHARD_CHECK(key->writer_ && key->readers_ == 0, {"key", key->name()}, {"readers", key->readers_});
  key->writing_ = true;
  wake_waiting(*key);
}

void KeyLocks::unlock(Key* key, bool written) {
  const detail::MutexLock lock(key->partition_->mutex);
  AUTOSHARD_CHECK(key->writer_, {"key", key->name()});
  key->writer_ = key->writing_ = false;
  if (written) {
    ++key->version_;
    key->known_ = Known::kNothing;
  }
  wake_waiting(*key);
}

void KeyLocks::unlock_written(Key* key, const std::string* value) {
  const detail::MutexLock lock(key->partition_->mutex);
  AUTOSHARD_CHECK(key->writer_ && key->writing_, {"key", key->name()});
  key->writer_ = key->writing_ = false;
  ++key->version_;
  set_known(*key, value);
  wake_waiting(*key);
}

std::size_t KeyLocks::waiting(Key* key) {
  const detail::MutexLock lock(key->partition_->mutex);
  return key->waiting_writers_ + key->waiting_readers_;
}

void KeyLocks::wake_waiting(const Key& key) {
  if (key.waiting_writers_ + key.waiting_readers_ > 0) key.partition_->unlocked.notify_all();
}

}  // namespace autoshard::rocksdb_store
