#include "mcap_conversion.hpp"

#include <algorithm>
#include <charconv>

#include "mcap_scene.hpp"
#include "mcap_schema.hpp"
#include "message_file.hpp"
#include "paths.hpp"
#include "places.hpp"
#include "tickreel/counted.hpp"
#include "tickreel/echo/state.hpp"
#include "tickreel/files/format.hpp"
#include "tickreel/files/report_json.hpp"
#include "tickreel/files/start_time.hpp"
#include "tickreel/files/state_stream.hpp"

namespace tickreel::files {

namespace {

// A larger tick or event is left out: viewers hold a whole message in memory.
constexpr std::size_t max_message_bytes = 64u << 20;

// The number after {"tick": , with which each event begins.
std::uint64_t tick_of(std::string_view event) {
  constexpr std::string_view begin = "{\"tick\":";
  std::uint64_t tick = 0;
  if (event.starts_with(begin))
    std::from_chars(event.data() + begin.size(), event.data() + event.size(), tick);
  return tick;
}

// Before 1970 becomes 0; the largest time is in the year 2116.
constexpr std::int64_t ns_per_ms = 1'000'000;
constexpr std::int64_t max_time_ms = (std::int64_t{1} << 62) / ns_per_ms;
std::uint64_t to_ns(std::int64_t time_ms) noexcept {
  return static_cast<std::uint64_t>(std::clamp<std::int64_t>(time_ms, 0, max_time_ms) * ns_per_ms);
}

// Writes the messages of a recording in the order of ticks, an event after its tick.
class stream_writer {
 public:
  stream_writer(recording& ticks, std::int64_t start_ms, message_file& to, const monitor& watch)
      : ticks_(ticks), start_ms_(start_ms), to_(to), watch_(watch) {
    const format* const described = find_format(ticks.format());
    has_scene_ = described == nullptr || !described->shown.has_events_as_ticks;
  }

  // Each tick up to that number.
  result<void> ticks_until(std::uint64_t last) {
    while (!at_end_) {
      if (!has_tick_) {
        const auto more = ticks_.next();
        if (!more) return fail(more.error());
        at_end_ = !*more;
        has_tick_ = *more;
        continue;
      }
      if (ticks_.position().tick > last) return {};
      if (auto written = write_tick(); !written) return written;
      has_tick_ = false;
    }
    return {};
  }
  result<void> event(std::string_view json) {
    if (auto written = ticks_until(tick_of(json)); !written) return written;
    if (json.size() > max_message_bytes) {
      ++large_events_;
      return {};
    }
    if (auto begun = begin(event_channel_, {"/events", "tickreel.Event", event_schema}); !begun) return begun;
    ++events_;
    return to_.add(event_channel_, time_ns_, json);
  }

  [[nodiscard]] std::uint64_t tick_count() const noexcept { return count_; }
  [[nodiscard]] std::uint64_t event_count() const noexcept { return events_; }
  [[nodiscard]] std::uint64_t last_time_ns() const noexcept { return time_ns_; }
  // What viewers do not get, as sentences.
  void add_losses(std::vector<std::string>& out) const {
    if (large_ticks_ != 0) {
      out.push_back(counted(large_ticks_, "tick") + " larger than 64 MiB left out, the first is tick " +
                    std::to_string(first_large_));
    }
    if (large_events_ != 0) out.push_back(counted(large_events_, "event") + " larger than 64 MiB left out");
  }
  void add_left_out(std::vector<std::string>& out) const {
    if (hidden_ != 0) {
      out.push_back(counted(hidden_, "position") + " not in /scene, which holds " +
                    std::to_string(max_places) + " per tick");
    }
    if (other_times_ != 0) {
      out.push_back(counted(other_times_, "tick has", "ticks have") +
                    " a time before 1970 or after 2116; the .mcap has the nearest time that it can hold");
    }
  }

 private:
  // Adds the channel before its first message.
  result<void> begin(std::uint16_t& number, const mcap::channel& of) {
    if (number != 0) return {};
    const auto added = to_.add_channel(of);
    if (!added) return fail(added.error());
    number = *added;
    return {};
  }
  result<void> write_tick() {
    if (watch_.stop()) return fail(error_code::interrupted);
    watch_.report(ticks_.position().offset, 0);
    constexpr std::int64_t max_ms = std::int64_t{1} << 61;
    const std::int64_t time_ms = std::clamp(ticks_.position().time_ms, -max_ms, max_ms) + start_ms_;
    if (time_ms < 0 || time_ms > max_time_ms) ++other_times_;
    time_ns_ = to_ns(time_ms);
    if (!read_tick()) {
      if (large_ticks_++ == 0) first_large_ = ticks_.position().tick;
      return {};
    }
    if (tick_channel_ == 0) {
      std::string schema;
      append_json_schema(json_, schema);
      if (auto begun = begin(tick_channel_, {"/tick", "tickreel.Tick", schema}); !begun) return begun;
    }
    ++count_;
    if (auto added = to_.add(tick_channel_, time_ns_, json_); !added) return added;
    return has_scene_ ? write_scene() : result<void>();
  }

  // Into json_; false if it is too large.
  bool read_tick() {
    json_.clear();
    const state_stream* const pieces = ticks_.offers().pieces;
    if (pieces == nullptr) {
      append_tick(ticks_, json_);
      return json_.size() <= max_message_bytes;
    }
    append_line_begin(ticks_.position(), json_);
    const bool is_whole = pieces->write_state([&](std::string_view piece) {
      json_ += piece;
      return json_.size() < max_message_bytes;
    });
    json_ += '}';
    return is_whole;
  }

  result<void> write_scene() {
    if (const echo::state* const state = ticks_.echo_state()) {
      places_of(*state, places_);
    } else {
      hidden_ += finder_.find(json_, places_);
    }
    json_.clear();
    if (!scene_.append(time_ns_, places_, json_)) return {};
    if (auto begun = begin(scene_channel_, {"/scene", "foxglove.SceneUpdate", scene_schema()}); !begun)
      return begun;
    return to_.add(scene_channel_, time_ns_, json_);
  }

  recording& ticks_;
  std::int64_t start_ms_;
  message_file& to_;
  const monitor& watch_;
  std::string json_;
  std::vector<place> places_;
  place_finder finder_;
  scene_writer scene_;
  bool has_scene_ = true;
  bool has_tick_ = false;  // ticks_ is at a tick that is not written yet
  bool at_end_ = false;
  std::uint64_t time_ns_ = to_ns(start_ms_);
  std::uint16_t tick_channel_ = 0;  // 0: no message yet
  std::uint16_t event_channel_ = 0;
  std::uint16_t scene_channel_ = 0;
  std::uint64_t count_ = 0;
  std::uint64_t events_ = 0;
  std::uint64_t large_ticks_ = 0;
  std::uint64_t first_large_ = 0;
  std::uint64_t large_events_ = 0;
  std::uint64_t hidden_ = 0;
  std::uint64_t other_times_ = 0;
};

// Ticks follow the events, because a recording passes its events to a function and returns its ticks.
result<void> write_all(recording& events, stream_writer& to, const monitor& watch) {
  if (events.offers().events != nullptr) {
    result<void> failed;
    const auto read = events.events({},
                                    [&](std::string_view json) {
                                      failed = to.event(json);
                                      return failed.has_value();
                                    },
                                    {.progress = {}, .cancelled = watch.cancelled});
    if (!failed) return failed;
    if (!read && read.error().code != error_code::unsupported_operation) return fail(read.error());
  }
  return to.ticks_until(UINT64_MAX);
}

// Sentences of the same loss are equal.
void add_new(const std::vector<std::string>& from, std::vector<std::string>& to) {
  for (const std::string& each : from) {
    if (std::ranges::find(to, each) == to.end()) to.push_back(each);
  }
}

result<summary> read_summary(const file_path& input, const monitor& watch) {
  auto opened = open(input);
  if (!opened) return fail(opened.error());
  return (*opened)->summarise(watch);
}

// Milliseconds since 1970-01-01; 0 if the recording does not state its start.
std::int64_t start_of(const summary& about) {
  if (const auto start = start_time_ms(about)) return *start;
  for (const fact& each : about.facts) {
    const auto* const number = std::get_if<std::int64_t>(&each.value);
    if (each.key == "start_time_us" && number != nullptr) return *number / 1000;
  }
  return 0;
}

result<void> write_metadata(message_file& to, recording& ticks, const summary& about,
                            const conversion_report& report, std::uint64_t events) {
  const auto after = ticks.lines_after();
  if (!after) return fail(after.error());
  const std::string before = ticks.lines_before();
  std::string info;
  append_summary({}, about, info);
  std::string lost;
  for (const std::string& each : report.lost) lost += each + '\n';
  const std::string version = std::to_string(about.format_version);
  const std::string tick_count = std::to_string(report.ticks);
  const std::string event_count = std::to_string(events);
  std::vector<mcap::entry> metadata = {
      {"format", about.format}, {"format_version", version}, {"health", name(about.health)},
      {"ticks", tick_count},    {"events", event_count},     {"losses", lost},
      {"info", info},
  };
  if (!before.empty()) metadata.emplace_back("lines_before", before);
  if (!after->empty()) metadata.emplace_back("lines_after", *after);
  return to.add_metadata("tickreel", metadata);
}

}  // namespace

result<conversion_report> convert_to_mcap(const file_path& input, const file_path& output,
                                          const conversion_options& options) {
  if (auto distinct = check_distinct(input, output); !distinct) return fail(distinct.error());
  if (options.keyframe_interval_ticks) {
    return fail(error_code::invalid_argument, error::no_offset, "an .mcap has no keyframes");
  }
  if (!options.range.is_all()) {
    return fail(error_code::unsupported_operation, error::no_offset,
                "only whole recordings become an .mcap: clip it in its own format first");
  }
  auto to = message_file::create(output, options.overwrite, options.codec.value_or(codec_options{}));
  if (!to) return fail(to.error());
  const auto about = read_summary(input, options.watch);
  if (!about) return fail(about.error());
  auto ticks = open(input);
  if (!ticks) return fail(ticks.error());
  auto events = open(input);
  if (!events) return fail(events.error());
  stream_writer stream(**ticks, start_of(*about), *to, options.watch);
  if (auto written = write_all(**events, stream, options.watch); !written) return fail(written.error());
  conversion_report report;
  report.ticks = stream.tick_count();
  add_new((*ticks)->losses(), report.lost);
  add_new((*events)->losses(), report.lost);
  stream.add_losses(report.lost);
  stream.add_left_out(report.left_out);
  if (auto done = write_metadata(*to, **ticks, *about, report, stream.event_count()); !done)
    return fail(done.error());
  if (options.attach) {
    if (auto done = to->attach(input, stream.last_time_ns(), options.watch); !done) return fail(done.error());
  }
  if (auto done = to->finish(); !done) return fail(done.error());
  report.bytes = to->file().size();
  report.files = {output};
  if (auto committed = to->file().commit(); !committed) return fail(committed.error());
  return report;
}

}  // namespace tickreel::files
