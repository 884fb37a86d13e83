#include "spelling.h"

#include "text.h"

namespace autoshard::test {

std::string Spelling::macro(const std::string& text) {
  if (!choices_.sometimes(4) || text.find("//") != std::string::npos || text.find('#') != std::string::npos)
    return text;
  std::string macro = "M" + number_ + "_" + std::to_string(macros_++);
  if (choices_.sometimes(30)) undefines_ += "#undef " + macro + "\n";
  switch (choices_.below(3)) {
    case 0:
      defines_ += "#define " + macro + " " + filled(text, "\n", " ") + "\n";
      return macro;
    case 1:
      defines_ += "#define " + macro + "(...) __VA_ARGS__\n";
      return macro + "(" + text + ")";
    default:
      defines_ += "#define " + macro + "() \\\n  " + filled(text, "\n", " ") + "\n";
      return macro + "()";
  }
}

std::string Spelling::list(const std::vector<std::string>& attributes) {
  std::string plain;
  std::string scoped;
  for (const std::string& one : attributes) {
    plain += (plain.empty() ? "" : ", ") + ("autoshard::" + one);
    scoped += (scoped.empty() ? "" : ", ") + one;
  }
  std::string text;
  switch (choices_.below(12)) {
    case 0:
      text = "[[using autoshard: " + scoped + "]]";
      break;
    case 1:
      text = "[[" + plain + ", maybe_unused]]";
      break;
    case 2:
      text = "[[maybe_unused, " + plain + "]]";
      break;
    case 3:
      text = "[[maybe_unused]] [[" + plain + "]]";
      break;
    case 4:
      text = "[[" + plain + "]] [[maybe_unused]]";
      break;
    case 5:
      text = "[[]] [[, " + plain + ",, ]]";
      break;
    case 6:
      text = "[ [" + plain + "] ]";
      break;
    case 7:
      text = "[[\n    " + filled(plain, ", ", ",\n    ") + "\n]]";
      break;
    case 8:
      text = "[[ autoshard :: " + scoped + " ]]";
      if (attributes.size() > 1) text = "[[" + plain + "]]";
      break;
    default:
      text = "[[" + plain + "]]";
  }
  if (wrong(6))
    text =
        choices_.one_of({"[[autoshard::shardble]]", "[[autoshard::id(1)]]", "[[autoshrad::id]]",
                         "[[autoshard::]]", "[[autoshard::entity]]", "[[autoshard::shard_method(x)]]",
                         "[[autoshard::shard_write]]", "[[autoshard::transient, autoshard::id]]",
                         "[[autoshard::id]] [[autoshard::id]]", "[[autoshard::shard_fold(none)]]",
                         "[[using autoshard: ]]", "[[autoshard::also_load(3)]]", "[[autoshard::shardable]]"});
  return macro(text);
}

}  // namespace autoshard::test
