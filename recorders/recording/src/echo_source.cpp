#include "tickreel/recording/echo_source.hpp"

#include "echo_input.hpp"
#include "tickreel/recording/format.hpp"

namespace tickreel::recording {

std::vector<std::string> sentences(const source_losses& losses) {
  std::vector<std::string> all;
  const auto add = [&](std::uint64_t count, const char* what) {
    if (count != 0) all.push_back(std::to_string(count) + what);
  };
  if (losses.skipped_lines != 0) {
    all.push_back(std::to_string(losses.skipped_lines) + " lines cannot be read, the first is line " +
                  std::to_string(losses.first_skipped_line) + " at offset " +
                  std::to_string(losses.first_skipped_offset));
  }
  add(losses.lost_ticks, " ticks were lost while recording");
  add(losses.damaged_places, " damaged places were passed over");
  if (losses.cut_short) all.emplace_back("the file ends early: what came after its end is lost");
  return all;
}

result<std::unique_ptr<echo_source>> open_echo(const std::filesystem::path& path,
                                               const echo_options& options) {
  const auto found = detect(path);
  if (!found) return fail(found.error());
  const std::string_view format = (*found)->name;
  auto input = format == "butter"       ? open_butter(path, options)
               : format == "echoreplay" ? open_echoreplay(path, options)
               : format == "reel"
                   ? open_echo_reel(path, options)
                   : fail(error_code::unsupported_operation, 0, "a recording, but not of Echo VR");
  if (!input) return fail(input.error());
  return std::unique_ptr<echo_source>(std::move(*input));
}

}  // namespace tickreel::recording
