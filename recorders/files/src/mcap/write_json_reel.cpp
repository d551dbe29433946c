// .mcap files as reels.
#include <vector>

#include "json_reel.hpp"
#include "mcap_stream.hpp"
#include "open_file.hpp"
#include "paths.hpp"
#include "reels/reel_facts.hpp"
#include "tickreel/bytes/writer.hpp"
#include "tickreel/counted.hpp"
#include "tickreel/io/file.hpp"
#include "tickreel/reel/block_chunk.hpp"
#include "tickreel/reel/published_sink.hpp"
#include "tickreel/reel/writer.hpp"

namespace tickreel::files {

namespace {

constexpr std::size_t json_chunk_bytes = 1u << 20;
constexpr std::size_t max_json_event_bytes = 32u << 20;
// A reel has microseconds.
constexpr std::int64_t max_json_time_ms = 9'000'000'000'000'000;

// Collects ticks into chunks; the events follow the chunk of their tick.
class json_reel_writer {
 public:
  explicit json_reel_writer(reel::writer&& to) : to_(std::move(to)) {}

  // Ticks must rise.
  result<void> add_tick(const tick_position& at, std::string_view members) {
    const frame_stamp now{at.tick, at.time_ms * 1000};
    if (!chunk_.empty() && chunk_.size() + members.size() > json_chunk_bytes) {
      if (auto done = flush(); !done) return done;
    }
    const bool is_first = chunk_.empty();
    if (is_first) first_ = now;
    const std::size_t begin = chunk_.size();
    chunk_.resize(begin + reel::frame_head_bytes);
    byte_writer head(mutable_byte_span(chunk_).subspan(begin));
    reel::write_frame_head(head, is_first ? now : last_, now, frame_kind::keyframe, members.size());
    chunk_.resize(begin + head.size());
    chunk_.insert(chunk_.end(), as_bytes(members).begin(), as_bytes(members).end());
    last_ = now;
    ++frames_;
    return {};
  }
  result<void> add_event(std::string_view json) {
    const byte_span bytes = as_bytes(json);
    events_.push_back({last_, json_event_type, {bytes.begin(), bytes.end()}});
    event_bytes_ += bytes.size();
    return event_bytes_ < json_chunk_bytes ? result<void>() : flush();
  }
  result<void> finish() {
    if (auto done = flush(); !done) return done;
    if (auto done = to_.finish(); !done) return done;
    return to_.sink_failure() ? fail(*to_.sink_failure()) : result<void>();
  }

 private:
  result<void> flush() {
    if (frames_ != 0) {
      reel::record_info about;
      about.kind = reel::record_kind::chunk;
      about.flags = reel::starts_with_keyframe;
      about.first_tick = first_.tick;
      about.last_tick = last_.tick;
      about.first_time_us = first_.time_us;
      about.last_time_us = last_.time_us;
      about.frames = frames_;
      if (const auto done = to_.append(about, chunk_); !done) return fail(done.error());
      chunk_.clear();
      frames_ = 0;
    }
    if (!events_.empty()) {
      if (auto done = to_.append_events(events_); !done) return done;
      events_.clear();
      event_bytes_ = 0;
    }
    return to_.sink_failure() ? fail(*to_.sink_failure()) : result<void>();
  }

  reel::writer to_;
  byte_vector chunk_;
  frame_stamp first_;
  frame_stamp last_;
  std::uint32_t frames_ = 0;
  std::vector<reel::stamped_event> events_;
  std::size_t event_bytes_ = 0;
};

struct json_counts {
  std::uint64_t ticks = 0;
  std::uint64_t other_ticks = 0;  // whose number does not rise, or whose time is out of range
  std::uint64_t large_events = 0;
};

result<json_counts> copy_steps(mcap_stream& from, json_reel_writer& to, const monitor& watch) {
  json_counts out;
  std::optional<std::uint64_t> last;
  for (;;) {
    const auto found = from.next(watch);
    if (!found) return fail(found.error());
    if (*found == mcap_stream::step::end) return out;
    if (*found == mcap_stream::step::event) {
      if (from.event().size() > max_json_event_bytes) {
        ++out.large_events;
        continue;
      }
      if (auto done = to.add_event(from.event()); !done) return fail(done.error());
      continue;
    }
    const tick_position& at = from.position();
    const bool is_in_range = at.time_ms >= -max_json_time_ms && at.time_ms <= max_json_time_ms;
    if (!is_in_range || (last && at.tick <= *last)) {
      ++out.other_ticks;
      continue;
    }
    last = at.tick;
    if (auto done = to.add_tick(at, from.state()); !done) return fail(done.error());
    ++out.ticks;
  }
}

reel::metadata_entry text_of(const char* key, std::string_view value) {
  return {key, {as_bytes(value).begin(), as_bytes(value).end()}};
}

}  // namespace

result<conversion_report> convert_mcap_to_reel(const file_path& input, const file_path& output,
                                               const conversion_options& options) {
  if (auto distinct = check_distinct(input, output); !distinct) return fail(distinct.error());
  if (options.keyframe_interval_ticks) {
    return fail(error_code::invalid_argument, error::no_offset, "each tick of this reel is a keyframe");
  }
  if (!options.range.is_all()) {
    return fail(error_code::unsupported_operation, error::no_offset,
                "only whole .mcap files become a .reel: clip the result");
  }
  const auto file = open_file(input);
  if (!file) return fail(file.error());
  auto from = mcap_stream::open(*file);
  if (!from) return fail(from.error());
  auto to = published_file::create(output, options.overwrite);
  if (!to) return fail(to.error());
  // The header states the start, which the first tick has, and whether anything is lost.
  for (;;) {
    const auto found = from->next(options.watch);
    if (!found) return fail(found.error());
    if (*found == mcap_stream::step::end) break;
  }
  std::vector<std::string> lost = from->recorded().losses;
  from->omissions().add_damage(lost);
  reel::header head;
  head.encoder_name = json_reel_name;
  head.encoder_version = json_reel_version;
  head.start_time_us = static_cast<std::int64_t>(from->start_ns() / 1000);
  head.metadata.push_back(text_of("library", from->file().library()));
  if (from->recorded().are_known)
    head.metadata.push_back(text_of("recorded_format", from->recorded().format));
  // The reel has no record of losses before it.
  std::string losses;
  for (const std::string& each : lost) losses += each + '\n';
  if (!losses.empty()) {
    head.metadata.push_back(text_of("recorded_losses", losses));
    head.metadata.push_back(text_of(recovered_key, "yes"));
  }
  from->rewind();
  auto out = reel::writer::create_without_file(std::move(head), options.codec.value_or(codec_options{}));
  if (!out) return fail(out.error());
  out->add_sink(std::make_unique<reel::published_sink>(*to));
  json_reel_writer writer(std::move(*out));
  const auto copied = copy_steps(*from, writer, options.watch);
  if (!copied) return fail(copied.error());
  if (auto done = writer.finish(); !done) return fail(done.error());
  conversion_report report;
  report.ticks = copied->ticks;
  report.lost = std::move(lost);
  const mcap_omissions& omitted = from->omissions();
  omitted.add_left_out(report.lost);
  if (copied->other_ticks != 0) {
    report.lost.push_back(counted(copied->other_ticks, "tick") +
                          " left out: their numbers do not rise, or their times are out of range");
  }
  if (copied->large_events != 0) {
    report.lost.push_back(counted(copied->large_events, "event") + " larger than 32 MiB left out");
  }
  omitted.add_uncopied(report.left_out);
  const recorded_facts& recorded = from->recorded();
  if (!recorded.lines_before.empty() || !recorded.lines_after.empty())
    report.left_out.emplace_back("the lines before and after the ticks");
  report.bytes = to->size();
  report.files = {output};
  if (auto done = to->commit(); !done) return fail(done.error());
  return report;
}

}  // namespace tickreel::files
