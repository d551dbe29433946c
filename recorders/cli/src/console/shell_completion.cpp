// Completion scripts find the verb among the words before the cursor, then offer its options, or the values
// of the option before the cursor.
#include <fmt/format.h>

#include <map>

#include "option_text.hpp"

namespace tickreel::cli {

namespace {

// For a shell's single quotes; in fish, backslashes are escapes inside them.
std::string in_quotes(std::string_view text, bool for_fish = false) {
  std::string out = "'";
  for (const char each : text) {
    if (each == '\'') {
      out += for_fish ? "\\'" : "'\\''";
    } else if (each == '\\' && for_fish) {
      out += "\\\\";
    } else {
      out += each;
    }
  }
  return out + '\'';
}

std::string with_spaces(const std::vector<std::string>& words) {
  std::string out;
  for (const std::string& each : words) out += (out.empty() ? "" : " ") + each;
  return out;
}

std::string all_paths(const command& program, std::string_view between) {
  std::string out;
  for (const command* each : commands_of(program)) {
    if (each->parent == nullptr) continue;
    out += fmt::format("{}{}", out.empty() ? "" : between, in_quotes(each->path()));
  }
  return out;
}

struct described {
  std::string name;
  std::string help;
};

std::vector<described> options_of(const command& of) {
  std::vector<described> out;
  for (const option* each : shown_options(of)) {
    if (each->is_positional()) continue;
    for (std::string& name : each->name_list()) out.push_back({std::move(name), each->help});
  }
  out.push_back({"--help", "Print help and exit"});
  if (of.parent == nullptr) out.push_back({"--version", "Print the version and exit"});
  return out;
}

// The shell command that completes a value, as a line of its script.
using offer_lines = std::string (*)(completion offers, const std::vector<std::string>& words);

std::string bash_offer(completion offers, const std::vector<std::string>& words) {
  switch (offers) {
    case completion::words:
      return "mapfile -t COMPREPLY < <(compgen -W " + in_quotes(with_spaces(words)) + " -- \"$word\")";
    case completion::files:
      return "compopt -o filenames; mapfile -t COMPREPLY < <(compgen -f -- \"$word\")";
    case completion::folders:
      return "compopt -o filenames; mapfile -t COMPREPLY < <(compgen -d -- \"$word\")";
    case completion::nothing:
      break;
  }
  return ":";
}

std::string zsh_offer(completion offers, const std::vector<std::string>& words) {
  switch (offers) {
    case completion::words:
      return "compadd -- " + with_spaces(words);
    case completion::files:
      return "_files";
    case completion::folders:
      return "_files -/";
    case completion::nothing:
      break;
  }
  return ":";
}

// Branches of a `case` over "verb:option", one for each distinct line.
std::string value_cases(const command& program, offer_lines line_of) {
  std::map<std::string, std::string> patterns;
  for (const command* verb : commands_of(program)) {
    for (const option* each : shown_options(*verb)) {
      if (each->is_positional() || each->is_flag()) continue;
      std::string& all = patterns[line_of(offers_of(*each), words_of(*each))];
      for (const std::string& name : each->name_list()) {
        all += (all.empty() ? "    " : " | \\\n    ") + in_quotes(verb->path() + ':' + name);
      }
    }
  }
  std::string out;
  for (const auto& [line, all] : patterns) out += fmt::format("{})\n      {}; return ;;\n", all, line);
  return out;
}

// The same for words that are not options: the first positional argument represents all of them.
std::string argument_cases(const command& program, offer_lines line_of) {
  std::string out;
  for (const command* verb : commands_of(program)) {
    const auto options = shown_options(*verb);
    if (!verb->subcommands.empty() || options.empty() || !options.front()->is_positional()) continue;
    out += fmt::format("    {}) {} ;;\n", in_quotes(verb->path()),
                       line_of(offers_of(*options.front()), words_of(*options.front())));
  }
  return out;
}

}  // namespace

std::string bash_completion(const command& program) {
  std::string options;
  std::string verbs;
  for (const command* verb : commands_of(program)) {
    std::vector<std::string> names;
    for (const described& each : options_of(*verb)) names.push_back(each.name);
    options +=
        fmt::format("      {}) offered={} ;;\n", in_quotes(verb->path()), in_quotes(with_spaces(names)));
    if (verb->subcommands.empty()) continue;
    std::vector<std::string> below;
    for (const command& each : verb->subcommands) below.push_back(each.name);
    verbs += fmt::format("    {}) {} ;;\n", in_quotes(verb->path()), bash_offer(completion::words, below));
  }
  return fmt::format(
      R"(# Completion of {0} in bash, made by '{0} completion bash'.
_{0}() {{
  local word=${{COMP_WORDS[COMP_CWORD]}} previous=${{COMP_WORDS[COMP_CWORD - 1]}} verb= next= offered= i
  COMPREPLY=()
  for ((i = 1; i < COMP_CWORD; ++i)); do
    next="${{verb:+$verb }}${{COMP_WORDS[i]}}"
    case "$next" in
      {1}) verb=$next ;;
    esac
  done
  case "$verb:$previous" in
{2}  esac
  if [[ $word == -* ]]; then
    case "$verb" in
{3}    esac
    mapfile -t COMPREPLY < <(compgen -W "$offered" -- "$word")
    return
  fi
  case "$verb" in
{4}{5}  esac
}}
complete -F _{0} {0}
)",
      program.name, all_paths(program, " | "), value_cases(program, bash_offer), options, verbs,
      argument_cases(program, bash_offer));
}

std::string zsh_completion(const command& program) {
  const auto list = [](const std::vector<described>& all) {
    std::string out;
    for (const described& each : all) {
      std::string name;
      for (const char letter : each.name) name += letter == ':' ? std::string("\\:") : std::string(1, letter);
      out += "\n        " + in_quotes(name + ':' + each.help);
    }
    return out;
  };
  std::string options;
  std::string verbs;
  for (const command* verb : commands_of(program)) {
    options += fmt::format("      {}) offered=({}) ;;\n", in_quotes(verb->path()), list(options_of(*verb)));
    if (verb->subcommands.empty()) continue;
    std::vector<described> below;
    for (const command& each : verb->subcommands) below.push_back({each.name, each.summary});
    verbs += fmt::format("    {}) offered=({}); _describe verb offered ;;\n", in_quotes(verb->path()),
                         list(below));
  }
  return fmt::format(
      R"(#compdef {0}
# Completion of {0} in zsh, made by '{0} completion zsh'.
_{0}() {{
  local verb= next= i
  local -a offered
  for ((i = 2; i < CURRENT; ++i)); do
    next="${{verb:+$verb }}${{words[i]}}"
    case "$next" in
      {1}) verb=$next ;;
    esac
  done
  case "$verb:${{words[CURRENT - 1]}}" in
{2}  esac
  if [[ ${{words[CURRENT]}} == -* ]]; then
    case "$verb" in
{3}    esac
    _describe -o option offered
    return
  fi
  case "$verb" in
{4}{5}  esac
}}
if [[ ${{funcstack[1]}} == _{0} ]]; then _{0} "$@"; else compdef _{0} {0}; fi
)",
      program.name, all_paths(program, " | "), value_cases(program, zsh_offer), options, verbs,
      argument_cases(program, zsh_offer));
}

std::string fish_completion(const command& program) {
  std::string out = fmt::format(
      R"(# Completion of {0} in fish, made by '{0} completion fish'.
function __{0}_at
  set -l verb
  set -l known {1}
  for word in (commandline -opc)[2..-1]
    set -l next (string join -- ' ' $verb $word)
    contains -- "$next" $known; and set verb $verb $word
  end
  set -l found (string join -- ' ' $verb)
  test "$found" = "$argv"
end
complete -c {0} -f
)",
      program.name, all_paths(program, " "));
  for (const command* verb : commands_of(program)) {
    const std::string at =
        fmt::format("complete -c {} -n {}", program.name,
                    in_quotes(fmt::format("__{}_at {}", program.name, in_quotes(verb->path(), true)), true));
    for (const command& each : verb->subcommands) {
      out += fmt::format("{} -a {} -d {}\n", at, each.name, in_quotes(each.summary, true));
    }
    for (const option* each : shown_options(*verb)) {
      std::string value;
      const completion offers = offers_of(*each);
      if (offers == completion::files) value = " -F";
      if (offers == completion::words) value = " -f -a " + in_quotes(with_spaces(words_of(*each)), true);
      if (offers == completion::folders) value = " -f -a '(__fish_complete_directories)'";
      if (offers == completion::nothing) value = " -f";
      if (each->is_positional()) {
        out += at + value + '\n';
        continue;
      }
      std::string names;
      for (const std::string& name : each->name_list()) {
        names += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
      }
      out +=
          at + names + (each->is_flag() ? "" : " -r" + value) + " -d " + in_quotes(each->help, true) + '\n';
    }
    out += at + " -s h -l help -d 'Print help and exit'\n";
  }
  return out;
}

}  // namespace tickreel::cli
