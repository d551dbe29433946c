#include "config_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "tickreel/bytes/span.hpp"
#include "tickreel/io/filesystem_path.hpp"
#include "tickreel/io/folder.hpp"
#include "tickreel/io/whole_file.hpp"
#include "tickreel/text/suggestion.hpp"

// toml++ returns errors as values and is header-only.
#define TOML_EXCEPTIONS 0
#define TOML_HEADER_ONLY 1
#include <toml++/toml.h>

namespace tickreel::cli {

namespace {

constexpr std::uint64_t max_config_bytes = 1u << 20;

std::string at(const file_path& file, const toml::source_region& where, std::string_view what) {
  return fmt::format("{}:{}:{}: {}", file.utf8(), where.begin.line, where.begin.column, what);
}

// The value as it would be written on the command line; no result for tables and times.
std::optional<std::string> text_of(const toml::node& value) {
  if (const auto text = value.value<std::string>(); text && value.is_string()) return text;
  if (value.is_boolean()) return *value.value<bool>() ? "true" : "false";
  if (value.is_integer()) return fmt::format("{}", *value.value<std::int64_t>());
  if (value.is_floating_point()) return fmt::format("{}", *value.value<double>());
  const toml::array* list = value.as_array();
  if (list == nullptr) return std::nullopt;
  std::string all;
  for (const toml::node& each : *list) {
    const auto one = each.is_array() ? std::nullopt : text_of(each);
    if (!one) return std::nullopt;
    all += (all.empty() ? "" : ",") + *one;
  }
  return all;
}

class applied {
 public:
  applied(command& verb, const file_path& file) : verb_(verb), file_(file) {
    root_ = &verb;
    for (; root_->parent != nullptr; root_ = root_->parent) path_.insert(path_.begin(), root_->name);
  }

  std::string table(const toml::table& from, const command& at_verb, std::size_t depth, bool on_path) {
    if (depth == path_.size() && on_path) return options(from);
    std::vector<std::string> known;
    for (const command& each : at_verb.subcommands) known.push_back(each.name);
    if (known.empty()) return names(from, at_verb);
    for (const auto& [key, value] : from) {
      const std::string name(key.str());
      const command* const next = at_verb.find_subcommand(name);
      if (next != nullptr && !value.is_table()) {
        return at(file_, key.source(), fmt::format("'{0}' is a table of options: [{0}], once", name));
      }
      if (next == nullptr) {
        return at(file_, key.source(),
                  fmt::format("there is no [{}]{}", name, text::suggestion(name, known)));
      }
      std::string wrong =
          table(*value.as_table(), *next, depth + 1, on_path && depth < path_.size() && path_[depth] == name);
      if (!wrong.empty()) return wrong;
    }
    return {};
  }

  [[nodiscard]] const command& root() const { return *root_; }

 private:
  static std::vector<std::string> names_of(const command& of) {
    std::vector<std::string> known;
    for (const option& each : of.options) {
      for (const std::string& name : each.name_list()) {
        if (name.starts_with("--") && is_for_files(name)) known.push_back(name.substr(2));
      }
      if (each.is_positional()) known.emplace_back("targets");
    }
    return known;
  }

  std::string no_option(std::string_view name, const toml::key& key, const std::vector<std::string>& known) {
    return at(file_, key.source(),
              fmt::format("there is no option '{}'{}", name, text::suggestion(name, known)));
  }

  // Options of other verbs have no effect here, but a misspelled option never has one.
  std::string names(const toml::table& from, const command& of) {
    const std::vector<std::string> known = names_of(of);
    for (const auto& [key, value] : from) {
      if (std::find(known.begin(), known.end(), key.str()) == known.end()) {
        return no_option(key.str(), key, known);
      }
    }
    return {};
  }

  std::string options(const toml::table& from) {
    const std::vector<std::string> known = names_of(verb_);
    for (const auto& [key, value] : from) {
      if (std::string wrong = give(std::string(key.str()), key, value, known); !wrong.empty()) return wrong;
    }
    return {};
  }

  static bool is_for_files(std::string_view name) { return name != "--config" && name != "--no-config"; }

  std::string give(const std::string& name, const toml::key& key, const toml::node& value,
                   const std::vector<std::string>& known) {
    if (std::find(known.begin(), known.end(), name) == known.end()) {
      return no_option(name, key, known);
    }
    const option* const to = name == "targets" ? positional() : verb_.find_option("--" + name);
    const auto text = text_of(value);
    if (to == nullptr || !text) {
      return at(file_, value.source(), fmt::format("'{}' takes a string, a number, true or false", name));
    }
    if (to->count != 0) return {};  // the command line has precedence
    if (value.is_array() && !to->takes_several() && !takes_list(name)) {
      return at(file_, value.source(), fmt::format("'{}' takes one value, not a list", name));
    }
    if (to->is_flag() && *text != "true" && *text != "false") {
      return at(file_, value.source(), fmt::format("'{}' is true or false", name));
    }
    // "!--no-bones" and "--bones" are the same option.
    const bool is_negated = to->negates("--" + name);
    const std::string wrong = to->assign(is_negated ? (*text == "true" ? "false" : "true") : *text);
    return wrong.empty() ? wrong : at(file_, value.source(), wrong);
  }

  // The target splits this text at its commas.
  static bool takes_list(std::string_view name) {
    return name == "format" || name == "clips" || name == "webhook-events";
  }

  const option* positional() const {
    const auto found = std::ranges::find_if(verb_.options, &option::is_positional);
    return found == verb_.options.end() ? nullptr : &*found;
  }

  command& verb_;
  const file_path& file_;
  const command* root_ = nullptr;
  std::vector<std::string> path_;
};

}  // namespace

std::string apply_config(command& verb, const file_path& file) {
  // Opening a pipe would block until there is a writer, and a device may be endless.
  const auto there = status_of(file);
  if (there && there->kind == entry_kind::folder) return fmt::format("{}: this is a folder", file.utf8());
  if (there && there->kind != entry_kind::file) {
    return fmt::format("{}: this is a pipe or a device, not a file", file.utf8());
  }
  const auto bytes = read_whole_file(file, max_config_bytes);
  if (!bytes) return fmt::format("{}: {}", file.utf8(), describe(bytes.error()));
  const toml::parse_result parsed = toml::parse(as_text(*bytes), std::string_view(file.utf8()));
  if (!parsed) return at(file, parsed.error().source(), parsed.error().description());
  applied to(verb, file);
  return to.table(parsed.table(), to.root(), 0, true);
}

}  // namespace tickreel::cli
