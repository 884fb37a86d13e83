#pragma once

#include "tool/model/marks.h"

namespace autoshard::tool {

/// What `annotations`, those of a property, say. Of two that are the same, the first one counts.
PropertyMarks property_marks(const std::vector<Annotation>& annotations);

/// The same of a method.
MethodMarks method_marks(const std::vector<Annotation>& annotations);

}  // namespace autoshard::tool
