#pragma once

/// The files that a run writes, and their names.

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "tool/model/model.h"
#include "tool/output/write.h"
#include "tool/pipeline.h"

namespace autoshard::tool {

/// What `unit`, one of the job's sources, becomes; all headers where it is empty. The model must have passed
/// every check.
std::vector<OutputFile> generated_files(const Job& job, const Model& model, const std::string& unit);

/// A source of GoogleTest that tries the laws of the entities, of which `laws` is known.
OutputFile generated_law_tests(const Job& job, const Model& model, const std::vector<EntityLaws>& laws);

/// The kind of each entity, its class and its header, for the check that no two classes in a program have one
/// kind.
OutputFile list_of_kinds(const Job& job, const Model& model);

/// The rule that says which files the outputs depend on.
OutputFile dependency_file(const Job& job, const std::vector<OutputFile>& outputs,
                           const std::set<std::string>& inputs);

/// Why `outputs` cannot be written where they belong; nothing where they can.
std::optional<std::string> collision(const Job& job, const std::vector<OutputFile>& outputs);

}  // namespace autoshard::tool
