#include "option_text.hpp"

#include <algorithm>
#include <variant>

namespace tickreel::cli {

namespace {

void add_commands(const command& from, std::vector<const command*>& out) {
  out.push_back(&from);
  for (const command& each : from.subcommands) add_commands(each, out);
}

bool takes_text(const option& of) {
  return std::holds_alternative<std::string*>(of.into) ||
         std::holds_alternative<std::vector<std::string>*>(of.into);
}

void append(std::string& list, const std::string& what) {
  list += (list.empty() ? "" : ", ") + what;
}

}  // namespace

std::vector<const command*> commands_of(const command& program) {
  std::vector<const command*> out;
  add_commands(program, out);
  return out;
}

std::vector<const option*> shown_options(const command& of) {
  std::vector<const option*> out;
  for (const bool positional : {true, false}) {
    for (const option& each : of.options) {
      if (!each.is_hidden && each.is_positional() == positional) out.push_back(&each);
    }
  }
  return out;
}

std::string value_text(const option& of) {
  if (of.is_flag()) return {};
  std::string one = takes_text(of) ? "TEXT" : "NUMBER";
  // The first check is the most specific: "TIME" before the range of its seconds.
  for (auto each = of.checks.rbegin(); each != of.checks.rend(); ++each) {
    if (!each->value_name.empty()) one = each->value_name;
  }
  if (!of.value_name.empty()) one = of.value_name;
  if (of.is_positional()) one = of.names;
  std::string all = one;
  for (int i = 1; i < of.value_count; ++i) all += ' ' + one;
  if (of.takes_several() && of.value_count == 0 && !of.takes_one_each_time) all += "...";
  return all;
}

std::string limits_text(const option& of) {
  std::string text;
  const bool has_unit = value_text(of) == "TIME";
  for (const value_check& each : of.checks) {
    if (!each.limits.empty()) append(text, each.limits + (has_unit ? " seconds" : ""));
  }
  if (of.is_required && !of.is_positional()) append(text, "required");
  for (std::size_t at = 0; at < of.needed.size(); ++at) {
    append(text, (at == 0 ? "only with " : "") + of.needed[at]);
  }
  for (std::size_t at = 0; at < of.excluded.size(); ++at) {
    append(text, (at == 0 ? "not with " : "") + of.excluded[at]);
  }
  if (of.takes_one_each_time) append(text, "may be repeated");
  return text;
}

std::vector<std::string> words_of(const option& of) {
  for (const value_check& each : of.checks) {
    if (!each.words.empty()) return each.words;
  }
  return {};
}

completion offers_of(const option& of) {
  if (!of.checks.empty()) return of.checks.front().offers;
  return of.is_positional() ? completion::files : completion::nothing;
}

std::string full_name(const command& of) {
  if (of.parent == nullptr) return of.name;
  return full_name(*of.parent) + ' ' + of.name;
}

std::string usage_text(const command& of) {
  std::string text = full_name(of);
  if (!of.subcommands.empty()) return text + " VERB";
  if (std::ranges::any_of(of.options, [](const option& each) { return !each.is_positional(); })) {
    text += " [OPTION]...";
  }
  for (const option& each : of.options) {
    if (!each.is_positional()) continue;
    text += each.is_required ? ' ' + value_text(each) : " [" + value_text(each) + ']';
  }
  return text;
}

}  // namespace tickreel::cli
