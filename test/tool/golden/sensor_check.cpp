#include "check.h"
#include "sensor.autoshard.h"

int main() {
  autoshard::MemoryStore store;
  autoshard::Mapper mapper{store};
  Sensor sensor;
  sensor.rename(9);
  sensor.read();
  mapper.save(sensor);
  mapper.apply<&Sensor::read>(9U);
  CHECK(readings_of(*mapper.load<Sensor>(9U)) == 2);
}
