// Texts about options for manual pages, completions and the tables of the documentation.
#pragma once

#include <string>
#include <vector>

#include "options.hpp"

namespace tickreel::cli {

// The program and all its verbs, in the order of `--help`.
[[nodiscard]] std::vector<const command*> commands_of(const command& program);
// The visible options; positional arguments come first.
[[nodiscard]] std::vector<const option*> shown_options(const command& of);

// "FILE", "none|gzip", "NUMBER"; empty for a flag.
[[nodiscard]] std::string value_text(const option& of);
// "1 to 5", "with --html", "not with --json": constraints after the help text, comma-separated.
[[nodiscard]] std::string limits_text(const option& of);
// The permitted values; empty if any value is permitted.
[[nodiscard]] std::vector<std::string> words_of(const option& of);
[[nodiscard]] completion offers_of(const option& of);
// "tickreel convert [OPTION...] IN OUT"
[[nodiscard]] std::string usage_text(const command& of);
// "tickreel", or "tickreel record echo".
[[nodiscard]] std::string full_name(const command& of);

// Scripts for shells.
[[nodiscard]] std::string bash_completion(const command& program);
[[nodiscard]] std::string zsh_completion(const command& program);
[[nodiscard]] std::string fish_completion(const command& program);
// A manual page in roff, for man(1), and the same options as tables in Markdown.
[[nodiscard]] std::string manual_page(const command& program);
[[nodiscard]] std::string markdown_tables(const command& program);

}  // namespace tickreel::cli
