#include "publish_reel.hpp"

#include "reel_encoders.hpp"
#include "tickreel/reel/reader.hpp"

namespace tickreel::files {

result<reel::frame_check> check_for_copy(reel::reader& source) {
  const auto encoder = reel_encoder_of(source.head());
  if (!encoder) return fail(encoder.error());
  return (*encoder)->check != nullptr ? (*encoder)->check(source) : reel::frame_check();
}

result<publish_report> publish_reel(const file_path& reel, const file_path& output,
                                    const publish_options& options, const monitor& watch) {
  auto source = reel::reader::open(reel);
  if (!source) return fail(source.error());
  const auto encoder = reel_encoder_of(source->head());
  if (!encoder) return fail(encoder.error());
  if ((*encoder)->publish == nullptr) {
    return fail(error_code::unsupported_operation, 0,
                "'tickreel convert' and 'tickreel recover' write its frames to a file");
  }
  return (*encoder)->publish(std::move(*source), output, options, watch);
}

result<publish_report> publish(const file_path& reel, const file_path& output,
                               const publish_options& options) {
  return publish_reel(reel, output, options, {.progress = options.progress, .cancelled = options.cancelled});
}

}  // namespace tickreel::files
