#include "live_status.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "console.hpp"
#include "tickreel/counted.hpp"
#include "tickreel/text/json.hpp"

namespace tickreel::cli {

namespace {

std::string_view name(echo_vr::event_kind kind) {
  switch (kind) {
    case echo_vr::event_kind::state_changed:
      return "state_changed";
    case echo_vr::event_kind::file_started:
      return "file_started";
    case echo_vr::event_kind::file_finished:
      return "file_finished";
    case echo_vr::event_kind::gap:
      return "gap";
    case echo_vr::event_kind::disk_failed:
      return "disk_failed";
    case echo_vr::event_kind::disk_recovered:
      return "disk_recovered";
    case echo_vr::event_kind::publish_failed:
      return "publish_failed";
    case echo_vr::event_kind::left_over:
      return "left_over";
    case echo_vr::event_kind::left_out:
      return "left_out";
    case echo_vr::event_kind::file_removed:
      return "file_removed";
    case echo_vr::event_kind::clip_saved:
      return "clip_saved";
    case echo_vr::event_kind::clip_failed:
      return "clip_failed";
    case echo_vr::event_kind::keeping_failed:
      return "keeping_failed";
    case echo_vr::event_kind::repeated:
      return "repeated";
  }
  return "";
}

std::string json_line(const echo_vr::record_event& what) {
  std::string text;
  text::json_writer json(text);
  json.begin_object().member("event", name(what.kind));
  if (!what.target.empty()) json.member("target", what.target);
  json.member("message", what.line);
  if (!what.path.empty()) json.member("file", what.path.utf8());
  json.member("ticks", what.ticks)
      .member("bytes", what.bytes)
      .member("lost_ticks", what.lost_ticks)
      .end_object();
  return text;
}

std::string missed_line(std::uint64_t count) {
  std::string text;
  text::json_writer(text).begin_object().member("event", "missed").member("count", count).end_object();
  return text;
}

std::string milliseconds(std::uint64_t microseconds) {
  return fmt::format("{:.1f}", static_cast<double>(microseconds) / 1000);
}

std::string status_line(const echo_vr::target_status& target) {
  const echo_vr::match_status& match = target.match;
  if (!match.recording) {
    return fmt::format("{}  {}  {}, {} without an answer", echo_vr::to_text(target.where),
                       echo_vr::name(target.state), counted(target.polls, "poll"), target.polls_failed);
  }
  const double per_frame =
      match.frames == 0 ? 0 : static_cast<double>(match.stored_bytes) / static_cast<double>(match.frames);
  return fmt::format(
      "{}  {} {}  {:.0f}:{:.0f}  {}  {}  {} lost{}  {:.0f} B/frame  {:.0f} Hz  p50 {} ms p99 "
      "{} "
      "ms",
      match.map, match.game_status, match.game_clock, match.blue_points, match.orange_points,
      counted(match.players, "player"), counted(match.frames, "frame"),
      match.lost_polls + match.dropped_ticks,
      match.left_out == 0 ? "" : fmt::format("  {} left out", match.left_out), per_frame, target.rate_hz,
      milliseconds(target.latency_p50_us), milliseconds(target.latency_p99_us));
}

std::string status_line(const std::vector<echo_vr::target_status>& targets) {
  if (targets.size() == 1) return status_line(targets.front());
  std::uint64_t frames = 0;
  std::uint64_t lost = 0;
  std::uint64_t slowest_us = 0;
  for (const echo_vr::target_status& each : targets) {
    frames += each.match.total_frames;
    lost += each.match.lost_polls + each.match.dropped_ticks;
    slowest_us = std::max(slowest_us, each.latency_p99_us);
  }
  const auto recording =
      std::count_if(targets.begin(), targets.end(), [](const auto& each) { return each.match.recording; });
  return fmt::format("{} of {} recorded  {}  {} lost  slowest p99 {} ms", recording,
                     counted(targets.size(), "target"), counted(frames, "frame"), lost,
                     milliseconds(slowest_us));
}

}  // namespace

void live_status::event(const echo_vr::record_event& what) {
  std::string text = json_                 ? json_line(what)
                     : what.target.empty() ? what.line
                                           : fmt::format("{}: {}", what.target, what.line);
  const std::scoped_lock lock(mutex_);
  using kind = echo_vr::event_kind;
  if (what.kind == kind::disk_failed || what.kind == kind::publish_failed || what.kind == kind::clip_failed) {
    const std::string file = what.path.utf8();
    last_failure_ = file.empty() ? what.line : file + ": " + what.line;
  }
  if (waiting_.size() < max_waiting_events) {
    waiting_.push_back(std::move(text));
  } else {
    ++missed_;
  }
}

std::string live_status::last_failure() {
  const std::scoped_lock lock(mutex_);
  return last_failure_;
}

void live_status::print_events() {
  std::vector<std::string> events;
  std::uint64_t missed = 0;
  {
    const std::scoped_lock lock(mutex_);
    events.swap(waiting_);
    missed = std::exchange(missed_, 0);
  }
  for (const std::string& each : events) line(json_ ? each : printable(each));
  if (missed == 0) return;
  line(json_ ? missed_line(missed)
             : counted(missed, "event is", "events are") +
                   " not shown here: the reader of this output was too slow");
}

void live_status::show(const std::vector<echo_vr::target_status>& targets) {
  if (!errors_are_terminal() || targets.empty()) return;
  show_line(status_line(targets));
}

void live_status::show_finishing(const std::vector<echo_vr::target_status>& targets) {
  if (!errors_are_terminal()) return;
  std::uint64_t files = 0;
  std::uint64_t bytes = 0;
  std::uint64_t total = 0;
  for (const echo_vr::target_status& each : targets) {
    files += each.match.finishing_files;
    bytes += each.match.finishing_done_bytes;
    total += each.match.finishing_total_bytes;
  }
  if (files == 0) return;
  const std::string share = total == 0 ? "" : fmt::format("  {} of {}", bytes_text(bytes), bytes_text(total));
  show_line(fmt::format("finishing {}{}  (Ctrl-C again: leave the reels, 'tickreel recover' finishes them)",
                        counted(files, "file"), share));
}

void live_status::line(const std::string& text) {
  clear();
  standard_output().write_line(text);
  standard_output().flush();
}

void live_status::show_line(const std::string& line) {
  show_transient(printable(line));
  visible_ = true;
}

void live_status::clear() {
  if (visible_) show_transient({});
  visible_ = false;
}

}  // namespace tickreel::cli
