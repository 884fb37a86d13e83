#pragma once

/// The text that the generator adds to a header. Nothing here is formatted: that comes last, over the whole.

#include <string>
#include <string_view>
#include <vector>

#include "tool/model/model.h"

namespace autoshard::tool {

/// What stands before the user's first line: where the file comes from, the include of the runtime's support
/// header, and the refusal to be compiled with a runtime of another format.
std::string banner(std::string_view header_name, std::string_view output_name);
/// The whole generated form of a header in which nothing is annotated. It includes the header itself, as
/// `path`: a copy would define again what the header defines.
std::string forwarding_header(std::string_view header_name, std::string_view path);

std::string banner_of_source(std::string_view source_name);

/// What stands before the user's first line where `source` is compiled in place.
std::string in_place_banner(const SourceFile& source);

/// What goes before the closing brace of the companion class: its `Shard`, and what the mapper needs.
std::string companion_members(const Entity& entity, const std::vector<SourceFile>& files);

/// Declarations of the friends of the companion, and of the companion itself, which friends may need. They
/// stand before it and outside its inline namespace.
std::string friend_declarations(const Entity& entity);

/// Whether the compiler may complain where the result of `method` is not used.
bool may_be_nodiscard(const Method& method);

/// Whether the companion says `inline` in the class. GCC warns of a definition that says so behind a
/// declaration that is marked `noinline`.
bool is_declared_inline(const Method& method);

/// Which shard methods have their bodies in `Shard`.
enum class Bodies {
  kFromInsideTheClass,
  kAll,  ///< for laws, which are compiled at once: the text has no marks of its origin
};

/// The definition of the entity's `Shard` under the name `name`, which may be qualified.
std::string shard_struct(const Entity& entity, const std::vector<SourceFile>& files, std::string_view name,
                         Bodies bodies);

/// The first statements of `method` if it is a shard_write: they note each member whose value it replaces.
/// They belong behind the first brace of its body. Empty for any other method.
std::string notes_of_write(const Entity& entity, const Method& method);

/// What goes before the closing brace of a class that is mapped or embedded.
std::string part_members();

/// The shard methods of the companion whose bodies were inside the class, to stand after it. `source` is the
/// file that holds the entity.
std::string shard_methods(const Entity& entity, const SourceFile& source);

/// The text before the body of a shard method that is defined outside the class. The body becomes that of the
/// method of the shard.
std::string head_of_definition(const Entity& entity, const Method& outside, const SourceFile& source);

/// The method of the companion, which stands behind that body.
std::string shard_method_outside(const Entity& entity, const Method& outside, const SourceFile& source);

/// The specialisation of `autoshard::Traits`, to stand at the end of the file.
std::string traits(const Entity& entity);

/// Stops the compiler where the generator did not see the lines that follow.
std::string skipped_region_guard();

}  // namespace autoshard::tool
