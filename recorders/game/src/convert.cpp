#include "tickreel/game/convert.hpp"

#include <algorithm>

#include "facts.hpp"
#include "match_frame.hpp"
#include "match_parts.hpp"
#include "opened_match.hpp"
#include "publish_match.hpp"
#include "tickreel/icrep/bc1.hpp"
#include "tickreel/icrep/lost_content.hpp"
#include "tickreel/icrep/sound_keyframes.hpp"
#include "tickreel/record/item_recorder.hpp"
#include "tickreel/reel/published_sink.hpp"
#include "tickreel/reel/sink.hpp"

namespace tickreel::game {

namespace {

// The size at which a chunk is closed: the memory that a reader needs.
constexpr std::size_t chunk_bytes = 1u << 20;
// Ticks between two progress reports.
constexpr std::uint64_t report_interval_ticks = 1024;

system_calls& calls_of(const conversion_options& options) noexcept {
  return options.calls != nullptr ? *options.calls : system_calls::real();
}

// Items that are already frames: u8 kind, then the frame.
class frame_copier {
 public:
  static constexpr std::string_view encoder_name = match_reel_encoder;
  static constexpr std::uint32_t encoder_version = match_reel_version;

  // A clip lacks nothing before its first tick.
  explicit frame_copier(std::uint64_t first_tick) noexcept : next_tick_(first_tick) {}

  void encode(const recorder_item& from, item_output& out) noexcept {
    const auto kind = static_cast<frame_kind>(from.bytes.front());
    const byte_span frame = from.bytes.subspan(1);
    if (from.stamp.tick > next_tick_) {
      out.gap(from.stamp.tick - next_tick_, {next_tick_, 0}, {from.stamp.tick - 1, from.stamp.time_us},
              reel::gap_reason::source_failed);
    }
    next_tick_ = from.stamp.tick + 1;
    (void)out.frame(from.stamp, kind, {&frame, 1});
  }
  void sealed(bool, std::uint32_t) noexcept {}
  void event_lost(std::uint32_t) noexcept {}

 private:
  std::uint64_t next_tick_;
};
using reel_copy = item_recorder<frame_copier>;

// The same input gives the same reel: chunks end by size and before keyframes, never by time.
recorder_options copy_options(const icrep::metadata& facts, const conversion_options& options) {
  recorder_options out;
  out.codec = options.codec;
  out.mode = threading::pumped;
  out.seal_interval_ms = UINT32_MAX;
  out.seal_bytes = chunk_bytes;
  out.sync_each_chunk = false;
  out.ring_ticks = 2;
  out.ticks_per_second = match_clock(facts).ticks_per_second();
  out.start_time_us = std::max<std::int64_t>(1, start_time_us(facts));
  out.schema = match_schema(facts);
  return out;
}

class icrep_to_reel {
 public:
  // `json`: the metadata.
  icrep_to_reel(const opened_match& from, std::string_view json, reel_copy& to,
                const conversion_options& options)
      : from_(from.reader()),
        misses_parts_(!from.missing_parts().empty()),
        json_(json),
        options_(options),
        clock_(from_.facts()),
        to_(to) {}

  result<conversion_report> run() {
    if (auto done = timeline(); !done) return fail(done.error());
    const bool incomplete =
        from_.header().incomplete && (from_.first_tick() == 0 || icrep::lost_content_of(from_.facts()));
    report_.incomplete = incomplete || from_.header().live || from_.header().lost_frame_count != 0 ||
                         report_.damaged_parts != 0 || misses_parts_;
    // A clip lacks nothing before its beginning.
    report_.total_ticks = from_.total_ticks() - std::min(from_.first_tick(), from_.total_ticks());
    const auto closed =
        to_.close([](frame_copier&, item_output&) {},
                  [this](frame_copier&, byte_vector& out) { icrep::append_bc1(out, end_of_match()); });
    if (!closed) return fail(closed.error());
    if (closed->earlier_failure) return fail(*closed->earlier_failure);
    report_.bytes = closed->counters.stored_bytes;
    return report_;
  }

 private:
  // Keyframes and frames by tick; records follow the chunk with their tick.
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
      const std::uint64_t now = more ? std::min(keyframe_tick, frame.tick) : keyframe_tick;
      match_frame parts;
      if (keyframe_tick == now) take_keyframe(from_.keyframes()[keyframe++], parts);
      if (more && frame.tick == now) {
        orders_.clear();
        icrep::append_bc1(orders_, frame);
        parts.orders = orders_;
        ++report_.ticks;
        more = frames.next(frame);
      }
      if (auto done = copy(now, parts); !done) return done;
      take_events(events, now);
      if (options_.progress && now >= reported + report_interval_ticks) {
        reported = now;
        if (!options_.progress(now, from_.total_ticks())) return fail(error_code::interrupted);
      }
    }
    take_events(events, UINT64_MAX);
    take_voice(voice);
    const std::size_t of_records = events.damage().size() + voice.damage().size();
    const std::size_t by_opening = damage_found(from_.findings());
    report_.damaged_parts += std::max(frames.damage().size() + of_records, by_opening);
    lost_.events +=
        std::max<std::size_t>(of_records, by_opening - std::min(by_opening, frames.damage().size()));
    const std::uint64_t wanted = from_.total_ticks() - std::min(from_.first_tick(), from_.total_ticks());
    if (!frames.damage().empty()) lost_.ticks = wanted - std::min(wanted, report_.ticks);
    if (options_.progress && !options_.progress(from_.total_ticks(), from_.total_ticks())) {
      return fail(error_code::interrupted);
    }
    return {};
  }

  static std::size_t damage_found(std::span<const icrep::finding> all) {
    return static_cast<std::size_t>(
        std::ranges::count(all, icrep::severity::damage, &icrep::finding::severity));
  }

  void take_keyframe(const icrep::stored_keyframe& keyframe, match_frame& parts) {
    if (!sound_.take(keyframe)) {
      ++report_.damaged_parts;
      ++lost_.keyframes;
      return;
    }
    ++report_.keyframes;
    // Decompressed, because a reel's codec compresses many better than LZ4 each.
    framed_keyframe& one = parts.keyframe.emplace();
    one.full = keyframe.full;
    one.bytes = sound_.raw();
  }

  result<void> copy(std::uint64_t tick, const match_frame& parts) {
    if (!parts.keyframe && parts.orders.empty()) return {};
    has_state_ = has_state_ || parts.keyframe;
    // Orders before any state are independent.
    const bool enters = !has_state_ || (parts.keyframe && parts.keyframe->full);
    item_.numbers(static_cast<std::uint8_t>(enters ? frame_kind::keyframe : frame_kind::delta));
    for (const byte_span part : frames_.parts(parts)) item_.append(part);
    (void)to_.push(clock_.stamp_of(tick), item_);
    (void)to_.pump();
    if (const auto failed = to_.failure()) return fail(*failed);
    return {};
  }

  void copy_event(std::uint64_t tick, std::uint32_t type, const byte_vector& bytes) {
    if (!to_.event(clock_.stamp_of(tick), type, bytes)) ++report_.damaged_parts;
    (void)to_.pump();
  }

  void take_events(icrep::event_cursor& events, std::uint64_t up_to_tick) {
    while (has_event_ && event_.tick <= up_to_tick) {
      // Also unknown events of a game or a newer version.
      if (icrep::read_event(event_.bytes)) {
        encoded_.assign(event_.bytes.begin(), event_.bytes.end());
        copy_event(event_.tick, event_.type, encoded_);
        ++report_.events;
      } else {
        ++report_.damaged_parts;
      }
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
      encoded_.assign(bytes.begin(), bytes.end());
      copy_event(tick, voice_event_type, encoded_);
      ++report_.voice_records;
    }
  }

  // Damage adds to the losses that the match already reports. The signatures did not include that, so they
  // are no longer complete.
  [[nodiscard]] std::string with_losses() const {
    auto facts =
        lost_.any() ? icrep::read_metadata(json_) : result<icrep::metadata>(fail(error_code::not_found));
    if (!facts) return std::string(json_);
    icrep::lost_content all = icrep::lost_content_of(*facts).value_or(icrep::lost_content{});
    all.ticks = std::max(all.ticks, lost_.ticks);
    all.keyframes += lost_.keyframes;
    all.events += lost_.events;
    icrep::set_lost_content(*facts, all);
    return icrep::to_json(*facts);
  }

  [[nodiscard]] match_end end_of_match() const {
    match_end end;
    const std::string facts_json = with_losses();
    const byte_span json = as_bytes(facts_json);
    end.metadata_json.assign(json.begin(), json.end());
    const icrep::file_header& header = from_.header();
    end.total_ticks = from_.total_ticks();
    end.final_state_hash = header.final_state_hash;
    end.lost_frame_count = header.lost_frame_count;
    end.incomplete = report_.incomplete || from_.header().incomplete;
    const byte_span signature = from_.signature_section();
    end.signature.assign(signature.begin(), signature.end());
    const byte_span embedded = from_.embedded_section();
    end.embedded.assign(embedded.begin(), embedded.end());
    return end;
  }

  const icrep::reader& from_;
  bool misses_parts_;
  std::string_view json_;
  const conversion_options& options_;
  match_clock clock_;
  reel_copy& to_;
  conversion_report report_;
  frame_writer frames_;
  item_buffer item_;
  icrep::sound_keyframes sound_;
  icrep::lost_content lost_;  // by damage to the file
  byte_vector orders_;
  byte_vector encoded_;
  icrep::event_record event_;
  bool has_event_ = false;
  bool has_state_ = false;
};

// A clip lacks nothing before its beginning.
void leave_out_beginning(const file_path& path, conversion_report& report, system_calls& calls) {
  const auto made = opened_match::open(path, calls);
  if (!made || (*made)->reader().first_tick() == 0) return;
  const icrep::reader& match = (*made)->reader();
  report.total_ticks -= std::min(report.total_ticks, match.first_tick());
  const bool all_there = report.ticks >= report.total_ticks && report.damaged_parts == 0;
  if (all_there && !icrep::lost_content_of(match.facts())) report.incomplete = false;
}

}  // namespace

result<conversion_report> convert_icrep_to_reel(const file_path& input, const file_path& output,
                                                const conversion_options& options) {
  system_calls& calls = calls_of(options);
  const auto source = opened_match::open(input, calls);
  if (!source) return fail(source.error());
  const icrep::reader& from = (*source)->reader();
  icrep::metadata facts = from.facts();
  std::string json(from.metadata_json());
  if (part_of(facts) && (*source)->missing_parts().empty() && part_of(facts)->number == 1) {
    // A reel contains all of it in one file.
    remove_part(facts);
    json = icrep::to_json(facts);
  }
  auto published = published_file::create(output, options.overwrite, calls);
  if (!published) return fail(published.error());
  std::vector<std::unique_ptr<reel::sink>> sinks;
  sinks.push_back(std::make_unique<reel::published_sink>(*published));
  auto to = reel_copy::open(std::move(sinks), frame_copier{from.first_tick()}, copy_options(facts, options));
  if (!to) return fail(to.error());
  auto report = icrep_to_reel(**source, json, *to, options).run();
  if (!report) return report;
  report->missing_parts = static_cast<std::uint32_t>((*source)->missing_parts().size());
  if (auto done = published->commit(); !done) return fail(done.error());
  return report;
}

result<conversion_report> convert_reel_to_icrep(const file_path& input, const file_path& output,
                                                const conversion_options& options) {
  system_calls& calls = calls_of(options);
  const auto made = publish_match(input, output, options.overwrite, calls, options.progress);
  if (!made) return fail(made.error());
  conversion_report report;
  report.ticks = made->ticks;
  report.total_ticks = made->total_ticks;
  report.keyframes = made->keyframes;
  report.events = made->events;
  report.voice_records = made->voice_records;
  report.bytes = made->bytes;
  report.files = made->parts;
  report.incomplete = made->incomplete;
  report.damaged_parts = made->damaged_parts;
  if (made->total_ticks > made->ticks) leave_out_beginning(output, report, calls);
  return report;
}

}  // namespace tickreel::game
