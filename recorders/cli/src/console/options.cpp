#include "options.hpp"

#include <algorithm>

namespace tickreel::cli {

namespace {

// Splits "--a,!--b" at its commas.
std::vector<std::string> parts_of(std::string_view names) {
  std::vector<std::string> out;
  while (!names.empty()) {
    const std::size_t comma = names.find(',');
    out.emplace_back(names.substr(0, comma));
    names.remove_prefix(comma == std::string_view::npos ? names.size() : comma + 1);
  }
  return out;
}

}  // namespace

bool option::takes_several() const noexcept {
  return std::holds_alternative<std::vector<std::string>*>(into) ||
         std::holds_alternative<std::vector<double>*>(into);
}

std::vector<std::string> option::name_list() const {
  std::vector<std::string> out = parts_of(names);
  for (std::string& each : out) {
    if (each.starts_with('!')) each.erase(0, 1);
  }
  return out;
}

std::string option::name() const {
  const std::vector<std::string> all = name_list();
  const auto is_long = [](const std::string& each) { return each.starts_with("--"); };
  const auto found = std::ranges::find_if(all, is_long);
  return found == all.end() ? all.front() : *found;
}

bool option::negates(std::string_view name) const {
  const std::vector<std::string> parts = parts_of(names);
  return std::ranges::find(parts, '!' + std::string(name)) != parts.end();
}

command& command::add_subcommand(std::string verb, std::string what) {
  return subcommands.emplace_back(
      command{.name = std::move(verb), .summary = std::move(what), .parent = this});
}

option& command::add(std::string option_names, target into, std::string help) {
  return options.emplace_back(
      option{.names = std::move(option_names), .into = std::move(into), .help = std::move(help)});
}

void command::only_with(const char* other, std::initializer_list<const char*> these) {
  for (const char* each : these) find_option(each)->needs(other);
}

void command::never_with(const char* other, std::initializer_list<const char*> these) {
  for (const char* each : these) {
    find_option(each)->excludes(other);
    find_option(other)->excludes(each);
  }
}

std::string command::path() const {
  if (parent == nullptr) return {};
  const std::string above = parent->path();
  return above.empty() ? name : above + ' ' + name;
}

option* command::find_option(std::string_view option_name) {
  for (option& each : options) {
    const std::vector<std::string> all = each.name_list();
    if (std::ranges::find(all, option_name) != all.end()) return &each;
  }
  return nullptr;
}

const command* command::find_subcommand(std::string_view verb) const {
  const auto found = std::ranges::find(subcommands, verb, &command::name);
  return found == subcommands.end() ? nullptr : &*found;
}

}  // namespace tickreel::cli
