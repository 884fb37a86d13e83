#pragma once

#include "markdown.h"
#include "rules.h"

namespace autoshard::guides {

/// Whether the page has files of examples, or classes that the generator refuses.
bool has_examples(const Page& page);

/// Writes the files of the page into a folder, generates, compiles all, runs each program, and compares its
/// standard output with the block `text output of NAME.cpp`. A .cpp file without `main` defines methods of
/// the classes of the page; each program is linked with it. Also compares excerpts of generated files.
Findings wrong_examples(const Page& page);

}  // namespace autoshard::guides
