// Options of a verb from a file, tickreel.toml. The table [record.echo] holds those of `record echo`.
#pragma once

#include <string>

#include "options.hpp"
#include "tickreel/io/path.hpp"

namespace tickreel::cli {

inline constexpr const char* usual_config_name = "tickreel.toml";

// Sets the options of `verb` that its table names and the command line does not. Keys are long option names
// without leading hyphens; a list is joined with commas. `targets` holds positional arguments. Returns an
// error text with its position (invalid TOML, an unknown key with the closest known one, a value that the
// option refuses), or an empty text. Tables of other verbs are ignored; tables of unknown verbs are errors.
[[nodiscard]] std::string apply_config(command& verb, const file_path& file);

}  // namespace tickreel::cli
