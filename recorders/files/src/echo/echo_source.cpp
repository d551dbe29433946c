#include "tickreel/files/echo_source.hpp"

#include "echo_access.hpp"
#include "open_file.hpp"
#include "reels/reel_facts.hpp"
#include "reels/unrecorded.hpp"
#include "tickreel/counted.hpp"
#include "tickreel/files/format.hpp"

namespace tickreel::files {

std::vector<std::string> sentences(const source_losses& losses) {
  std::vector<std::string> all;
  if (losses.skipped_lines != 0) {
    all.push_back(counted(losses.skipped_lines, "line") + " cannot be read, the first is line " +
                  std::to_string(losses.first_skipped_line) +
                  (losses.first_skipped_offset == error::no_offset
                       ? std::string()
                       : " at offset " + std::to_string(losses.first_skipped_offset)) +
                  ": " + losses.first_skipped_reason);
  }
  if (losses.missing_lines != 0) {
    all.push_back("the lines of " + counted(losses.missing_lines, "tick") +
                  " are lost, and returned with their known fields only; the first is tick " +
                  std::to_string(losses.first_missing_line));
  }
  if (losses.damaged_places != 0) {
    all.push_back(counted(losses.damaged_places, "damaged place was", "damaged places were") + " skipped");
  }
  all.insert(all.end(), losses.places.begin(), losses.places.end());
  if (losses.doubtful_ticks != 0) {
    all.push_back(counted(losses.doubtful_ticks, "tick") +
                  " may have been changed: the checksum of the archive was wrong");
  }
  if (losses.cut_short) {
    all.push_back(losses.being_recorded ? is_being_recorded : ends_early(losses.ends_at));
  }
  append_unrecorded(losses.unrecorded, all);
  for (std::string& each : losses.left_out.sentences()) all.push_back(std::move(each));
  return all;
}

source_losses losses_of_source_text(source_losses losses) {
  if (losses.counted_by_recorder) {
    losses.left_out.clear();
  } else {
    losses.left_out.keep_only({echo::omission_kind::unreadable_bones});
  }
  return losses;
}

result<std::unique_ptr<echo_input>> open_echo_input(const byte_source& from, const echo_options& options) {
  const auto found = detect(from);
  if (!found) return fail(found.error());
  if ((*found)->is_only_written) {
    // The error of open() states which programs read such files.
    if (const auto opened = (*found)->open(from, {}); !opened) return fail(opened.error());
  }
  if ((*found)->echo == nullptr) {
    return fail(error_code::unsupported_operation, 0, "a recording, but not of Echo VR");
  }
  return (*found)->echo->open(from, options);
}

result<std::unique_ptr<echo_source>> open_echo(const byte_source& from, const echo_options& options) {
  auto input = open_echo_input(from, options);
  if (!input) return fail(input.error());
  return std::unique_ptr<echo_source>(std::move(*input));
}

result<std::unique_ptr<echo_source>> open_echo(byte_span recording, const echo_options& options) {
  return open_echo(byte_source(recording), options);
}

result<std::unique_ptr<echo_source>> open_echo(const file_path& path, const echo_options& options) {
  const auto from = open_file(path);
  if (!from) return fail(from.error());
  return open_echo(*from, options);
}

}  // namespace tickreel::files
