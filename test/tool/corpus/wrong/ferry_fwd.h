#pragma once

namespace coast {

class Ferry;  // expect: autoshard-forward-declaration
void inspect(const Ferry& ferry);

}  // namespace coast
