#include <fmt/format.h>

#include "option_text.hpp"
#include "tickreel/version.hpp"

namespace tickreel::cli {

namespace {

// Escapes hyphens so that they can be copied, and text that roff would take for a request or an escape.
std::string roff(std::string_view text) {
  std::string out;
  bool begins_line = true;
  for (const char each : text) {
    if (begins_line && (each == '.' || each == '\'')) out += "\\&";
    if (each == '\\') {
      out += "\\e";
    } else if (each == '-') {
      out += "\\-";
    } else if (each == '\'') {
      out += "\\(aq";
    } else {
      out += each;
    }
    begins_line = each == '\n';
  }
  return out;
}

std::string with_limits(const option& of) {
  const std::string limits = limits_text(of);
  if (limits.empty()) return of.help;
  return of.help.empty() ? limits : of.help + " (" + limits + ')';
}

// "-o, --output FILE"
std::string head_of(const option& of) {
  if (of.is_positional()) return value_text(of);
  std::string text;
  for (const std::string& each : of.name_list()) text += (text.empty() ? "" : ", ") + each;
  const std::string value = value_text(of);
  return value.empty() ? text : text + ' ' + value;
}

std::string lines_as_they_are(std::string_view text) {
  if (text.ends_with('\n')) text.remove_suffix(1);
  return fmt::format(".PP\n.nf\n{}\n.fi\n", roff(text));
}

std::string section_of(const command& verb) {
  std::string out = fmt::format(".SS {}\n{}.\n", roff(full_name(verb)), roff(verb.summary));
  out += fmt::format(".PP\n.B {}\n", roff(usage_text(verb)));
  for (const option* each : shown_options(verb)) {
    out += fmt::format(".TP\n.B {}\n{}\n", roff(head_of(*each)), roff(with_limits(*each)));
  }
  if (!verb.notes.empty()) out += lines_as_they_are(verb.notes);
  if (!verb.examples.empty()) {
    std::string examples = verb.examples.size() == 1 ? "Example:" : "Examples:";
    for (const std::string& each : verb.examples) examples += "\n  " + each;
    out += lines_as_they_are(examples);
  }
  return out;
}

// For a cell of a table.
std::string markdown(std::string_view text) {
  std::string out;
  for (const char each : text) {
    if (std::string_view("|*<\\").find(each) != std::string_view::npos) out += '\\';
    out += each;
  }
  return out;
}

// Code in a table cell; a bar ends the cell even inside code.
std::string code(std::string_view text) {
  std::string out = "`";
  for (const char each : text) out += each == '|' ? std::string("\\|") : std::string(1, each);
  return out + '`';
}

std::string anchor(const command& verb) {
  std::string out = verb.path();
  for (char& each : out) {
    if (each == ' ') each = '-';
  }
  return out;
}

}  // namespace

std::string manual_page(const command& program) {
  std::string out =
      fmt::format(".TH {0} 1 \"\" \"{1} {2}\" \"User commands\"\n", "TICKREEL", program.name, version_text);
  out += fmt::format(".SH NAME\n{} \\- {}\n", program.name, roff(program.summary));
  out +=
      fmt::format(".SH SYNOPSIS\n.B {0}\n.I VERB\n[\\fIOPTION\\fR]... [\\fIARGUMENT\\fR]...\n", program.name);
  out += ".SH DESCRIPTION\n" + lines_as_they_are(program.notes);
  out += ".SH VERBS\n";
  for (const command* each : commands_of(program)) {
    if (each->parent != nullptr && each->subcommands.empty()) out += section_of(*each);
  }
  out +=
      ".SH EXIT STATUS\n"
      ".TP\n.B 0\nDone.\n"
      ".TP\n.B 1\nFailed.\n"
      ".TP\n.B 2\nWrong usage.\n"
      ".TP\n.B 3\nDone, but with a reported loss.\n";
  return out;
}

std::string markdown_tables(const command& program) {
  std::string out =
      "# Every option\n\n"
      "`tickreel man --markdown` prints this page. [The `tickreel` "
      "program](command-line.md) explains the\nverbs, and `tickreel help VERB` shows the same options with "
      "examples.\n\n";
  std::string sections;
  for (const command* verb : commands_of(program)) {
    if (verb->parent == nullptr || !verb->subcommands.empty()) continue;
    out += fmt::format("- [{}](#{}): {}\n", verb->path(), anchor(*verb), markdown(verb->summary));
    sections += fmt::format("\n## {}\n\n{}.\n\n```text\n{}\n```\n\n| option | meaning |\n|---|---|\n",
                            verb->path(), markdown(verb->summary), usage_text(*verb));
    for (const option* each : shown_options(*verb)) {
      sections += fmt::format("| {} | {} |\n", code(head_of(*each)), markdown(with_limits(*each)));
    }
  }
  return out + sections;
}

}  // namespace tickreel::cli
