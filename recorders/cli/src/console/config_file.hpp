// Options of a verb from a file, tickreel.toml: those of `record echo` stand in the table [record.echo].
#pragma once

#include <string>

#include "options.hpp"
#include "tickreel/io/path.hpp"

namespace tickreel::cli {

inline constexpr const char* usual_config_name = "tickreel.toml";

// Gives `verb` the options of its table that the command line did not name, under their long names without
// hyphens in front; a list stands for values with commas between. Arguments without a name are `targets`.
// Returns a sentence with the place of what is wrong (no TOML, a key that is no option, with the one that may
// be meant, a value that the option does not take), empty when nothing is. Keys of other verbs are let alone,
// those of verbs that do not exist are not.
[[nodiscard]] std::string apply_config(command& verb, const file_path& file);

}  // namespace tickreel::cli
