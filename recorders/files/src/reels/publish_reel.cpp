#include "publish_reel.hpp"

#include "reel_encoders.hpp"
#include "tickreel/io/file.hpp"
#include "tickreel/reel/reader.hpp"

namespace tickreel::files {

result<copy_check> check_for_copy(reel::reader& source) {
  copy_check out;
  out.accepts = [](const reel::frame&) { return true; };
  const auto encoder = reel_encoder_of(source.head());
  // Frames of an unknown encoder are not known to be unreadable.
  if (!encoder && encoder.error().code == error_code::unsupported_operation) return out;
  if (encoder && (*encoder)->check == nullptr) return out;
  auto check = encoder ? (*encoder)->check(source) : fail(encoder.error());
  if (check) {
    out.accepts = std::move(*check);
  } else if (is_damage(check.error().code)) {
    out.lost.push_back("no tick can be read, so they were copied unchecked: " + describe(check.error()));
  } else {
    return fail(check.error());
  }
  return out;
}

namespace {

// After a failed write the reel may have bytes that a power cut would replace by older ones, with more ticks than the
// published file. Without a sync the reel is still all there is.
void settle(const file_path& reel) {
  if (auto left = file::open_for_reading(reel)) (void)left->sync();
}

}  // namespace

result<publish_report> publish_reel(const file_path& reel, const file_path& output,
                                    const publish_options& options, const monitor& watch) {
  if (options.wait_for_more == nullptr) settle(reel);
  publish_options settling = options;
  if (options.wait_for_more != nullptr) {
    settling.wait_for_more = [&] {
      const bool grows = options.wait_for_more();
      if (!grows) settle(reel);
      return grows;
    };
  }
  auto source = reel::reader::open(reel);
  if (!source) return fail(source.error());
  const auto encoder = reel_encoder_of(source->head());
  if (!encoder) return fail(encoder.error());
  if ((*encoder)->publish == nullptr) {
    return fail(error_code::unsupported_operation, 0,
                "'tickreel convert' and 'tickreel recover' write its frames to a file");
  }
  return (*encoder)->publish(std::move(*source), output, settling, watch);
}

result<publish_report> publish(const file_path& reel, const file_path& output,
                               const publish_options& options) {
  return publish_reel(reel, output, options, {.progress = options.progress, .cancelled = options.cancelled});
}

}  // namespace tickreel::files
