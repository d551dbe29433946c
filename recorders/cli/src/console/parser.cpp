// The only file that includes CLI11, whose templates take seconds to compile in every file that sees them.
#include "parser.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <concepts>
#include <map>
#include <sstream>

#include "checks.hpp"
#include "console.hpp"
#include "stop_signal.hpp"
#include "tickreel/io/folder.hpp"
#include "tickreel/io/temporary_files.hpp"
#include "tickreel/text/ascii.hpp"
#include "tickreel/text/suggestion.hpp"
#include "tickreel/version.hpp"
#include "verb.hpp"

namespace tickreel::cli {

namespace {

using texts = std::vector<std::string>;

template <class Into>
bool convert_one(const std::string& text, Into& into) {
  if constexpr (std::same_as<Into, std::string>) {
    into = text;
    return true;
  } else if constexpr (std::integral<Into>) {
    return text::parse_number(text, into);
  } else {
    double number = 0;
    if (!read_number(text, number)) return false;
    into = static_cast<Into>(number);
    return true;
  }
}

template <class Into>
bool convert(const texts& values, Into& into) {
  return convert_one(values.front(), into);
}
template <class Into>
bool convert(const texts& values, std::optional<Into>& into) {
  return convert_one(values.front(), into.emplace());
}
template <class Into>
bool convert(const texts& values, std::vector<Into>& into) {
  into.clear();
  return std::ranges::all_of(values,
                             [&](const std::string& each) { return convert_one(each, into.emplace_back()); });
}

template <class Into>
constexpr const char* type_name() {
  if constexpr (std::floating_point<Into>) return "FLOAT";
  if constexpr (std::unsigned_integral<Into>) return "UINT";
  if constexpr (std::signed_integral<Into>) return "INT";
  return "TEXT";
}

struct base_type {
  template <class Into>
  const char* operator()(Into*) const {
    return type_name<Into>();
  }
  template <class Into>
  const char* operator()(std::optional<Into>*) const {
    return type_name<Into>();
  }
  template <class Into>
  const char* operator()(std::vector<Into>*) const {
    return type_name<Into>();
  }
};

// Marks words after '--' that begin with a hyphen: CLI11 takes '--' only before the first argument.
constexpr std::string_view argument_mark = "\x1F--\x1F";

std::string without_mark(const std::string& word) {
  return word.starts_with(argument_mark) ? word.substr(argument_mark.size()) : word;
}

// Without '--', and with the words after it marked.
texts mark_arguments(texts words) {
  const auto dashes = std::ranges::find(words, "--");
  if (dashes == words.end()) return words;
  for (auto each = words.erase(dashes); each != words.end(); ++each) {
    if (each->starts_with('-')) each->insert(0, argument_mark);
  }
  return words;
}

// Gives a description to CLI11 and copies the parsed values back.
class command_line {
 public:
  explicit command_line(command& program) : program_(program), app_(program.summary, program.name) {
    // On Windows too: an argument with a leading / is a path.
    app_.allow_windows_style_options(false);
    app_.set_version_flag("--version", fmt::format("{} {}", program.name, version_text));
    add(program, app_);
  }

  int run(const std::vector<std::string>& words) {
    try {
      texts marked = mark_arguments(words);
      // Without the program's name, and in reverse order, as CLI11 takes it.
      app_.parse(texts(marked.rbegin(), marked.rend() - 1));
    } catch (const CLI::ParseError& problem) {
      if (problem.get_exit_code() != 0) return report_parse_error(problem, words);
      std::ostringstream text;
      (void)app_.exit(problem, text, text);
      standard_output().write(text.str());
      return finish_output(done);
    }
    command& named = deepest();
    set_running_verb(named.path());
    for (option& each : named.options) each.count = made_.at(&each)->count();
    if (const int problem = refuse_shared_files(named); problem != done) return problem;
    catch_stop_signals();
    const int code = finish_output(named.run());
    if (code == failed && stop_requested()) report_interruption();
    remove_leftovers(named);
    return code;
  }

 private:
  // The files that the verb reads, as far as arguments name them, or writes.
  [[nodiscard]] texts files_of(const command& verb, bool written) const {
    texts out;
    for (const option& each : verb.options) {
      const bool is_output = std::ranges::any_of(each.checks, &value_check::names_output);
      const bool is_input =
          !is_output && (each.is_positional() || std::ranges::any_of(each.checks, &value_check::names_input));
      if (written ? !is_output : !is_input) continue;
      const texts values = made_.at(&each)->results();
      out.insert(out.end(), values.begin(), values.end());
    }
    return out;
  }

  [[nodiscard]] int refuse_shared_files(const command& verb) const {
    return refuse_shared_outputs(files_of(verb, true), files_of(verb, false));
  }

  // Those of outputs that the verb did not create: it failed before.
  void remove_leftovers(const command& verb) const {
    for (const std::string& output : files_of(verb, true)) remove_abandoned_parts(output);
  }

  void add(command& from, CLI::App& app) {
    for (option& each : from.options) add(each, app);
    for (const option& each : from.options) {
      for (const std::string& other : each.needed) made_.at(&each)->needs(app.get_option(other));
      for (const std::string& other : each.excluded) made_.at(&each)->excludes(app.get_option(other));
    }
    std::string footer = from.notes;
    if (!from.examples.empty()) {
      if (!footer.empty() && !footer.ends_with('\n')) footer += '\n';
      footer += from.examples.size() == 1 ? "Example:" : "Examples:";
      for (const std::string& each : from.examples) footer += "\n  " + each;
    }
    app.footer(footer);
    if (!from.subcommands.empty()) app.require_subcommand(1);
    for (command& each : from.subcommands) add(each, *app.add_subcommand(each.name, each.summary));
  }

  void add(option& from, CLI::App& app) {
    CLI::Option* const made = std::visit([&](auto* into) { return make(from, into, app); }, from.into);
    // In reverse order: CLI11 puts each check before the earlier ones. check() would discard the values that
    // they rewrite.
    if (!from.is_flag() && !from.is_positional()) {
      // An empty value, as of an unset variable of a shell, must not count as no option at all.
      made->transform(CLI::Validator(
          [](const std::string& text) { return std::string(text.empty() ? "the value is empty" : ""); }, ""));
    }
    const auto given = std::make_shared<std::string>();
    for (auto each = from.checks.rbegin(); each != from.checks.rend(); ++each) {
      const auto run = [check = each->run, given](std::string& text) {
        const std::string before = text;
        const std::string wrong = check(text);
        // An earlier check may have converted units.
        return wrong.empty() || before == *given ? wrong : fmt::format("{}: {}", *given, wrong);
      };
      made->transform(CLI::Validator(run, each->type));
    }
    if (!from.is_flag()) {
      made->transform(CLI::Validator(
          [given](std::string& text) {
            *given = text = without_mark(text);
            return std::string();
          },
          ""));
    }
    made->required(from.is_required);
    if (from.is_hidden) made->group("");
    if (from.value_separator != 0) made->delimiter(from.value_separator);
    if (from.takes_one_each_time) made->allow_extra_args(false);
    made_.emplace(&from, made);
    from.assign = [made, &from](const std::string& value) -> std::string {
      try {
        made->add_result(value);
        made->run_callback();
        from.count = made->count();
      } catch (const CLI::Error& wrong) {
        return wrong.what();
      }
      return {};
    };
  }

  static CLI::Option* make(const option& from, bool* into, CLI::App& app) {
    return app.add_flag(from.names, *into, from.help);
  }
  template <class Into>
  static CLI::Option* make(const option& from, Into* into, CLI::App& app) {
    const auto take = [into](const texts& values) { return convert(values, *into); };
    CLI::Option* const made = app.add_option(from.names, CLI::callback_t(take), from.help);
    made->type_name(from.value_name.empty() ? base_type()(into) : from.value_name);
    if (from.takes_several()) made->expected(CLI::detail::expected_max_vector_size);
    if (from.value_count != 0) made->expected(from.value_count);
    return made;
  }

  // The verb that was named.
  command& deepest() {
    command* at = &program_;
    const CLI::App* app = &app_;
    while (!app->get_subcommands().empty()) {
      app = app->get_subcommands().front();
      at = &*std::ranges::find(at->subcommands, app->get_name(), &command::name);
    }
    return *at;
  }

  static std::string unexpected_arguments(const std::vector<std::string>& surplus) {
    std::string text = surplus.size() == 1 ? "unexpected argument " : "unexpected arguments ";
    for (std::size_t at = 0; at < surplus.size(); ++at) {
      text += fmt::format("{}'{}'", at == 0 ? "" : ", ", surplus[at]);
    }
    return text;
  }

  // CLI11's error text, except for a missing verb and a wrong number of values.
  static std::string text_of(const CLI::ParseError& problem, const command& verb) {
    const std::string text = problem.what();
    if (dynamic_cast<const CLI::RequiredError*>(&problem) != nullptr && !verb.subcommands.empty()) {
      std::string known;
      for (const command& each : verb.subcommands) known += (known.empty() ? "" : ", ") + each.name;
      return "a verb is missing; the verbs are " + known;
    }
    if (dynamic_cast<const CLI::ArgumentMismatch*>(&problem) == nullptr) return text;
    const std::string name = text.substr(0, text.find(": "));
    for (const option& each : verb.options) {
      const auto names = each.name_list();
      if (std::ranges::find(names, name) == names.end()) continue;
      if (each.value_count > 1) return fmt::format("{}: {} values are required", name, each.value_count);
      if (text.find("ost 1 required") != std::string::npos) return name + ": it is given more than once";
      if (text.ends_with("missing")) return name + ": its value is missing";
    }
    return text;
  }

  // With a suggestion for a misspelled word.
  int report_parse_error(const CLI::ParseError& problem, const std::vector<std::string>& words) {
    const command& verb = deepest();
    const std::string path = verb.path();
    set_running_verb(path);
    texts surplus = app_.remaining(true);
    std::ranges::transform(surplus, surplus.begin(), without_mark);
    // CLI11 lists surplus arguments in reverse order, and reports a missing option before an unknown one.
    const bool is_unknown = std::ranges::any_of(
        surplus, [](const std::string& each) { return each.size() > 1 && each.starts_with('-'); });
    const bool is_surplus = dynamic_cast<const CLI::ExtrasError*>(&problem) != nullptr;
    std::string text = is_unknown || is_surplus ? unexpected_arguments(surplus) : text_of(problem, verb);
    for (const std::string& extra : surplus) {
      if (!extra.starts_with("--")) continue;
      std::vector<std::string> known = {"--help"};
      if (verb.parent == nullptr) known.emplace_back("--version");
      for (const option& each : verb.options) {
        for (const std::string& name : each.name_list()) {
          if (name.starts_with("--")) known.push_back(name);
        }
      }
      const std::string word = extra.substr(0, extra.find('='));
      // Only its position is wrong.
      const bool is_known = std::ranges::find(known, word) != known.end();
      const bool follows_dashes = std::ranges::find(words, "--") != words.end();
      const std::string place = follows_dashes ? "--" : path;
      text += is_known ? "; " + word + " must come before '" + place + "'" : text::suggestion(word, known);
    }
    const auto names_output = [](const option& each) {
      return each.is_positional() && std::ranges::any_of(each.checks, &value_check::names_output);
    };
    const bool has_positional_output = std::ranges::any_of(verb.options, names_output);
    const bool seeks_output = std::ranges::any_of(
        surplus, [](const std::string& each) { return each == "-o" || each.starts_with("--out"); });
    if (has_positional_output && seeks_output) text += "; name the output after the input, without an option";
    for (const std::string& word : words) {
      if (word.size() > 1 && word.starts_with('-') && path_exists(word)) {
        text += "; for the file of that name write './" + word + "'";
      }
    }
    return report_usage(text);
  }

  command& program_;
  CLI::App app_;
  std::map<const option*, CLI::Option*> made_;
};

// CLI11 reports a missing verb even if an unknown one was given. Empty if the verb is known.
std::string unknown_verb(const command& program, const std::vector<std::string>& words) {
  const command* at = &program;
  for (std::size_t each = 1; each < words.size() && !at->subcommands.empty(); ++each) {
    const std::string& word = words[each];
    if (word.starts_with('-')) return {};
    const command* const next = at->find_subcommand(word);
    if (next == nullptr) {
      std::vector<std::string> verbs;
      for (const command& known : at->subcommands) verbs.push_back(known.name);
      const std::string path = at->path();
      return fmt::format("'{}{}{}' has no verb '{}'{}", program.name, path.empty() ? "" : " ", path, word,
                         text::suggestion(word, verbs));
    }
    at = next;
  }
  return {};
}

// CLI11 reads '-hx.butter' as '-h' and prints the help, with exit code 0. Empty if there is no such argument.
std::string misread_help(const std::vector<std::string>& words) {
  for (std::size_t each = 1; each < words.size() && words[each] != "--"; ++each) {
    const std::string& word = words[each];
    if (word.size() > 2 && word.starts_with("-h")) {
      return fmt::format("unknown option {}; for the file of that name write './{}'", word, word);
    }
  }
  return {};
}

// 'tickreel help VERB' is 'tickreel VERB --help', and 'tickreel version' is 'tickreel --version'.
void rewrite_plain_verbs(std::vector<std::string>& words) {
  if (words.size() == 2 && words[1] == "version") words[1] = "--version";
  if (words.size() >= 2 && words[1] == "help") {
    words.erase(words.begin() + 1);
    words.emplace_back("--help");
  }
}

}  // namespace

int run_command_line(command& program, std::vector<std::string> words) {
  if (words.empty()) words.push_back(program.name);
  ignore_write_signals();  // help prints it, too
  rewrite_plain_verbs(words);
  if (const std::string unknown = unknown_verb(program, words); !unknown.empty()) {
    return report_usage(unknown);
  }
  if (const std::string misread = misread_help(words); !misread.empty()) return report_usage(misread);
  return command_line(program).run(words);
}

}  // namespace tickreel::cli
