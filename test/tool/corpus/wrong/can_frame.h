/* A frame on the CAN bus, read either as bytes or as a word. */
#ifndef CAN_FRAME_H
#define CAN_FRAME_H

#include <stdint.h>

namespace can {

union [[autoshard::entity]] frame {  // expect: autoshard-entity-union
  [[autoshard::id]] uint32_t word;
  uint8_t bytes[4];
};

}  // namespace can

#endif
