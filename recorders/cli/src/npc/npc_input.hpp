// Input files of the npc verbs.
#pragma once

#include <fmt/format.h>

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "console/console.hpp"
#include "console/verb.hpp"
#include "tickreel/io/file.hpp"
#include "tickreel/io/whole_file.hpp"
#include "tickreel/npc/recorded.hpp"
#include "tickreel/samp_rec/reader.hpp"

namespace tickreel::cli {

// Opens a .rec of any layout that current games can play.
result<samp_rec::recording> read_rec(const file_path& path, samp_rec::strictness mode);
// The same, leniently, for verbs that need blocks in order of time. If a time decreases: false, a message
// with the file and the block, and an exit code in `code`.
std::optional<samp_rec::recording> read_rec_in_order(const std::string& path, int& code);
[[nodiscard]] npc::recorded blocks_of(samp_rec::recording&& read);

// Splits "name=value" of an option that may be repeated. No result, with a message, if there is no '='.
std::optional<std::pair<std::string, std::string>> name_and_value(std::string_view option,
                                                                  const std::string& given);

// Reports blocks that lenient reading omitted; true if there are any.
bool report_loss(const file_path& path, const samp_rec::recording& read);

// Files as named, and for a folder every .rec in it, sorted.
std::vector<std::string> rec_files(const std::vector<std::string>& given);

}  // namespace tickreel::cli
