#pragma once

namespace coast {

// wrong:
class Ferry;
// expect: autoshard-forward-declaration: 'class Ferry;' would declare another class than the one that is
//     generated; give this file to the generator as well (HEADERS of autoshard_generate)
void inspect(const Ferry& ferry);
// right:
// // The generator is given this file, too: autoshard_generate(… HEADERS ferry.h ferry_fwd.h)
// class Ferry;
// void inspect(const Ferry& ferry);

}  // namespace coast
