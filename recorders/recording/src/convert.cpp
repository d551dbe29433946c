#include "tickreel/recording/convert.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <system_error>

#include "byte_stream.hpp"
#include "echo_output.hpp"
#include "salvage_butter.hpp"
#include "tickreel/recording/format.hpp"

namespace tickreel::recording {

namespace {

struct target_name {
  target value;
  std::string_view name;
};
constexpr target_name targets[] = {
    {target::butter, "butter"}, {target::echoreplay, "echoreplay"}, {target::reel, "reel"}};

result<target> choose_target(const std::filesystem::path& output, const convert_options& options) {
  if (options.to) return *options.to;
  if (const auto by_name = target_of(output)) return *by_name;
  return fail(error_code::invalid_argument, error::no_offset, "the output's name tells no format");
}

// X.butter, X-2.butter, X-3.butter, ...
std::filesystem::path numbered(const std::filesystem::path& output, std::size_t number) {
  if (number == 1) return output;
  std::filesystem::path name = output.stem();
  name += '-';
  name += std::to_string(number);
  name += output.extension();
  return output.parent_path() / name;
}

bool same_file(const std::filesystem::path& a, const std::filesystem::path& b) {
  std::error_code ignored;
  return std::filesystem::equivalent(a, b, ignored);
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

std::optional<target> target_of(const std::filesystem::path& path) {
  std::string extension = utf8(path.extension());
  if (extension.empty()) return std::nullopt;
  std::transform(extension.begin(), extension.end(), extension.begin(),
                 [](unsigned char each) { return static_cast<char>(std::tolower(each)); });
  return target_from_name(std::string_view(extension).substr(1));
}

result<convert_report> convert(echo_source& input, const std::filesystem::path& output,
                               const convert_options& options) {
  const auto to = choose_target(output, options);
  if (!to) return fail(to.error());
  convert_report report;
  tick_feed feed(input, options.watch);
  for (std::size_t number = 1;; ++number) {
    auto tick = feed.current();
    if (!tick) return fail(tick.error());
    if (*tick == nullptr) break;
    const std::filesystem::path path = numbered(output, number);
    const auto write = *to == target::butter       ? write_butter_file
                       : *to == target::echoreplay ? write_echoreplay_file
                                                   : write_reel_file;
    if (auto written = write(feed, path, options, report); !written) return fail(written.error());
  }
  if (report.ticks == 0) return fail(error_code::truncated, error::no_offset, "there is no tick to convert");
  report.losses = input.losses();
  return report;
}

result<convert_report> convert(const std::filesystem::path& input, const std::filesystem::path& output,
                               const convert_options& options) {
  const auto to = choose_target(output, options);
  if (!to) return fail(to.error());
  if (same_file(input, output)) {
    return fail(error_code::invalid_argument, error::no_offset, "input and output are the same file");
  }
  const auto from = detect(input);
  if (!from) return fail(from.error());
  const bool encode_anew =
      options.keyframe_interval_frames || options.hold || options.repair || !options.bones;
  if ((*from)->name == "butter" && *to == target::butter && !encode_anew) {
    return recompress_butter(input, output, options);
  }
  auto source = open_echo(input, {.repair = options.repair});
  if (!source) return fail(source.error());
  return convert(**source, output, options);
}

}  // namespace tickreel::recording
