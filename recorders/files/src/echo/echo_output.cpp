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
  const bool encodes = options.keyframe_interval_ticks || options.hold || !options.bones || options.extra;
  return encodes ? byte_vector() : from.kept_frame_header();
}

result<void> commit(published_file& file, const file_path& output, convert_report& report) {
  auto done = file.commit();
  if (done) report.files.push_back(output);
  return done;
}

}  // namespace tickreel::files
