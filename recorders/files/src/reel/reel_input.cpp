// Reels of an Echo VR format as a source of ticks.
#include <algorithm>

#include "decoded_reel.hpp"
#include "echo/echo_input.hpp"
#include "reel_encoders.hpp"
#include "reel_facts.hpp"
#include "tickreel/butter/decoder.hpp"
#include "tickreel/echoreplay/decoder.hpp"
#include "tickreel/files/echo_events.hpp"

namespace tickreel::files {

namespace {

template <class Decoder>
class echo_reel_input final : public echo_input {
 public:
  echo_reel_input(reel::reader source, Decoder decoder)
      : source_(std::move(source)), ticks_(source_, std::move(decoder)) {}

  result<void> begin() {
    if constexpr (decoder_with_header<Decoder>) return ticks_.apply_header();
    return {};
  }

  result<bool> next(echo::state& out) override { return next_from(0, out); }

  result<bool> next_from(std::uint64_t tick, echo::state& out) override {
    reel::frame frame;
    const auto more = ticks_.next_from(tick, frame);
    if (more && !*more) {
      has_place_ = false;
      ended_ = true;
    }
    if (!more || !*more) return more;
    echo::copy_state(out, ticks_.decoder().state());
    place_ = {frame.stamp.tick, ticks_.chunk().offset, frame.kind == frame_kind::keyframe};
    has_place_ = true;
    return true;
  }

  std::string_view session_json() const noexcept override {
    if constexpr (requires { ticks_.decoder().columns(); }) return ticks_.decoder().columns().session;
    return {};
  }
  std::string_view bones_json() const noexcept override {
    if constexpr (requires { ticks_.decoder().columns(); }) return ticks_.decoder().columns().bones;
    return {};
  }
  std::string_view source_line() const noexcept override {
    if constexpr (requires { ticks_.decoder().text(); }) return ticks_.decoder().text();
    return {};
  }

  bool give_event_records(std::function<void(byte_span)> to) override {
    const auto& entries = source_.head().metadata;
    const bool keeps = std::any_of(entries.begin(), entries.end(),
                                   [](const auto& each) { return each.key == echo_events_key; });
    if (keeps) ticks_.give_event_records(std::move(to));
    return keeps;
  }

  bool keeps_words() const noexcept override {
    return requires { ticks_.decoder().columns(); };
  }

  source_losses losses() const override {
    source_losses all;
    all.unrecorded = ticks_.unrecorded();
    all.left_out = ticks_.left_out();
    const reel::table_of_contents& contents = source_.contents();
    all.lost_ticks = ticks_.losses().ticks();
    all.places = ticks_.losses().sentences();
    all.damaged = ticks_.losses().damaged();
    // Of no concern to those who have not come so far.
    if (ended_) {
      all.torn_bytes = torn_bytes(contents);
      all.cut_short = contents.end != reel::reel_end::closed;
    }
    return all;
  }
  std::uint64_t bytes_done() const noexcept override { return place_.offset; }
  std::uint64_t bytes_total() const noexcept override { return source_.contents().file_bytes; }
  const tick_place& place() const noexcept override { return place_; }
  // What is lost in a reel is told, and never in the way of what is there.
  void set_tolerant(bool) noexcept override {}
  const std::vector<error>& faults() const noexcept override { return no_faults_; }

  result<void> rewind() override {
    ticks_.restart(0);
    place_ = {};
    has_place_ = ended_ = false;
    return {};
  }

  result<void> approach(const moment& where) override {
    // Recorded times and the reel's own clock may differ a little; two seconds are more than they do.
    constexpr double margin_s = 2;
    const auto chunk =
        where.unit == moment::by::tick
            ? source_.chunk_for_tick(where.tick)
            : source_.chunk_for_time(static_cast<std::int64_t>((where.seconds - margin_s) * 1e6));
    // What lies between is decoded already where the place is ahead of here and no keyframe is nearer to it.
    const bool ahead = has_place_ && where.unit == moment::by::tick && place_.tick < where.tick;
    if (chunk && ahead && *chunk < ticks_.next_record_number()) return {};
    if (auto back = rewind(); !back) return back;
    if (chunk) ticks_.restart(*chunk);
    return {};
  }

  void describe(summary& out) const override {
    describe_reel(source_, ended_ ? ticks_.losses().ticks() : source_.contents().lost_ticks, out);
  }
  void inspect(std::vector<finding>& out) const override {
    ticks_.losses().inspect(out);
    inspect_reel(source_, out);
  }

 private:
  reel::reader source_;
  decoded_reel<Decoder> ticks_;
  tick_place place_;
  bool has_place_ = false;
  bool ended_ = false;
  std::vector<error> no_faults_;
};

template <class Decoder>
result<std::unique_ptr<echo_input>> open_as(reel::reader source, Decoder decoder) {
  auto made = std::make_unique<echo_reel_input<Decoder>>(std::move(source), std::move(decoder));
  if (auto begun = made->begin(); !begun) return fail(begun.error());
  return made;
}

}  // namespace

result<std::unique_ptr<echo_input>> open_butter_reel(reel::reader source, const echo_options& options) {
  butter::reader_options reading;
  reading.repair = options.repair;
  return open_as(std::move(source), butter::decoder(reading));
}

result<std::unique_ptr<echo_input>> open_echoreplay_reel(reel::reader source, const echo_options&) {
  return open_as(std::move(source), echoreplay::decoder());
}

result<std::unique_ptr<echo_input>> open_echo_reel(const byte_source& from, const echo_options& options) {
  auto source = reel::reader::open(from);
  if (!source) return fail(source.error());
  const auto row = reel_encoder_of(source->head());
  if (!row) return fail(row.error());
  if ((*row)->open_echo == nullptr) {
    return fail(error_code::unsupported_operation, 0, "the reel's frames are not Echo VR ticks");
  }
  return (*row)->open_echo(std::move(*source), options);
}

}  // namespace tickreel::files
