#include "tickreel/game/convert.hpp"

#include "match_reel.hpp"
#include "opened_match.hpp"
#include "tickreel/icrep/bc1.hpp"
#include "tickreel/reel/sink.hpp"

namespace tickreel::game {

namespace {

// A chunk is closed when it holds so much: what a reader must have in memory at once.
constexpr std::size_t chunk_bytes = 1u << 20;
// Ticks between two reports.
constexpr std::uint64_t report_interval_ticks = 1024;

system_calls& calls_of(const conversion_options& options) noexcept {
  return options.calls != nullptr ? *options.calls : system_calls::real();
}

class published_sink final : public reel::sink {
 public:
  explicit published_sink(published_file& to) noexcept : to_(&to) {}
  result<void> accept_header(byte_span bytes) override { return to_->append(bytes); }
  result<void> accept_record(const reel::record_info&, byte_span bytes) override {
    return to_->append(bytes);
  }

 private:
  published_file* to_;
};

class icrep_to_reel {
 public:
  icrep_to_reel(const icrep::reader& from, reel::writer out, const conversion_options& options)
      : from_(from), options_(options), to_(std::move(out), from.facts()) {}

  result<conversion_report> run() {
    if (auto done = timeline(); !done) return fail(done.error());
    report_.incomplete = from_.header().incomplete || from_.header().live ||
                         from_.header().lost_frame_count != 0 || report_.damaged_parts != 0;
    report_.total_ticks = from_.total_ticks();
    const auto end = end_of_match();
    if (!end) return fail(end.error());
    if (auto done = to_.finish(*end); !done) return fail(done.error());
    if (const auto& failed = to_.out().sink_failure()) return fail(*failed);
    report_.bytes = to_.out().bytes();
    return report_;
  }

 private:
  // Keyframes and frames by their ticks; records behind the chunk that holds their tick.
  result<void> timeline() {
    icrep::order_cursor frames = from_.orders();
    icrep::event_cursor events = from_.events();
    icrep::record_cursor voice = from_.voice();
    icrep::tick_frame frame;
    bool more = frames.next(frame);
    std::size_t keyframe = 0;
    std::uint64_t reported = 0;
    has_event_ = events.next(event_);
    while (more || keyframe < from_.keyframes().size()) {
      const std::uint64_t keyframe_tick =
          keyframe < from_.keyframes().size() ? from_.keyframes()[keyframe].tick : UINT64_MAX;
      std::uint64_t now = keyframe_tick;
      if (keyframe_tick != UINT64_MAX && (!more || keyframe_tick <= frame.tick)) {
        if (auto done = take_keyframe(from_.keyframes()[keyframe++]); !done) return done;
      } else {
        now = frame.tick;
        if (auto done = to_.frame(frame); !done) return done;
        ++report_.ticks;
        more = frames.next(frame);
      }
      take_events(events, now);
      if (to_.waiting_bytes() >= chunk_bytes) {
        if (auto done = to_.seal(); !done) return done;
      }
      if (options_.progress && now >= reported + report_interval_ticks) {
        reported = now;
        if (!options_.progress(now, from_.total_ticks())) return fail(error_code::interrupted);
      }
    }
    take_events(events, UINT64_MAX);
    take_voice(voice);
    report_.damaged_parts += frames.damage().size() + events.damage().size() + voice.damage().size();
    if (options_.progress && !options_.progress(from_.total_ticks(), from_.total_ticks())) {
      return fail(error_code::interrupted);
    }
    return {};
  }

  result<void> take_keyframe(const icrep::stored_keyframe& keyframe) {
    const auto raw = icrep::open_keyframe(keyframe, buffer_);
    if (!raw) {
      ++report_.damaged_parts;
      return {};
    }
    ++report_.keyframes;
    return to_.keyframe(keyframe.tick, keyframe.full, *raw);
  }

  void take_events(icrep::event_cursor& events, std::uint64_t up_to_tick) {
    while (has_event_ && analysis::tick_of(event_) <= up_to_tick) {
      to_.event(event_);
      ++report_.events;
      has_event_ = events.next(event_);
    }
  }

  void take_voice(icrep::record_cursor& voice) {
    byte_span bytes;
    std::uint64_t offset = 0;
    std::uint64_t tick = 0;
    while (voice.next(bytes, offset)) {
      const auto said = icrep::read_voice(bytes, {}, offset);
      if (!said) {
        ++report_.damaged_parts;
        continue;
      }
      if (const auto* frame = std::get_if<icrep::voice::frame>(&*said)) tick = frame->tick;
      to_.voice(tick, *said);
      ++report_.voice_records;
    }
  }

  result<match_end> end_of_match() const {
    match_end end;
    const byte_span json = as_bytes(from_.metadata_json());
    end.metadata_json.assign(json.begin(), json.end());
    const icrep::file_header& header = from_.header();
    end.total_ticks = from_.total_ticks();
    end.final_state_hash = header.final_state_hash;
    end.lost_frame_count = header.lost_frame_count;
    end.incomplete = report_.incomplete;
    const byte_span signature = from_.signature_section();
    end.signature.assign(signature.begin(), signature.end());
    const byte_span embedded = from_.embedded_section();
    end.embedded.assign(embedded.begin(), embedded.end());
    return end;
  }

  const icrep::reader& from_;
  const conversion_options& options_;
  match_reel_writer to_;
  conversion_report report_;
  byte_vector buffer_;
  analysis::event event_;
  bool has_event_ = false;
};

}  // namespace

result<conversion_report> convert_icrep_to_reel(std::string_view input, std::string_view output,
                                                const conversion_options& options) {
  system_calls& calls = calls_of(options);
  const auto source = opened_match::open(input, calls);
  if (!source) return fail(source.error());
  const icrep::reader& from = (*source)->reader();
  auto published = published_file::create(output, options.overwrite, calls);
  if (!published) return fail(published.error());
  auto out = reel::writer::create_without_file(match_reel_header(from.facts()), options.codec);
  if (!out) return fail(out.error());
  out->add_sink(std::make_unique<published_sink>(*published));
  auto report = icrep_to_reel(from, std::move(*out), options).run();
  if (!report) return report;
  if (auto done = published->commit(); !done) return fail(done.error());
  return report;
}

result<conversion_report> convert_reel_to_icrep(std::string_view input, std::string_view output,
                                                const conversion_options& options) {
  system_calls& calls = calls_of(options);
  // Before the work and not after it.
  auto published = published_file::create(output, options.overwrite, calls);
  if (!published) return fail(published.error());
  const auto image = image_of_reel(input, calls, options.progress);
  if (!image) return fail(image.error());
  auto done = published->append(image->file);
  if (done) done = published->commit();
  if (!done) return fail(done.error());
  const auto header = icrep::read_header(image->file);
  if (!header) return fail(header.error());
  conversion_report report;
  report.ticks = image->ticks;
  report.total_ticks = header->total_ticks;
  report.keyframes = image->keyframes;
  report.events = image->events;
  report.voice_records = image->voice_records;
  report.bytes = image->file.size();
  report.incomplete = header->incomplete;
  report.damaged_parts = image->damaged_parts;
  return report;
}

}  // namespace tickreel::game
