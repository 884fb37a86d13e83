#include "tool/frontend/compiler/flags.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/Option/Arg.h>
#include <llvm/Option/ArgList.h>
#include <llvm/Option/OptTable.h>
#include <llvm/Support/Path.h>

#include "tool/frontend/compiler/versions.h"

namespace autoshard::tool {
namespace {

/// Whether a flag is dropped. Flags for warnings are dropped, because the compiler of the project reports
/// warnings. Flags for compiling, linking and dependencies are dropped, because this run does none of these.
/// `-Wno-narrowing` and similar flags stay: they permit code that Clang rejects by default.
bool is_dropped(const llvm::opt::Arg& argument, const llvm::opt::ArgList& arguments) {
  if (llvm::StringRef(argument.getAsString(arguments)).starts_with("-Wno-")) return false;
  const llvm::opt::Option& option = argument.getOption();
  return option.getKind() == llvm::opt::Option::UnknownClass ||
         option.getKind() == llvm::opt::Option::InputClass || option.matches(driver_options::OPT_W_Group) ||
         option.matches(driver_options::OPT_pedantic_Group) ||
         option.matches(driver_options::OPT_Action_Group) || option.matches(driver_options::OPT_M_Group) ||
         option.matches(driver_options::OPT_o) || option.matches(driver_options::OPT__DASH_DASH) ||
         option.matches(driver_options::OPT_Link_Group);
}

}  // namespace

std::vector<std::string> command_line(const std::vector<std::string>& flags, const std::string& main_file) {
  // Clang looks for the standard library beside the compiler of this path.
  std::vector<std::string> command{AUTOSHARD_COMPILER};
  std::vector<const char*> raw;
  for (const std::string& flag : flags) raw.push_back(flag.c_str());
  unsigned missing_index = 0;
  unsigned missing_count = 0;
  llvm::opt::InputArgList arguments = getDriverOptTable().ParseArgs(raw, missing_index, missing_count);
  for (const llvm::opt::Arg* argument : arguments) {
    if (is_dropped(*argument, arguments)) continue;
    llvm::opt::ArgStringList rendered;
    argument->render(arguments, rendered);
    command.insert(command.end(), rendered.begin(), rendered.end());
  }
  if (!arguments.hasArg(driver_options::OPT_std_EQ)) command.push_back("-std=c++20");
  for (const char* own : {"-xc++", "-fsyntax-only", "-w", "-Qunused-arguments", "-fparse-all-comments",
                          "-resource-dir", AUTOSHARD_RESOURCE_DIR}) {
    command.push_back(own);
  }
  command.push_back(main_file);
  return command;
}

std::vector<std::string> with_absolute_includes(std::vector<std::string> flags,
                                                const std::string& directory) {
  bool is_path = false;
  for (std::string& flag : flags) {
    std::size_t path = is_path ? 0 : flag.size();
    is_path = false;
    for (llvm::StringRef name : {"-I", "-isystem", "-iquote", "-idirafter", "-include"}) {
      if (flag == name) is_path = true;
      // An equals sign means the system's root.
      if (path == flag.size() && flag.size() > name.size() && llvm::StringRef(flag).starts_with(name) &&
          flag[name.size()] != '=' && !(name == "-I" && flag[2] == '-')) {
        path = name.size();
      }
    }
    if (path == flag.size()) continue;
    llvm::SmallString<256> absolute(llvm::StringRef(flag).drop_front(path));
    make_absolute(directory, absolute);
    flag = flag.substr(0, path) + absolute.str().str();
  }
  return flags;
}

}  // namespace autoshard::tool
