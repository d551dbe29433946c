#include "npc_input.hpp"

#include <algorithm>

#include "console/shell_word.hpp"
#include "tickreel/counted.hpp"
#include "tickreel/files/format.hpp"
#include "tickreel/io/filesystem_path.hpp"
#include "tickreel/io/folder.hpp"
#include "tickreel/io/whole_file.hpp"

namespace tickreel::cli {

result<samp_rec::recording> read_rec(const file_path& path, samp_rec::strictness mode) {
  const auto bytes = read_whole_file(path, samp_rec::limits{}.file_bytes);
  if (!bytes) return fail(bytes.error());
  auto read = samp_rec::read_recording(*bytes, {.mode = mode});
  if (!read && read.error().code == error_code::not_recognised && files::detect(path)) {
    return fail(error_code::unsupported_operation, error::no_offset,
                "a recording of another format; this verb reads .rec files");
  }
  return read;
}

std::optional<samp_rec::recording> read_rec_in_order(const std::string& path, int& code) {
  auto read = read_rec(path, samp_rec::strictness::lenient);
  if (!read) {
    report_error(path, read.error());
    code = failed;
    return std::nullopt;
  }
  const auto falls = [](const auto& blocks) {
    return std::adjacent_find(
               blocks.begin(), blocks.end(),
               [](const auto& before, const auto& after) { return after.time_ms < before.time_ms; }) -
           blocks.begin();
  };
  const bool on_foot = read->kind == samp_rec::recording_kind::on_foot;
  const auto at = static_cast<std::size_t>(on_foot ? falls(read->on_foot) : falls(read->vehicle)) + 1;
  if (at < (on_foot ? read->on_foot.size() : read->vehicle.size())) {
    report_error(
        fmt::format("{}: time decreases at block {}; 'tickreel recover {} -o FIXED.rec' restores the "
                    "order of the blocks",
                    printable(path), at, printable(shell_word(path))));
    code = failed;
    return std::nullopt;
  }
  return std::move(*read);
}

npc::recorded blocks_of(samp_rec::recording&& read) {
  npc::recorded result;
  result.kind = read.kind;
  result.vehicle = std::move(read.vehicle);
  result.on_foot = std::move(read.on_foot);
  return result;
}

std::optional<std::pair<std::string, std::string>> name_and_value(std::string_view option,
                                                                  const std::string& given) {
  const std::size_t at = given.find('=');
  if (at == std::string::npos || at == 0) {
    report_usage(fmt::format("{} {}: expected NAME=VALUE", option, given));
    return std::nullopt;
  }
  return std::pair(given.substr(0, at), given.substr(at + 1));
}

bool report_loss(const file_path& path, const samp_rec::recording& read) {
  const std::uint64_t lost = read.report.blocks_left_out;
  if (lost == 0) return false;
  report_note(path, counted(lost, "block without valid numbers was", "blocks without valid numbers were") +
                        " omitted");
  return true;
}

std::vector<std::string> rec_files(const std::vector<std::string>& given) {
  std::vector<std::string> paths;
  for (const std::string& each : given) {
    if (!is_folder(each)) {
      paths.push_back(each);
      continue;
    }
    std::vector<std::string> inside;
    (void)visit_folder(each, [&](const folder_entry& entry) {
      const files::format* const named = files::find_format(files::format_of_name(entry.name));
      if (named != nullptr && named->shown.stage == files::stage::path) inside.push_back(entry.path.utf8());
      return true;
    });
    std::sort(inside.begin(), inside.end());
    paths.insert(paths.end(), inside.begin(), inside.end());
  }
  return paths;
}

}  // namespace tickreel::cli
