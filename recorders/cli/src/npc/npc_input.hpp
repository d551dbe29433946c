// What the npc verbs share.
#pragma once

#include <fmt/format.h>

#include <iterator>
#include <memory>
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

// A .rec of any layout that can be played today.
result<samp_rec::recording> read_rec(const file_path& path, samp_rec::strictness mode);
// The same, leniently, for what takes the blocks' order for granted: false, and a message that names the file
// and the block, where times fall; `code` is then the exit code.
std::optional<samp_rec::recording> read_rec_in_order(const std::string& path, int& code);
[[nodiscard]] npc::recorded blocks_of(samp_rec::recording&& read);

// "name=value" of an option that may be given several times. Nothing, and a message, when there is no '='.
std::optional<std::pair<std::string, std::string>> name_and_value(std::string_view option,
                                                                  const std::string& given);

// Tells of blocks that lenient reading left out; true when there are any.
bool report_loss(const file_path& path, const samp_rec::recording& read);

// "1 block", "12 blocks".
[[nodiscard]] std::string counted(std::uint64_t number, std::string_view what);

// Files as given, and for a folder every .rec in it, by name.
std::vector<std::string> rec_files(const std::vector<std::string>& given);

}  // namespace tickreel::cli
