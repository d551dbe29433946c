// Names of formats and files, and the meaning of a match's status.
#include <algorithm>
#include <array>
#include <chrono>
#include <string>

#include "match_file.hpp"
#include "tickreel/echo_vr/match_recorder.hpp"
#include "tickreel/files/conversion.hpp"
#include "tickreel/io/file.hpp"
#include "tickreel/io/filesystem_path.hpp"
#include "tickreel/io/folder.hpp"
#include "tickreel/io/temporary_files.hpp"
#include "tickreel/reel/reader.hpp"

namespace tickreel::echo_vr {
namespace {

// Whether files of that name are published from a reel.
bool has_published_name(const file_path& path) {
  const auto format = record_format_from_name(files::format_of_name(path));
  return format && is_published(*format);
}

bool is_left_over(const std::filesystem::path& path) {
  // A running recorder holds the lock.
  if (!file::open_for_appending(path)) return false;
  if (has_published_name(path.stem())) return true;
  const auto opened = reel::reader::open(path);
  return opened && opened->contents().end != reel::reel_end::closed;
}

}  // namespace

std::string_view name(record_format format) noexcept {
  return kind_of(format).name;
}

std::optional<record_format> record_format_from_name(std::string_view name_of_format) noexcept {
  for (const record_format format : all_record_formats) {
    if (name(format) == name_of_format) return format;
  }
  return std::nullopt;
}

std::filesystem::path recovered_file(const std::filesystem::path& reel) {
  std::filesystem::path output = reel;
  output.replace_extension();  // "x.butter.reel" becomes "x.butter"
  if (output.extension().empty()) output.concat("-recovered").concat(extension(record_format::echoreplay));
  return output;
}

bool was_recovered(const std::filesystem::path& reel) {
  const auto made = status_of(recovered_file(reel));
  // A file written before the end of the reel lacks its last ticks.
  const auto ended = status_of(reel);
  return made && ended && made->modified_ns >= ended->modified_ns;
}

std::string recover_command(const std::filesystem::path& reel) {
  std::filesystem::path output = recovered_file(reel);
  // It was recovered before its end, or another file has this name.
  const std::string stem = file_path(output.stem()).utf8();
  const std::filesystem::path extension = output.extension();
  for (int number = 2; path_exists(output); ++number) {
    output.replace_filename(stem + '-' + std::to_string(number));
    output += extension;
  }
  return "tickreel recover \"" + file_path(reel).utf8() + "\" -o \"" + file_path(output).utf8() + '"';
}

bool is_idle(const echo::session& match) noexcept {
  if ((match.fields & echo::session::has_game_status) == 0) return false;
  return match.game_status.empty() || match.game_status.view() == "post_match";
}

bool is_active(const echo::session& match) noexcept {
  const std::string_view pause = match.pause.state.view();
  if ((match.fields & echo::session::has_pause) != 0 && (pause == "paused" || pause == "unpausing"))
    return false;
  if ((match.fields & echo::session::has_game_status) == 0) return true;
  constexpr std::array playing = {"round_start", "playing", "score", "pre_sudden_death", "sudden_death"};
  return std::find(playing.begin(), playing.end(), match.game_status.view()) != playing.end();
}

namespace {

template <class Accept>
std::vector<file_path> files_in(const file_path& folder, Accept accept) {
  std::vector<file_path> found;
  (void)visit_folder(folder, [&](const folder_entry& entry) {
    if (entry.kind == entry_kind::file && accept(filesystem_path(entry.path))) found.push_back(entry.path);
    return true;
  });
  std::sort(found.begin(), found.end());
  return found;
}

bool is_own_temporary(std::string_view name) {
  const std::string_view output = output_of_temporary(name);
  return output == write_check_name || has_published_name(file_path(std::string(output)));
}

}  // namespace

std::vector<file_path> find_leftover_reels(const file_path& folder) {
  return files_in(folder, [](const std::filesystem::path& path) {
    return path == match_file::reel_of(path) && is_left_over(path);
  });
}

std::vector<file_path> remove_leftover_parts(const file_path& folder) {
  // A recorder locks its file a moment after it created it.
  constexpr std::chrono::minutes settled{1};
  return remove_abandoned_in(folder, settled, is_own_temporary).value_or(std::vector<file_path>());
}

}  // namespace tickreel::echo_vr
