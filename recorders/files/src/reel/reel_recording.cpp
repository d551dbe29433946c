// Reels as recordings: those of Echo VR with their ticks as JSON, any other by what every reel tells.
#include "echo/echo_input.hpp"
#include "echo/echo_recording.hpp"
#include "formats.hpp"
#include "reel_encoders.hpp"
#include "reel_facts.hpp"
#include "reel_losses.hpp"
#include "tickreel/reel/frame_stream.hpp"
#include "tickreel/text/json.hpp"

namespace tickreel::files {

namespace {

// A reel whose frames nobody here can read.
class opaque_reel final : public recording {
 public:
  explicit opaque_reel(reel::reader source) : source_(std::move(source)), frames_(source_) {}

  std::string_view format() const noexcept override { return "reel"; }

  result<bool> next() override {
    if (take_found()) return true;
    for (;;) {
      auto more = frames_.next(item_);
      ended_ = more && !*more;
      if (!more || !*more) return more;
      if (item_.kind == reel::item_kind::frame) break;
      losses_.note(item_);
    }
    frame_ = item_.frame;
    if (!first_time_us_) first_time_us_ = frame_.stamp.time_us;
    position_ = {frame_.stamp.tick, (frame_.stamp.time_us - *first_time_us_) / 1000, frames_.chunk().offset,
                 frame_.kind == frame_kind::keyframe};
    return true;
  }

  const tick_position& position() const noexcept override { return position_; }

  void append_state(std::string& json) const override {
    json += "\"keyframe\":";
    json += position_.keyframe ? "true" : "false";
    json += ",\"frame_bytes\":";
    json += std::to_string(frame_.bytes.size());
  }

  std::vector<std::string> losses() const override {
    std::vector<std::string> all = losses_.sentences();
    if (ended_ && source_.contents().end != reel::reel_end::closed) all.emplace_back(ends_early);
    return all;
  }

  result<void> rewind() override {
    found_ = ended_ = false;
    losses_ = {};
    frames_.restart(0);
    return {};
  }

  result<summary> summarise(const monitor& watch) override {
    summary out;
    auto looked = look_at_all(out, watch);
    if (!looked) return fail(looked.error());
    out.bytes = source_.contents().file_bytes;
    describe_reel(source_, losses_.ticks(), out);
    if (losses_.damaged()) {
      out.health = health::damaged;
    } else if (source_.contents().end != reel::reel_end::closed) {
      out.health = health::incomplete;
    }
    return out;
  }

  result<summary> glance(const monitor& watch) override {
    const reel::table_of_contents& contents = source_.contents();
    const bool whole = contents.end == reel::reel_end::closed && contents.from_index &&
                       contents.damaged.empty() && contents.missing_records == 0;
    const reel::record_info* first = nullptr;
    const reel::record_info* last = nullptr;
    for (std::size_t number = 0; whole && number < contents.records.size(); ++number) {
      const reel::record_info& each = contents.records[number];
      if (each.kind != reel::record_kind::chunk) continue;
      // Frames that stand on nothing are not counted.
      if (each.damaged) return summarise(watch);
      if (first == nullptr && (each.flags & reel::starts_with_keyframe) == 0) return summarise(watch);
      if (first == nullptr) first = &each;
      last = &each;
    }
    if (first == nullptr) return summarise(watch);
    summary out;
    out.bytes = contents.file_bytes;
    out.ticks = contents.frames;
    out.keyframes = contents.keyframe_chunks;
    out.duration_ms = (last->last_time_us - first->first_time_us) / 1000;
    describe_reel(source_, contents.lost_ticks, out);
    return out;
  }

  result<verification> verify(const monitor& watch) override {
    summary seen;
    auto looked = look_at_all(seen, watch);
    if (!looked) return fail(looked.error());
    verification out;
    out.ticks = seen.ticks;
    losses_.inspect(out.findings);
    inspect_reel(source_, out.findings);
    return out;
  }

 private:
  result<void> look_at_all(summary& out, const monitor& watch) {
    if (auto back = rewind(); !back) return back;
    result<bool> more = true;
    while ((more = next()) && *more) {
      ++out.ticks;
      if (position_.keyframe) ++out.keyframes;
      if (out.ticks % 4096 == 0) {
        watch.report(position_.offset, source_.contents().file_bytes);
        if (watch.stop()) {
          more = fail(error_code::interrupted);
          break;
        }
      }
    }
    out.duration_ms = position_.time_ms;
    if (!more) return fail(more.error());
    return {};
  }

  reel::reader source_;
  reel::frame_stream frames_;
  reel::item item_;
  reel::frame frame_;
  reel_losses losses_;
  bool ended_ = false;
  tick_position position_;
  std::optional<std::int64_t> first_time_us_;
};

}  // namespace

claim claims_reel(const probe& file) noexcept {
  return as_text(file.head).starts_with("TICKREEL") ? claim::certain : claim::no;
}

result<std::unique_ptr<recording>> open_echo_reel_recording(const byte_source& from,
                                                            const open_options& options) {
  auto ticks = open_echo_reel(from, {.repair = options.repair});
  if (!ticks) return fail(ticks.error());
  return make_echo_recording("reel", std::move(*ticks));
}

result<std::unique_ptr<recording>> open_reel_recording(const byte_source& from, const open_options& options) {
  auto source = reel::reader::open(from);
  if (!source) return fail(source.error());
  const auto known = reel_encoder_of(source->head());
  if (known) return (*known)->open(from, options);
  if (known.error().code != error_code::unsupported_operation) return fail(known.error());
  return std::make_unique<opaque_reel>(std::move(*source));
}

}  // namespace tickreel::files
