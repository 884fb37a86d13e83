#include "entities/versions/profile/profile.autoshard.h"
#include "entities/versions/profile/profile_v1.autoshard.h"
#include "golden_check.h"

/// How many records hold `text`, in their key or their value.
static int mentions(autoshard::Store& store, std::string_view text) {
  int count = 0;
  const auto snapshot = store.snapshot();
  for (const auto cursor = snapshot->scan({}, "\xFF"); cursor->valid(); cursor->next()) {
    const bool found = cursor->key().find(text) != std::string_view::npos ||
                       cursor->value().find(text) != std::string_view::npos;
    count += found ? 1 : 0;
  }
  return count;
}

GOLDEN_CHECK(profile) {
  using New = forum::Profile;
  using Old = forum::v1::Profile;

  autoshard::detail::allow_versions_of_classes(true);
  autoshard::MemoryStore store;
  autoshard::Mapper mapper{store};
  Old old{1, "ann"};
  old.like();
  mapper.save(old);
  mapper.apply<&Old::like>(1);

  // What is there under the former names counts, and so do updates to both.
  mapper.apply<&New::like>(1);
  mapper.apply<&New::visit>(1);
  auto profile = *mapper.load<New>(1);
  CHECK(profile.name() == "ann" && profile.praise() == 3 && profile.views() == 6);
  CHECK(mapper.load<Old>(1)->likes() == 2);  // an older program goes on

  // The next save that changes the main record leaves nothing of the former name there.
  mapper.save(profile);
  CHECK(mentions(store, "nick") == 1 && mentions(store, "display_name") == 0);
  profile.rename("Ann");
  profile.like();
  mapper.save(profile);
  CHECK(mentions(store, "nick") == 0 && mentions(store, "display_name") == 1);
  profile = *mapper.load<New>(1);
  CHECK(profile.name() == "Ann" && profile.praise() == 4 && profile.views() == 6);

  // Where an older program has saved since, the new name has the last word.
  auto older = *mapper.load<Old>(1);
  CHECK(older.nick().empty());
  mapper.transact([&](autoshard::EntityTransaction& transaction) { transaction.save(older); });
  CHECK(mentions(store, "nick") == 1);
  CHECK(mapper.load<New>(1)->name() == "Ann");

  // Shards under the former name go with the entity.
  CHECK(mentions(store, "likes") > 0);
  // What is left says under which indexes the class writes.
  CHECK(mapper.erase<New>(1) && mentions(store, "Profile") == 1);
  mapper.save(New{1, "bob"});
  CHECK(mapper.load<New>(1)->praise() == 0);
}
