#include "entity_errors.h"

#include <autoshard/errors.h>

#include "keys.h"

namespace autoshard::detail {

void throw_not_found(EntityKeyView key) {
  throw NotFound("there is no " + describe(key) + ": it was never saved, or it was erased");
}

void throw_saved_since(EntityKeyView key) {
  throw StaleEntity(describe(key) +
                    " was saved by another caller since it was loaded: load it, change it, save it again");
}

}  // namespace autoshard::detail
