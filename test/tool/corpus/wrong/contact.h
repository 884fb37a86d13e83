#pragma once
#include <optional>
#include <string>

namespace crm {

class [[autoshard::entity]] Contact {
 public:
  explicit Contact(std::string mail) : mail_(std::move(mail)) {}

  [[autoshard::shard_method]] void mailed() noexcept { ++mails_; }
  [[autoshard::shard_fold]] static unsigned add(unsigned a, unsigned b) noexcept { return a + b; }

 private:
  [[autoshard::id]] std::string mail_;
  // wrong:
  std::optional<std::string> phone_;
  // Was "phone" before there were two of them.
  [[autoshard::also_load("phone")]] std::optional<std::string> mobile_;
  // expect: autoshard-also-load: records hold 'phone_' under the name 'phone', so 'mobile_' cannot be loaded
  //     from it; remove this name or rename 'phone_'
  // right:
  // std::optional<std::string> landline_;
  // // Was "phone" before there were two of them.
  // [[autoshard::also_load("phone")]] std::optional<std::string> mobile_;
  [[autoshard::shardable(neutral = 0, shards = 2)]] unsigned mails_ = 0;
};

}  // namespace crm
