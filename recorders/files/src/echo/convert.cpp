#include "tickreel/files/convert.hpp"

#include <algorithm>
#include <iterator>

#include "byte_stream.hpp"
#include "cut_butter.hpp"
#include "echo_output.hpp"
#include "extra_file.hpp"
#include "formats.hpp"
#include "paths.hpp"
#include "ranged_echo.hpp"
#include "reel/reel_facts.hpp"
#include "salvage_butter.hpp"
#include "tickreel/files/format.hpp"
#include "tickreel/io/filesystem_path.hpp"

namespace tickreel::files {

namespace {

struct target_name {
  target value;
  std::string_view name;
};
constexpr target_name targets[] = {
    {target::butter, "butter"}, {target::echoreplay, "echoreplay"}, {target::reel, "reel"}};

result<target> choose_target(const file_path& output, const convert_options& options) {
  if (options.to) return *options.to;
  if (const auto by_name = target_of(output)) return *by_name;
  return fail(error_code::invalid_argument, error::no_offset, "the output's name tells no format");
}

// X.butter, X-2.butter, X-3.butter, ...
file_path numbered(const file_path& output, std::size_t number) {
  if (number == 1) return output;
  const std::filesystem::path first = filesystem_path(output);
  std::filesystem::path name = first.stem();
  name += '-';
  name += std::to_string(number);
  name += first.extension();
  return first.parent_path() / name;
}

}  // namespace

std::string_view name(target value) noexcept {
  for (const target_name& each : targets) {
    if (each.value == value) return each.name;
  }
  return "";
}

std::optional<target> target_from_name(std::string_view name) noexcept {
  for (const target_name& each : targets) {
    if (each.name == name) return each.value;
  }
  return std::nullopt;
}

std::optional<target> target_of(const file_path& path) {
  return target_from_name(extension_of(path));
}

result<convert_report> convert(echo_source& input, const file_path& output, const convert_options& options) {
  const auto to = choose_target(output, options);
  if (!to) return fail(to.error());
  convert_report report;
  tick_feed feed(input, options.watch);
  for (std::size_t number = 1;; ++number) {
    auto tick = feed.current();
    if (!tick) return fail(tick.error());
    if (*tick == nullptr) break;
    const file_path path = numbered(output, number);
    const auto write = *to == target::butter       ? write_butter_file
                       : *to == target::echoreplay ? write_echoreplay_file
                                                   : write_reel_file;
    if (auto written = write(feed, path, options, report); !written) return fail(written.error());
  }
  std::vector<std::string> of_writing = std::move(report.losses.places);
  report.losses = input.losses();
  std::move(of_writing.begin(), of_writing.end(), std::back_inserter(report.losses.places));
  if (*to != target::butter && input.keeps_words()) report.losses = losses_of_words(std::move(report.losses));
  // A reel keeps them beside its ticks, and gives them back.
  const bool into_rows = *to == target::reel && !options.hold && input.keeps_words();
  const bool into_text = *to == target::echoreplay && options.bones && input.restores_text();
  if (into_rows || into_text) {
    report.losses.skipped_lines = report.losses.lines_without_text;
  }
  if (report.ticks == 0 && report.losses.lost_ticks != 0) {
    return fail(error_code::wrong_state, error::no_offset, no_tick_can_be_shown,
                static_cast<std::int64_t>(report.losses.lost_ticks));
  }
  if (report.ticks == 0) return fail(error_code::truncated, error::no_offset, "there is no tick to convert");
  return report;
}

namespace {

result<convert_report> convert_range(const file_path& input, const file_path& output,
                                     const convert_options& options) {
  const auto from = open_file(input);
  if (!from) return fail(from.error());
  auto opened = open_echo_input(*from, {.repair = options.repair, .tolerant = true});
  if (!opened) return fail(opened.error());
  ranged_echo part(std::move(*opened), options.range);
  if (auto found = part.find(); !found) return fail(found.error());
  convert_options told = options;
  told.cut_from =
      name_of(input) + ", from " + std::to_string(part.place().first_ms) + " ms after its beginning on";
  auto report = convert(part, output, told);
  if (report) report->cut = part.place();
  return report;
}

}  // namespace

result<convert_report> convert(const file_path& input, const file_path& output,
                               const convert_options& options) {
  const auto to = choose_target(output, options);
  if (!to) return fail(to.error());
  if (same_file(input, output)) {
    return fail(error_code::invalid_argument, error::no_offset, "input and output are the same file");
  }
  const auto from = detect(input);
  if (!from) return fail(from.error());
  const bool encode_anew =
      options.keyframe_interval_ticks || options.hold || options.repair || !options.bones || options.extra;
  const bool keeps_frames = (*from)->name == "butter" && *to == target::butter && !encode_anew;
  if (!options.range.is_all()) {
    return keeps_frames ? cut_butter(input, output, options) : convert_range(input, output, options);
  }
  if (keeps_frames) return recompress_butter(input, output, options);
  auto source = open_echo(input, {.repair = options.repair});
  if (!source) return fail(source.error());
  if ((*from)->name == "butter") source = with_extra(std::move(*source), input);
  return convert(**source, output, options);
}

}  // namespace tickreel::files
