#include "entities/types/stage.autoshard.h"
#include "golden_check.h"

GOLDEN_CHECK(stage) {
  using stage::Stage;

  autoshard::MemoryStore store;
  autoshard::Mapper mapper{store};
  mapper.save(Stage{"main", 0b101});
  mapper.apply<&Stage::light>("main", 69U);
  mapper.apply<&Stage::light_all>("main", stage::Lamps{3});
  mapper.apply<&Stage::close>("main", 1U);
  mapper.apply<&Stage::close_all_but>("main", 0b111U);
  mapper.apply<&Stage::press>("main", 0U);
  mapper.apply<&Stage::press_all>("main");
  auto loaded = mapper.load<Stage>("main");
  CHECK(loaded->days() == 0b101 && loaded->doors() == 2);
  CHECK(loaded->lit() == stage::Lamps{3}.set(69));
  CHECK(loaded->open() == 0b101 && loaded->pressed() == 0b110);
  loaded->press(2);
  loaded->light(5);
  mapper.save(*loaded);
  CHECK(mapper.load<Stage>("main")->pressed() == 0b010 && mapper.load<Stage>("main")->lit().count() == 4);
  mapper.apply<&Stage::release>("main");
  mapper.apply<&Stage::press>("main", 0U);
  CHECK(mapper.load<Stage>("main")->pressed() == 0b001);
}
