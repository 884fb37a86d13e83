# cmake -D FILES=... -D OUTPUT=... -D FUNCTION=... [-D NAMESPACE=...] -P EmbedFiles.cmake: writes a source with a function
# that returns the names and the texts of the files. The function is in the namespace autoshard::tool by default.
if(NOT NAMESPACE)
  set(NAMESPACE autoshard::tool)
endif()
set(rows "")
foreach(file IN LISTS FILES)
  get_filename_component(name ${file} NAME)
  file(READ ${file} text)
  string(APPEND rows "    {\"${name}\", R\"embedded(${text})embedded\"},\n")
endforeach()
file(
  WRITE ${OUTPUT}
  "#include <span>
#include <string_view>
#include <utility>

namespace ${NAMESPACE} {

std::span<const std::pair<std::string_view, std::string_view>> ${FUNCTION}();

std::span<const std::pair<std::string_view, std::string_view>> ${FUNCTION}() {
  static constexpr std::pair<std::string_view, std::string_view> kFiles[] = {
${rows}  };
  return kFiles;
}

}  // namespace ${NAMESPACE}
")
