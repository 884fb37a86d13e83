#include <autoshard/codec.h>
#include <autoshard/errors.h>

#include <algorithm>
#include <vector>

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
    const std::string before = parts(change.before), after = parts(change.after);
    if (before == after) return;
    const Elements gone = elements(before), put = elements(after);
    for (const std::string_view element : put) {
      if (std::ranges::binary_search(gone, element)) continue;
      StagedWrites::Write& write = writes.put();
      write.key = entry(change.key, element);
      write.value = std::string(kNothing);
      check_size(change.key, write.key, limits, element);
    }
    for (const std::string_view element : gone) {
      if (!std::ranges::binary_search(put, element)) writes.erase().key = entry(change.key, element);
    }
  }

  void restore(Transaction& transaction, const EntityChange& change, bool,
               const EntryLimits& limits) const override {
    const std::string all = parts(change.after);
    for (const std::string_view element : elements(all)) {
      const RecordKey missing = entry(change.key, element);
      check_size(change.key, missing, limits, element);
      transaction.put(missing, kNothing);
    }
  }

  void clean(Transaction& transaction, std::string_view record_key) const override {
    const std::string_view suffix = record_key.substr(key().size());
    EntityKey owner;
    try {
      owner = entity_of(record_key, suffix, {});
    } catch (const CorruptRecord&) {
      return transaction.erase(record_key);
    }
    const std::shared_ptr<void> entity = read_members(transaction, owner, kBeforeAllTimes);
    const std::string all = parts(entity.get());
    if (!std::ranges::binary_search(elements(all), suffix.substr(0, size_of_values(suffix))))
      transaction.erase(record_key);
  }

  std::vector<std::string> entry_prefixes() const override { return {key()}; }
  bool repeats_entities() const override { return true; }

 private:
  static constexpr std::string_view kNothing = "\xC0";

  static std::string form() {
    std::string text;
    append_text(text, "elements");  // do not change: stored
    return text;
  }

  /// Different elements, sorted, in the form of keys.
  using Elements = std::vector<std::string_view>;

  /// Returns the elements of the entity in the form of keys, one after the other. Empty if `entity` is null.
  std::string parts(const void* entity) const {
    std::string parts;
    if (entity) declared().append_key(parts, entity);
    return parts;
  }

  /// The result refers to `parts`.
  Elements elements(std::string_view parts) const {
    Elements elements;
    while (!parts.empty()) {
      elements.push_back(parts.substr(0, size_of_values(parts)));
      parts.remove_prefix(elements.back().size());
    }
    std::ranges::sort(elements);
    const auto repeated = std::ranges::unique(elements);
    elements.erase(repeated.begin(), repeated.end());
    return elements;
  }

  RecordKey entry(EntityKeyView entity_key, std::string_view element) const {
    return {std::string(key()).append(element), id_in(entity_key)};
  }
};

}  // namespace

std::unique_ptr<const EntityIndex> make_elements_index(const EntityType& type, const IndexType& declared) {
  return std::make_unique<ElementsIndex>(type, declared);
}

}  // namespace autoshard::detail
