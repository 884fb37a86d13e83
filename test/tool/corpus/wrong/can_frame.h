/* A frame on the CAN bus, read either as bytes or as a word. */
#ifndef CAN_FRAME_H
#define CAN_FRAME_H

#include <stdint.h>

namespace can {

// wrong:
union [[autoshard::entity]] frame {
// expect: autoshard-entity-union: 'frame' is a union; use a class
  [[autoshard::id]] uint32_t word;
  uint8_t bytes[4];
// right:
// struct [[autoshard::entity]] frame {
//   [[autoshard::id]] uint32_t word;
};

}  // namespace can

#endif
