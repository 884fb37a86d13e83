#include "updated_entity.h"

#include "entity_errors.h"
#include "layout.h"

namespace autoshard::detail {

void UpdatedEntity::read(Store& its_store, Now now, Transaction& its_transaction, const EntityType& its_type,
                         EntityKeyView its_key) {
  store = &its_store;
  transaction = &its_transaction;
  type = &its_type;
  key = its_key;
  main_key.set_main(key);
  if (!transaction->get(main_key, main_record) || is_gone(*type, key, main_record, now)) throw_not_found(key);
  read_head(*type, key, main_record, head);
}

void UpdatedEntity::set_layout(std::size_t place, const Layout& layout, StagedWrites& writes) {
  head.layouts[place] = layout;
  main_record = with_layout(*type, key, main_record, type->sharded[place], layout);
  StagedWrites::Write& write = writes.put();
  write.key = main_key;
  write.value = main_record;
}

}  // namespace autoshard::detail
