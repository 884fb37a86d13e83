#ifndef THERMOSTAT_H
#define THERMOSTAT_H

/* From the days of C: the type and its only object in one breath. */
class [[autoshard::entity]] thermostat {
 public:
  int wanted() const { return tenths; }

 private:
  [[autoshard::id]] int room = 0;
  int tenths = 210;
} *the_thermostat;  // expect: autoshard-declarator

#endif
