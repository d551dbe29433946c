#include "echo_output.hpp"

#include <algorithm>

namespace tickreel::files {

std::uint32_t interval_of(const convert_options& options, std::uint32_t by_default) noexcept {
  return std::clamp<std::uint32_t>(options.keyframe_interval_ticks.value_or(by_default), 1, 65535);
}

butter::encoder_options encoder_options_of(const convert_options& options) {
  butter::encoder_options encoding;
  if (options.hold) encoding.hold = *options.hold;
  encoding.bones = options.bones;
  return encoding;
}

void add(butter::omissions& to, const butter::omissions& from) noexcept {
  to.frames += from.frames;
  to.unsupported_fields += from.unsupported_fields;
  to.clamped_values += from.clamped_values;
  to.transliterated_names += from.transliterated_names;
  to.forced_keyframes += from.forced_keyframes;
}

byte_vector header_to_keep(echo_source& from, const convert_options& options) {
  const bool encodes = options.keyframe_interval_ticks || options.hold || !options.bones ||
                       options.bone_errors || options.extra;
  return encodes ? byte_vector() : from.kept_frame_header();
}

result<void> check_first_tick(const result<std::unique_ptr<echo_input>>& input) {
  if (!input) return fail(input.error());
  const auto state = std::make_unique<echo::state>();
  const auto first = (*input)->next(*state);
  if (!first) return fail(first.error());
  if (!*first) return fail(error_code::truncated, error::no_offset, "there is no tick");
  return {};
}

result<convert_report> convert_for_recovery(echo_source& from, std::string_view to, const file_path& output,
                                            const recover_options& options, recover_report& report) {
  convert_options converting;
  converting.to = to;
  converting.overwrite = options.overwrite;
  converting.watch = options.watch;
  auto converted = convert(from, output, converting);
  if (!converted) return converted;
  report.ticks = converted->ticks;
  report.bytes = converted->bytes;
  report.lost_ticks = converted->losses.lost_ticks;
  return converted;
}

result<void> commit(published_file& file, const file_path& output, convert_report& report) {
  auto done = file.commit();
  if (done) report.files.push_back(output);
  return done;
}

}  // namespace tickreel::files
