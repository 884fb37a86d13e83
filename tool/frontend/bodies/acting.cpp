#include "tool/frontend/bodies/acting.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/DeclCXX.h>
#include <clang/AST/DeclTemplate.h>
#include <clang/Basic/SourceManager.h>
#include <llvm/ADT/StringSet.h>

#include "tool/frontend/bodies/standard.h"

namespace autoshard::tool {
namespace {

bool is_in_system_header(const clang::Decl& decl) {
  const clang::SourceLocation at = decl.getLocation();
  return at.isInvalid() || decl.getASTContext().getSourceManager().isInSystemHeader(at);
}

bool is_errno(llvm::StringRef name) {
  return name == "__errno_location" || name == "__error" || name == "_errno" || name == "__errno";
}

/// Whether a function of C or POSIX acts: it prints, reads, waits, draws random numbers, or uses the clock,
/// the environment or the locale, or it changes state of the process. The other functions of C and POSIX only
/// compute.
bool is_acting_c_function(const clang::FunctionDecl& function) {
  static const llvm::StringSet<> kActing = {
      "accept",    "alarm",      "arc4random",    "at_quick_exit", "atexit",        "bind",
      "chdir",     "clock",      "clock_gettime", "close",         "connect",       "creat",
      "dlopen",    "dlsym",      "dprintf",       "drand48",       "dup",           "dup2",
      "execv",     "execve",     "execvp",        "fclose",        "fdopen",        "fflush",
      "fgetc",     "fgets",      "fopen",         "fork",          "fprintf",       "fputc",
      "fputs",     "fread",      "freopen",       "fscanf",        "fseek",         "fstat",
      "ftell",     "ftime",      "fwprintf",      "fwrite",        "getc",          "getchar",
      "getcwd",    "getentropy", "getenv",        "gethostname",   "getline",       "getpid",
      "getppid",   "getrandom",  "gettid",        "gettimeofday",  "getuid",        "ioctl",
      "kill",      "listen",     "localeconv",    "localtime",     "localtime_r",   "lrand48",
      "lseek",     "lstat",      "mkdir",         "mkstemp",       "mktime",        "mmap",
      "mrand48",   "munmap",     "nanosleep",     "newlocale",     "nl_langinfo",   "open",
      "openat",    "openlog",    "pause",         "pclose",        "perror",        "pipe",
      "poll",      "popen",      "pread",         "printf",        "putc",          "putchar",
      "putenv",    "puts",       "putwchar",      "pwrite",        "raise",         "rand",
      "rand_r",    "random",     "read",          "recv",          "recvfrom",      "remove",
      "rename",    "rmdir",      "scanf",         "sched_yield",   "secure_getenv", "select",
      "send",      "sendto",     "setbuf",        "setenv",        "setlocale",     "setvbuf",
      "sigaction", "signal",     "sleep",         "socket",        "srand",         "srand48",
      "srandom",   "stat",       "strcoll",       "strtok",        "strxfrm",       "sysconf",
      "syslog",    "system",     "time",          "times",         "timespec_get",  "tmpfile",
      "tmpnam",    "tzset",      "uname",         "ungetc",        "unlink",        "unsetenv",
      "uselocale", "usleep",     "vdprintf",      "vfork",         "vfprintf",      "vprintf",
      "vsyslog",   "wait",       "waitpid",       "wprintf",       "write",         "writev"};
  if (!function.isExternC() && function.getBuiltinID() == 0) return false;
  llvm::StringRef name = identifier_of(&function);
  if (is_errno(name)) return true;
  const bool is_builtin = name.consume_front("__builtin_");
  if (is_builtin) {
    for (llvm::StringRef part : {"rdtsc", "rdrand", "rdseed", "cyclecounter", "steadycounter",
                                 "thread_pointer", "frame_address", "return_address"}) {
      if (name.contains(part)) return true;
    }
  }
  return kActing.contains(name) || name.starts_with("pthread_");
}

/// Whether a function of the standard library with this name acts, in any namespace or class of the library.
bool is_acting_name(llvm::StringRef name) {
  static const llvm::StringSet<> kActing = {"async",
                                            "call_once",
                                            "current_zone",
                                            "get_default_resource",
                                            "get_terminate",
                                            "get_tzdb",
                                            "locate_zone",
                                            "now",
                                            "print",
                                            "println",
                                            "set_default_resource",
                                            "set_new_handler",
                                            "set_terminate",
                                            "sync_with_stdio",
                                            "vprint"};
  return kActing.contains(name);
}

/// Whether the function uses the global locale: `std::locale::global()`, or the default constructor
/// `std::locale()`.
bool uses_the_locale(const clang::FunctionDecl& function) {
  const auto* method = llvm::dyn_cast<clang::CXXMethodDecl>(&function);
  if (!method || method->getParent()->getName() != "locale") return false;
  const auto* constructor = llvm::dyn_cast<clang::CXXConstructorDecl>(method);
  return constructor ? constructor->isDefaultConstructor() : identifier_of(&function) == "global";
}

/// Whether a function of the standard library acts. `strict`: a call of a `std::function` acts, too.
bool acts_in_library(const clang::FunctionDecl& function, bool strict) {
  if (is_acting_name(identifier_of(&function)) || uses_the_locale(function)) return true;
  for (const clang::DeclContext* at = function.getDeclContext(); at; at = at->getParent()) {
    const auto* named = llvm::dyn_cast<clang::NamedDecl>(at);
    if (!named || !named->getDeclName().isIdentifier()) continue;
    for (llvm::StringRef name :
         {"filesystem", "this_thread", "thread", "jthread", "random_device", "basic_ofstream",
          "basic_ifstream", "basic_fstream", "time_zone", "zoned_time", "basic_stacktrace"}) {
      if (named->getName() == name) return true;
    }
    if (strict && named->getName() == "function") return true;
  }
  return false;
}

/// Whether the function belongs to fmt, the origin of std::format. Its functions compute as those of
/// std::format do.
bool is_of_fmt(const clang::FunctionDecl& function) {
  for (const clang::DeclContext* at = function.getDeclContext(); at; at = at->getParent()) {
    const auto* named = llvm::dyn_cast<clang::NamespaceDecl>(at);
    if (named && named->getName() == "fmt" && named->getDeclContext()->isTranslationUnit()) return true;
  }
  return false;
}

/// Whether the name is reserved for the implementation: `__gnu_cxx::…`, `_mm_add_ps`.
bool is_reserved(const clang::FunctionDecl& function) {
  if (identifier_of(&function).starts_with("_")) return true;
  for (const clang::DeclContext* at = function.getDeclContext(); at; at = at->getParent()) {
    const auto* named = llvm::dyn_cast<clang::NamespaceDecl>(at);
    if (named && named->getName().starts_with("__")) return true;
  }
  return false;
}

/// Whether one of the arguments is a type of the user.
bool has_user_type(llvm::ArrayRef<clang::TemplateArgument> arguments) {
  return llvm::any_of(arguments, [](const clang::TemplateArgument& argument) {
    if (argument.getKind() != clang::TemplateArgument::Type) return false;
    const clang::TagDecl* tag = argument.getAsType()->getAsTagDecl();
    return tag && !is_standard(*tag);
  });
}

/// Whether `decl` is a specialisation for a type of the user, such as `std::hash<Key>`, or belongs to one.
bool is_specialised_by_user(const clang::Decl& decl) {
  const auto is_one = [](const clang::Decl& at) {
    const auto* instance = llvm::dyn_cast<clang::ClassTemplateSpecializationDecl>(&at);
    return instance && instance->getSpecializationKind() == clang::TSK_ExplicitSpecialization &&
           has_user_type(instance->getTemplateArgs().asArray());
  };
  if (is_one(decl)) return true;
  for (const clang::DeclContext* at = decl.getDeclContext(); at; at = at->getParent()) {
    if (is_one(*llvm::cast<clang::Decl>(at))) return true;
  }
  return false;
}

}  // namespace

bool is_library_declaration(const clang::Decl& decl) {
  return is_standard(decl) && !is_specialised_by_user(decl);
}

bool is_known_to_act(const clang::FunctionDecl& function, bool strict) {
  if (is_acting_c_function(function)) return true;
  const bool is_known = is_library_declaration(function) || is_of_fmt(function);
  return is_known && acts_in_library(function, strict);
}

bool is_of_library(const clang::FunctionDecl& function) {
  if (function.getBuiltinID() != 0 || is_of_fmt(function)) return true;
  if (is_library_declaration(function)) return true;
  return is_in_system_header(function) && (function.isExternC() || is_reserved(function));
}

std::string call_in_words(const clang::FunctionDecl& function) {
  if (is_errno(identifier_of(&function))) return "uses 'errno'";
  return "calls '" + function.getNameAsString() + "'";
}

}  // namespace autoshard::tool
