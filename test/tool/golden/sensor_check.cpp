#include "entities/forms/sensor.autoshard.h"
#include "golden_check.h"

GOLDEN_CHECK(sensor) {
  autoshard::MemoryStore store;
  autoshard::Mapper mapper{store};
  Sensor sensor;
  sensor.rename(9);
  sensor.read();
  mapper.save(sensor);
  mapper.apply<&Sensor::read>(9U);
  CHECK(readings_of(*mapper.load<Sensor>(9U)) == 2);
}
