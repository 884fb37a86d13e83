# cmake -D PAGE=... -D OUTPUT=... -P embed_page.cmake: writes a source with the function of page.h. A compiler may limit
# the length of a literal, so the page is divided.
file(READ ${PAGE} text)
string(LENGTH "${text}" length)
set(literals "")
set(step 8000)
foreach(begin RANGE 0 ${length} ${step})
  string(SUBSTRING "${text}" ${begin} ${step} part)
  string(APPEND literals "\n    R\"page(${part})page\"")
endforeach()
file(WRITE ${OUTPUT} "#include \"page.h\"

namespace autoshard::monitor {

std::string_view page() {
  static constexpr std::string_view kPage =${literals};
  return kPage;
}

}  // namespace autoshard::monitor
")
