#include "key_locks.h"

namespace autoshard {

KeyLocks::Watch KeyLocks::watch(std::string_view name) {
  Partition& partition = partitions_[Hash()(name) % partitions_.size()];
  const std::lock_guard lock(partition.mutex);
  auto found = partition.keys.find(name);
  if (found == partition.keys.end()) {
    found = partition.keys.try_emplace(std::string(name)).first;
    found->second.partition_ = &partition;
    found->second.name_ = &found->first;
  }
  Key& key = found->second;
  ++key.watchers_;
  return {&key, key.version_};
}

void KeyLocks::unwatch(Key* key) {
  Partition& partition = *key->partition_;
  const std::lock_guard lock(partition.mutex);
  if (--key->watchers_ == 0) partition.keys.erase(partition.keys.find(*key->name_));
}

bool KeyLocks::lock_shared(Key* key, std::uint64_t version) {
  std::unique_lock lock(key->partition_->mutex);
  const auto outdated = [&] { return key->version_ != version || key->writing_; };
  // A writer that waits goes first: readers that keep coming would never let it in.
  const auto free = [&] { return !key->writer_ && key->waiting_writers_ == 0; };
  if (!outdated() && !free()) {
    ++key->waiting_readers_;
    key->partition_->unlocked.wait(lock, [&] { return outdated() || free(); });
    --key->waiting_readers_;
  }
  if (outdated()) return false;
  ++key->readers_;
  return true;
}

void KeyLocks::unlock_shared(Key* key) {
  const std::lock_guard lock(key->partition_->mutex);
  if (--key->readers_ == 0) wake_waiting(*key);
}

bool KeyLocks::lock(Key* key, std::optional<std::uint64_t> version) {
  std::unique_lock lock(key->partition_->mutex);
  const auto outdated = [&] { return version && (key->version_ != *version || key->writing_); };
  if (outdated()) return false;
  ++key->waiting_writers_;
  key->partition_->unlocked.wait(lock, [&] { return outdated() || (!key->writer_ && key->readers_ == 0); });
  --key->waiting_writers_;
  if (outdated()) {
    wake_waiting(*key);  // readers that let this one go first
    return false;
  }
  key->writer_ = true;
  return true;
}

void KeyLocks::announce_write(Key* key) {
  const std::lock_guard lock(key->partition_->mutex);
  key->writing_ = true;
  wake_waiting(*key);
}

void KeyLocks::unlock(Key* key, bool written) {
  const std::lock_guard lock(key->partition_->mutex);
  key->writer_ = key->writing_ = false;
  if (written) ++key->version_;
  wake_waiting(*key);
}

void KeyLocks::wake_waiting(const Key& key) {
  if (key.waiting_writers_ + key.waiting_readers_ > 0) key.partition_->unlocked.notify_all();
}

}  // namespace autoshard
