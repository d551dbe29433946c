// The command line as data: verbs, their options and their targets. The parser, `--help`, completions, manual
// pages and the documentation's tables are generated from it.
#pragma once

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace tickreel::cli {

// The variable that receives the value of an option. A bool is a flag; a vector takes several values.
using target =
    std::variant<bool*, std::string*, std::vector<std::string>*, std::int32_t*, std::int64_t*, std::uint16_t*,
                 std::uint32_t*, std::uint64_t*, float*, double*, std::vector<double>*,
                 std::optional<std::uint16_t>*, std::optional<std::uint32_t>*, std::optional<std::uint64_t>*,
                 std::optional<double>*>;

// The kind of value that a shell completes.
enum class completion : std::uint8_t { files, folders, words, nothing };

// Checks one value; may rewrite it for later checks and the conversion.
struct value_check {
  // An error text; empty if the value is valid.
  std::function<std::string(std::string&)> run;
  std::string type = {};                // in `--help`, after the type of the target; may be empty
  std::string value_name = {};          // in manual pages: "FILE"; may be empty
  std::string limits = {};              // in manual pages: "0 to 65535"; may be empty
  std::vector<std::string> words = {};  // the permitted values; may be empty
  completion offers = completion::files;
  bool names_output = false;  // the value is the path of an output file
  bool names_input = false;   // the value is the path of an input file; positional arguments need no mark
};

struct option {
  std::string names;  // "-o,--output", "FILE"; "--bones,!--no-bones": the second one sets the flag to false
  target into;
  std::string help;
  std::vector<value_check> checks = {};  // in the order in which they run
  std::string value_name = {};           // in `--help`, replaces the target's type
  std::vector<std::string> needed = {};  // options that this one requires, as on the command line
  std::vector<std::string> excluded = {};
  int value_count = 0;       // values at each use; 0: one, or any number for a vector
  char value_separator = 0;  // splits one value into several
  bool is_required = false;
  bool is_hidden = false;            // hidden in `--help` and generated documentation
  bool takes_one_each_time = false;  // for a vector

  // Set by the parser:
  std::size_t count = 0;  // its values; for a flag, the number of uses
  std::function<std::string(const std::string&)> assign =
      {};  // adds a value; returns an error text if it is refused

  // Setters for descriptions in one expression.
  option& check(value_check what) { return checks.push_back(std::move(what)), *this; }
  option& required() { return is_required = true, *this; }
  option& hidden() { return is_hidden = true, *this; }
  option& values(int each_time) { return value_count = each_time, *this; }
  option& one_each_time() { return takes_one_each_time = true, *this; }
  option& separator(char at) { return value_separator = at, *this; }
  option& named(std::string value) { return value_name = std::move(value), *this; }
  option& needs(std::string other) { return needed.push_back(std::move(other)), *this; }
  option& excludes(std::string other) { return excluded.push_back(std::move(other)), *this; }

  [[nodiscard]] bool is_positional() const noexcept { return !names.starts_with('-'); }
  [[nodiscard]] bool is_flag() const noexcept { return std::holds_alternative<bool*>(into); }
  [[nodiscard]] bool takes_several() const noexcept;
  // "-o" and "--output"; "FILE" for a positional argument.
  [[nodiscard]] std::vector<std::string> name_list() const;
  // The longest name: "--output".
  [[nodiscard]] std::string name() const;
  // Whether the flag of that name sets the target to false.
  [[nodiscard]] bool negates(std::string_view name) const;
};

// A verb, or the program itself. References to its members stay valid when more are added.
struct command {
  std::string name;
  std::string summary;
  const command* parent = nullptr;
  std::list<option> options = {};
  std::list<command> subcommands = {};
  std::string notes = {};                  // complete lines after the options
  std::vector<std::string> examples = {};  // as typed in a shell
  std::function<int()> run = {};           // empty for a command that requires a subcommand

  command& add_subcommand(std::string verb, std::string what);
  // `into` must outlive the command.
  template <class Into>
  option& add_option(std::string option_names, Into& into, std::string help = {}) {
    return add(std::move(option_names), &into, std::move(help));
  }
  option& add_flag(std::string option_names, bool& into, std::string help) {
    return add(std::move(option_names), &into, std::move(help));
  }
  // All of these options require, or exclude, `other`.
  void only_with(const char* other, std::initializer_list<const char*> these);
  void never_with(const char* other, std::initializer_list<const char*> these);

  option& add(std::string option_names, target into, std::string help);

  // "record echo"; empty for the program.
  [[nodiscard]] std::string path() const;
  // Null if there is no command of that name.
  [[nodiscard]] option* find_option(std::string_view option_name);
  [[nodiscard]] const command* find_subcommand(std::string_view verb) const;
};

}  // namespace tickreel::cli
