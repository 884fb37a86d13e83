#pragma once

#include <autoshard/store.h>

#include <memory>

namespace autoshard {

namespace memory_store {  // internal
class Records;
}

/// A store in this process's memory, for tests. It fulfils the contract of the other stores; its records are
/// gone with the object.
class MemoryStore final : public Store {
 public:
  MemoryStore();
  ~MemoryStore() override;

  StoreTraits traits() const override;
  std::unique_ptr<Transaction> begin() override;
  std::unique_ptr<Snapshot> snapshot() override;

 private:
  std::shared_ptr<memory_store::Records> records_;
};

}  // namespace autoshard
