#ifndef THERMOSTAT_H
#define THERMOSTAT_H

/* From the days of C: the type and its only object in one breath. */
// wrong:
class [[autoshard::entity]] thermostat {
 public:
  int wanted() const { return tenths; }

 private:
  [[autoshard::id]] int room = 0;
  int tenths = 210;
} *the_thermostat;
// expect: autoshard-declarator: entity 'thermostat' is defined together with something else; declare that
//     apart from it
// right:
// class [[autoshard::entity]] thermostat {
//  public:
//   int wanted() const { return tenths; }
//
//  private:
//   [[autoshard::id]] int room = 0;
//   int tenths = 210;
// };
// inline thermostat* the_thermostat = nullptr;

#endif
