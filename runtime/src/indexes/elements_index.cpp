#include <autoshard/codec.h>
#include <autoshard/errors.h>

#include <set>

#include "index_kinds.h"
#include "keys.h"

namespace autoshard::detail {
namespace {

class ElementsIndex final : public EntityIndex {
 public:
  ElementsIndex(const EntityType& type, const IndexType& declared) : EntityIndex(type, declared, form()) {}

  std::span<const std::string_view> main_members() const override { return declared().members; }

  void stage(Transaction&, const EntityChange& change, const EntryLimits& limits,
             StagedWrites& writes) const override {
    const std::set<std::string> before = entries(change.key, change.before),
                                after = entries(change.key, change.after);
    for (const std::string& entry : after) check_size(change.key, entry, limits);
    for (const std::string& entry : before) {
      if (!after.contains(entry)) writes.erase().key = entry;
    }
    for (const std::string& entry : after) {
      if (before.contains(entry)) continue;
      StagedWrites::Write& write = writes.put();
      write.key = entry;
      write.value = kNothing;
    }
  }

  void restore(Transaction& transaction, const EntityChange& change, bool,
               const EntryLimits& limits) const override {
    for (const std::string& entry : entries(change.key, change.after)) {
      check_size(change.key, entry, limits);
      transaction.put(entry, kNothing);
    }
  }

  void clean(Transaction& transaction, const std::string& record_key) const override {
    std::string owner;
    try {
      owner = entity_of(record_key, std::string_view(record_key).substr(key().size()), {});
    } catch (const CorruptRecord&) {
      return transaction.erase(record_key);
    }
    const std::shared_ptr<void> entity = read_members(transaction, owner, kBeforeAllTimes);
    if (!entity || !entries(owner, entity.get()).contains(record_key)) transaction.erase(record_key);
  }

  std::vector<std::string> entry_prefixes() const override { return {key()}; }
  bool repeats_entities() const override { return true; }

 private:
  static constexpr std::string_view kNothing = "\xC0";

  static std::string form() {
    std::string text;
    append_text(text, "elements");
    return text;
  }

  /// Returns the keys of the entity's entries, one for each element. Empty if `entity` is null.
  std::set<std::string> entries(std::string_view entity_key, const void* entity) const {
    std::set<std::string> keys;
    if (!entity) return keys;
    std::string elements;
    declared().append_key(elements, entity);
    for (std::string_view rest = elements; !rest.empty();) {
      const std::string_view element = rest.substr(0, size_of_values(rest));
      keys.insert((key() + std::string(element)).append(id_in(entity_key)));
      rest.remove_prefix(element.size());
    }
    return keys;
  }
};

}  // namespace

std::unique_ptr<const EntityIndex> make_elements_index(const EntityType& type, const IndexType& declared) {
  return std::make_unique<ElementsIndex>(type, declared);
}

}  // namespace autoshard::detail
