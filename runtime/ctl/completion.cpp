#include "completion.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstddef>
#include <set>

#include "record_json.h"

namespace autoshard::ctl {
namespace {

// The script begins with a function for both shells. It prints the candidates for one word, a line each, and
// fails if the word is the name of a file. In its text, @NAME@ stands for a list that is made of the
// commands.
constexpr const char* kCandidates =
    R"sh(# The word to complete, and the words before it without the name of the program.
_autoshardctl_candidates() {
  local current=$1 store='' command='' option='' words=0 word=''
  shift
  for word in "$@"; do
    if [ -n "$option" ]; then
      option=''
    elif [ -z "${word##-*}" ]; then
      case $word in @VALUE_OPTIONS@) option=$word ;; esac
    elif [ -z "$store$command" ]; then
      case $word in @STORELESS@) command=$word ;; *) store=$word ;; esac
    elif [ -z "$command" ]; then
      command=$word
    else
      words=$((words + 1))
    fi
  done
  case $option in
    '') ;;
    --form) printf '%s\n' @FORMS@; return ;;
    --repair) return 1 ;;
    *) return ;;
  esac
  if [ -z "${current##-*}" ] && [ -n "$current" ]; then
    printf '%s\n' --json --help
    case $command in
@OPTIONS@
    esac
    return
  fi
  if [ -z "$store$command" ]; then
    printf '%s\n' rocksdb: mysql: @STORELESS_WORDS@
    return
  fi
  case "$command $words" in
    ' 0') printf '%s\n' @COMMANDS@ ;;
@WORDS@
  esac
}
)sh";

constexpr const char* kBash = R"sh(
# bash cuts words at colons, and replaces what follows the last one.
_autoshardctl() {
  local line=${COMP_LINE:0:COMP_POINT} current='' candidate='' cut=''
  local -a words
  read -ra words <<< "$line"
  if [[ $line != *[[:space:]] ]]; then
    current=${words[${#words[@]} - 1]}
    unset 'words[${#words[@]} - 1]'
  fi
  COMPREPLY=()
  if [[ $COMP_WORDBREAKS == *:* && $current == *:* ]]; then cut=${current%:*}:; fi
  if [[ $current == rocksdb:* ]]; then
    compopt -o filenames -o nospace
    while read -r candidate; do
      candidate=rocksdb:$candidate
      COMPREPLY+=("${candidate#"$cut"}")
    done < <(compgen -d -- "${current#rocksdb:}")
    return
  fi
  local candidates
  if ! candidates=$(_autoshardctl_candidates "$current" "${words[@]:1}"); then
    compopt -o filenames
    mapfile -t COMPREPLY < <(compgen -f -- "$current")
    return
  fi
  while IFS= read -r candidate; do
    if [[ -n $candidate && $candidate == "$current"* ]]; then
      COMPREPLY+=("$(printf %q "${candidate#"$cut"}")")
    fi
  done <<< "$candidates"
  if [[ ${COMPREPLY[*]} == *: ]]; then compopt -o nospace; fi
}
complete -F _autoshardctl autoshardctl
)sh";

constexpr const char* kZsh = R"sh(
_autoshardctl() {
  local candidates
  if [[ $words[CURRENT] == rocksdb:* ]]; then
    compset -P rocksdb:
    _files -/
  elif candidates=$(_autoshardctl_candidates "$words[CURRENT]" "${(@)words[2,CURRENT-1]}"); then
    compadd -- ${(f)candidates}
  else
    _files
  fi
}
compdef _autoshardctl autoshardctl
)sh";

void replace(std::string& text, const std::string& name, const std::string& by) {
  const std::string mark = '@' + name + '@';
  for (std::size_t at = text.find(mark); at != std::string::npos; at = text.find(mark, at + by.size()))
    text.replace(at, mark.size(), by);
}

/// What prints the candidates for a word of a command; empty if there are none.
std::string candidates_of(const std::string& word) {
  if (word == "KIND")
    return R"sh(autoshardctl "$store" kinds --json 2> /dev/null | sed -n 's/^{"kind":"\([^"]*\)".*/\1/p')sh";
  if (word == "FILE" || word == "DIR") return "return 1";
  if (word == "TO") return R"(printf '%s\n' rocksdb: mysql:)";
  if (word == "SHELL") return R"(printf '%s\n' bash zsh)";
  return {};
}

}  // namespace

std::string completion_script(const CLI::App& app, const std::string& shell) {
  std::string commands, options, words;
  std::set<std::string> value_options;
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; })) {
    const std::string& name = command->get_name();
    if (!takes_no_store(name)) commands += (commands.empty() ? "" : " ") + name;
    std::string of_command;
    int place = 0;
    for (const CLI::Option* option : command->get_options()) {
      if (option->get_positional()) {
        const std::string candidates = candidates_of(option->get_name(/*positional=*/true));
        if (!candidates.empty()) words += fmt::format("    '{} {}') {} ;;\n", name, place, candidates);
        ++place;
        continue;
      }
      const std::string option_name = "--" + option->get_lnames().front();
      if (option_name == "--help") continue;
      of_command += ' ' + option_name;
      if (option->get_type_size() > 0) value_options.insert(option_name);
    }
    if (!of_command.empty()) options += fmt::format("      {}) printf '%s\\n'{} ;;\n", name, of_command);
  }
  std::string forms_in_quotes;
  for (const std::string& form : forms())
    forms_in_quotes += (forms_in_quotes.empty() ? "'" : " '") + form + '\'';
  std::string script = kCandidates;
  replace(script, "VALUE_OPTIONS", fmt::format("{}", fmt::join(value_options, "|")));
  replace(script, "STORELESS", "backups|completion");
  replace(script, "STORELESS_WORDS", "backups completion");
  replace(script, "COMMANDS", commands);
  replace(script, "FORMS", forms_in_quotes);
  replace(script, "OPTIONS", options.substr(0, options.size() - 1));
  replace(script, "WORDS", words.substr(0, words.size() - 1));
  const bool is_bash = shell == "bash";
  return (is_bash ? "# Completion for bash. In ~/.bashrc: source <(autoshardctl completion bash)\n"
                  : "#compdef autoshardctl\n# Completion for zsh. In ~/.zshrc, behind compinit: source "
                    "<(autoshardctl completion zsh)\n") +
         script + (is_bash ? kBash : kZsh);
}

}  // namespace autoshard::ctl
