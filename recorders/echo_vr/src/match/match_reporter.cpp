#include "match_reporter.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "tickreel/counted.hpp"
#include "tickreel/io/folder.hpp"

namespace tickreel::echo_vr {

namespace {

constexpr std::chrono::seconds gap_interval{10};
// If one poll in five is lost or repeated, another rate fits better. Fewer happen at any rate.
constexpr std::uint64_t one_of = 5;

std::string unfinished_sentence(const finished_file& file) {
  if (file.ticks == 0) {
    return "could not finish " + file_path(file.path.filename()).utf8() + ": " + describe(*file.failure) +
           "; no tick could be written";
  }
  return "could not finish: " + describe(*file.failure) +
         (path_exists(file.path) ? "; the recorded ticks are in the reel, run: " + recover_command(file.path)
                                 : "; the reel was removed, so the recording is lost");
}

std::string finished_sentence(const finished_file& file) {
  std::string line =
      "finished " + file_path(file.path.filename()).utf8() + ", " + counted(file.ticks, "tick");
  if (file.lost_ticks != 0) line += ", " + std::to_string(file.lost_ticks) + " lost";
  if (file.left_out != 0) line += ", " + counted(file.left_out, "value") + " left out";
  for (const std::string& each : file.format_lacks) line += "; " + each;
  if (file.undelivered) {
    line += "; its reel stays, because a sink lacks records: " + describe(*file.undelivered);
  }
  return line;
}

}  // namespace

void match_reporter::report(record_event event) {
  if (!listener_) return;
  event.target = target_;
  const std::lock_guard lock(mutex_);
  listener_(event);
}

void match_reporter::report(event_kind kind, std::string line) {
  record_event event;
  event.kind = kind;
  event.line = std::move(line);
  report(std::move(event));
}

bool match_reporter::files_started(const std::vector<std::filesystem::path>& opened,
                                   std::uint32_t buffer_ms) {
  for (const std::filesystem::path& path : opened) {
    record_event event;
    event.kind = event_kind::file_started;
    const std::filesystem::path shown = buffer_ms == 0 ? path : match_file::reel_of(path);
    const std::string name = file_path(shown.filename()).utf8();
    event.path = shown;
    event.line = buffer_ms == 0 ? "recording " + name
                                : "buffering the last " + std::to_string(buffer_ms / 1000) + " s in " + name;
    report(std::move(event));
  }
  return !opened.empty();
}

void match_reporter::file_finished(const finished_file& done) {
  if (!done.failure && (done.ticks == 0 || done.was_buffer)) return;
  record_event event;
  event.kind = done.failure ? event_kind::publish_failed : event_kind::file_finished;
  event.line = done.failure ? unfinished_sentence(done) : finished_sentence(done);
  event.path = done.path;
  event.ticks = done.ticks;
  event.bytes = done.bytes;
  event.lost_ticks = done.lost_ticks;
  report(std::move(event));
}

void match_reporter::state(const poll_outcome& outcome) {
  const bool lasting = outcome.state == last_state_ || reported_state_ == target_state::connecting ||
                       outcome.state == target_state::in_match;
  last_state_ = outcome.state;
  if (!lasting || outcome.state == reported_state_) return;
  reported_state_ = outcome.state;
  std::string line(sentence(outcome.state));
  if (outcome.state == target_state::bad_answer) {
    line += " (" + cause_of_bad_answer(outcome) + ')';
  } else if (outcome.failure != nullptr) {
    line += " (" + describe(*outcome.failure) + ')';
  }
  report(event_kind::state_changed, std::move(line));
}

void match_reporter::gap(std::uint64_t lost, time_point now) {
  ++gaps_;
  polls_in_gaps_ += lost;
  report_gaps(now);
}

void match_reporter::report_gaps(time_point now) {
  if (gaps_ != 0 && now >= next_gaps_) report_gap_total(now);
}

void match_reporter::report_gap_total(time_point now) {
  next_gaps_ = now + gap_interval;
  record_event event;
  event.kind = event_kind::gap;
  event.ticks = polls_in_gaps_;
  event.line = gaps_ == 1 ? "the match continues after a gap of " + counted(polls_in_gaps_, "poll")
                          : counted(polls_in_gaps_, "poll was", "polls were") + " lost in " +
                                counted(gaps_, "gap") + "; the match continues";
  event.line += take_reason();
  gaps_ = polls_in_gaps_ = 0;
  report(std::move(event));
}

void match_reporter::lost_at_end(std::uint64_t lost) {
  record_event event;
  event.kind = event_kind::gap;
  event.ticks = lost;
  event.line = "the last " + (lost == 1 ? std::string("poll") : counted(lost, "poll")) +
               " of the match contained no tick" + take_reason();
  report(std::move(event));
}

std::string match_reporter::take_reason() {
  const std::string why = std::exchange(why_, {});
  return why.empty() ? why : "; the last response that could not be used: " + why;
}

void match_reporter::skipped(std::uint64_t deadlines, time_point now) {
  if (window_ticks_ == 0) window_began_ = now;
  ++window_ticks_;
  window_skipped_ += deadlines;
  if (skips_reported_ || now - window_began_ < gap_interval) return;
  const double elapsed_s = std::chrono::duration<double>(now - window_began_).count();
  const std::uint64_t ticks = std::exchange(window_ticks_, 0);
  const std::uint64_t lost = std::exchange(window_skipped_, 0);
  if (lost * one_of < ticks + lost) return;
  skips_reported_ = true;
  const auto rate = std::max<long>(1, std::lround(static_cast<double>(ticks - 1) / elapsed_s));
  record_event event;
  event.kind = event_kind::gap;
  event.ticks = lost;
  event.line = std::to_string(lost) + " of " + std::to_string(ticks + lost) + " polls of the last " +
               std::to_string(std::lround(elapsed_s)) +
               " s were lost, because responses arrive after the next poll is due; --rate " +
               std::to_string(rate) + " polls as often as they arrive";
  report(std::move(event));
}

void match_reporter::response(std::uint64_t hash, time_point now) {
  // A game that updates at the poll rate repeats some responses, too: sometimes a poll is a little early.
  constexpr std::uint64_t enough_responses = 300;
  if (responses_++ == 0) first_response_ = now;
  if (last_response_ == hash) {
    ++repeated_;
    ++repeated_in_all_;
  }
  last_response_ = hash;
  if (repeats_reported_ || responses_ < enough_responses || repeated_ * one_of < responses_) return;
  repeats_reported_ = true;
  const double elapsed_s = std::chrono::duration<double>(now - first_response_).count();
  const double updates_hz = static_cast<double>(responses_ - repeated_ - 1) / std::max(elapsed_s, 1e-3);
  const auto rate = static_cast<std::uint64_t>(std::max<long>(1, std::lround(updates_hz)));
  record_event event;
  event.kind = event_kind::repeated;
  event.ticks = repeated_;
  event.line = std::to_string(repeated_) + " of " + std::to_string(responses_) +
               " responses equal the previous one: the game changes about " + counted(rate, "time") +
               " a second; --rate " + std::to_string(rate) + " records the same in fewer ticks";
  report(std::move(event));
}

void match_reporter::omissions(const echo::omission_tally& of_match, bool text_is_stored) {
  constexpr std::size_t max_listed = 12;
  const auto& entries = of_match.entries();
  for (; omissions_reported_ < std::min(entries.size(), max_listed); ++omissions_reported_) {
    const auto& each = entries[omissions_reported_];
    if (text_is_stored && each.kind != echo::omission_kind::unreadable_bones) continue;
    echo::omission_tally one;
    one.set_place(each.first);
    one.left_out({each.kind, each.path, each.value});
    report(event_kind::left_out, "left out: " + one.sentences().front());
  }
}

void match_reporter::disk(const std::vector<failing_file>& failing) {
  for (const failing_file& each : failing) {
    if (std::ranges::find(failing_formats_, each.extension) != failing_formats_.end()) continue;
    failing_formats_.push_back(each.extension);
    disk_failed("cannot write " + each.sentence() + "; data written before is safe, writing is retried");
  }
  if (!failing.empty() || !disk_fails_) return;
  disk_fails_ = false;
  failing_formats_.clear();
  report(event_kind::disk_recovered, "writing works again");
}

void match_reporter::disk_failed(std::string line) {
  disk_fails_ = true;
  report(event_kind::disk_failed, std::move(line));
}

void match_reporter::match_ends() {
  if (gaps_ != 0) report_gap_total(next_gaps_);
  next_gaps_ = {};
  omissions_reported_ = 0;
  last_response_.reset();
  responses_ = repeated_ = 0;
  repeats_reported_ = skips_reported_ = false;
  window_ticks_ = window_skipped_ = 0;
}

}  // namespace tickreel::echo_vr
