#include "tickreel/echo_vr/match_recorder.hpp"

#include <algorithm>
#include <mutex>
#include <utility>

#include "match_file.hpp"
#include "open_match.hpp"
#include "tickreel/echo/json.hpp"
#include "tickreel/text/json.hpp"
#include "tickreel/workers/worker_pool.hpp"

namespace tickreel::echo_vr {
namespace {

using clock = std::chrono::steady_clock;

// Asking a recorder how it is takes a lock; a disk that fails is reported within this time.
constexpr std::chrono::milliseconds check_interval{100};

}  // namespace

struct match_recorder::internals {
  internals(target to, const poll_options& from, match_options matches, event_function listener)
      : where(to_text(to)), polls(from), options(std::move(matches)), events(std::move(listener)) {}

  // Events.

  void report(record_event event) {
    if (!events) return;
    event.target = where;
    const std::lock_guard lock(event_mutex);
    events(event);
  }
  void report(event_kind kind, std::string line) {
    record_event event;
    event.kind = kind;
    event.line = std::move(line);
    report(std::move(event));
  }

  // A state is told when it is there twice, so that one lost answer in a match is no news.
  void tell_state(const poll_outcome& outcome) {
    const bool lasting = outcome.state == last_state || told_state == target_state::connecting ||
                         outcome.state == target_state::in_match;
    last_state = outcome.state;
    if (!lasting || outcome.state == told_state) return;
    told_state = outcome.state;
    std::string line(sentence(outcome.state));
    if (outcome.failure != nullptr) {
      line += " (" + describe(*outcome.failure) + ')';
    } else if (outcome.state == target_state::bad_answer) {
      line += " (HTTP status " + std::to_string(outcome.http_status) + ')';
    }
    report(event_kind::state_changed, std::move(line));
  }

  // Polls.

  double on_poll(const poll_outcome& outcome) {
    poll_outcome seen = outcome;
    if (seen.state == target_state::in_match && !parse(seen)) seen.state = target_state::bad_answer;
    tell_state(seen);
    settle_match(seen.arrived);
    const double rate_hz = seen.state == target_state::in_match ? in_match(seen) : out_of_match(seen);
    update_status(seen);
    return rate_hz;
  }

  // Takes bones that nobody could read out of `outcome`.
  bool parse(poll_outcome& outcome) {
    omissions.clear();
    const auto session = parser.parse_session(outcome.session, state, &omissions);
    // The parser passes over what it does not know, but files may keep the answer whole.
    if (!session || !text::is_json(outcome.session)) return false;
    bool complete = session->complete();
    state.recorded_time_ms = outcome.time_ms;
    state.bones = echo::bones_kind::absent;
    state.bone_player_count = 0;
    if (!outcome.bones.empty()) {
      const auto bones = parser.parse_bones(outcome.bones, state, &omissions);
      if (!bones || !text::is_json(outcome.bones)) {
        state.bones = echo::bones_kind::absent;
        state.bone_player_count = 0;
        outcome.bones_failure = "no JSON, as if cut off";
        outcome.bones = {};
      }
      complete = complete && bones && bones->complete();
    }
    if (!outcome.bones_failure.empty()) {
      omissions.left_out({echo::omission_kind::unreadable_bones, "bones", outcome.bones_failure});
      complete = false;
    }
    if (!complete) ++incomplete_parses;
    return true;
  }

  double in_match(const poll_outcome& outcome) {
    const bool wanted = !options.active_only || is_active(state.match);
    std::uint64_t lost = outcome.lost_before;
    if (match && !match->continues_with(state)) {
      finish_match();
      lost = 0;
    }
    if (match && missed != 0) {
      lost += missed;
      report_gap(lost);
    }
    missed = 0;
    if (!match) {
      lost = 0;
      if (wanted) begin_match(outcome);
    }
    if (!wanted) lost = 0;
    lost_polls += lost;
    if (match) {
      if (wanted) {
        match->add(outcome, state, lost, omissions);
        if (!omissions.empty()) tell_omissions();
        ++polled_frames;
      } else {
        match->leave_out();
      }
      watch_disk(outcome.arrived);
    }
    last_seen = outcome.arrived;
    const bool slow = options.idle_rate_hz > 0 && is_idle(state.match);
    return slow ? options.idle_rate_hz : polls.rate_hz;
  }

  // Each kind and value once, and no more than a few in all: the sums are told at the end.
  void tell_omissions() {
    constexpr std::size_t most_told = 12;
    const bool keeps_words = std::find(options.formats.begin(), options.formats.end(),
                                       record_format::butter) == options.formats.end();
    const auto& entries = match->omissions().entries();
    for (; omissions_told < std::min(entries.size(), most_told); ++omissions_told) {
      const auto& each = entries[omissions_told];
      if (keeps_words && each.kind != echo::omission_kind::unreadable_bones) continue;
      echo::omission_tally one;
      one.set_place(each.first);
      one.left_out({each.kind, each.path, each.value});
      record_event event;
      event.kind = event_kind::left_out;
      event.line = "left out: " + one.sentences().front();
      report(std::move(event));
    }
  }

  double out_of_match(const poll_outcome& outcome) {
    if (match) {
      missed += outcome.lost_before + 1;
      if (outcome.arrived - last_seen > std::chrono::milliseconds(options.grace_ms)) finish_match();
    }
    return match ? polls.rate_hz : options.idle_rate_hz;
  }

  // Matches.

  void begin_match(const poll_outcome& outcome) {
    if (outcome.arrived < disk_again_at) {
      ++lost_without_file;
      return;
    }
    match = std::make_unique<open_match>(outcome, state, options, polls.rate_hz, opener);
    omissions_told = 0;
  }

  // Looks whether the files of a new match are there by now.
  void settle_match(clock::time_point now) {
    if (!match) return;
    const open_match::stage stage = match->settle(now);
    if (stage == open_match::stage::recording && announce(*match)) tell_disk(match->failure());
    if (stage != open_match::stage::failed) return;
    disk_again_at = now + std::chrono::milliseconds(options.disk_retry_ms);
    tell_disk(match->failure());
    give_up(*match);
    match.reset();
    missed = 0;
  }

  bool announce(open_match& begun) {
    const auto opened = begun.take_announcement();
    for (const std::filesystem::path& path : opened) {
      record_event event;
      event.kind = event_kind::file_started;
      event.path = path;
      event.line = "recording " + file_path(path.filename()).utf8();
      report(std::move(event));
    }
    return !opened.empty();
  }

  void give_up(const open_match& failed) {
    const std::lock_guard lock(status_mutex);
    unwritten_frames += failed.frames();
  }

  void finish_match() {
    missed = 0;
    if (!match) return;
    // Shared, because a job must be copyable.
    const std::shared_ptr<open_match> ended = std::move(match);
    finisher.add([this, ended] { finish(*ended); });
  }

  // From here on, on the finishing thread.
  void finish(open_match& ended) {
    if (ended.settle_for_good() == open_match::stage::failed) {
      report(event_kind::disk_failed, "could not record a match: " + describe(*ended.failure()));
      give_up(ended);
      return;
    }
    announce(ended);
    {
      const std::lock_guard lock(status_mutex);
      dropped_in_finished += ended.dropped_while_opening();
      status.files_failed += ended.missing_formats().size();
    }
    for (const record_format format : ended.missing_formats()) {
      report(event_kind::disk_failed, "a match could not be recorded as " + std::string(name(format)) + ": " +
                                          describe(*ended.failure()));
    }
    for (const auto& file : ended.files()) finish(*file);
  }

  void finish(match_file& file) {
    const finished_file done = file.finish();
    record_event event;
    event.path = done.path;
    event.ticks = done.ticks;
    event.bytes = done.bytes;
    event.lost_ticks = done.lost_ticks;
    {
      const std::lock_guard lock(status_mutex);
      dropped_in_finished += done.dropped_ticks;
      left_out_in_finished += done.left_out;
      if (done.failure) {
        ++status.files_failed;
      } else if (done.ticks != 0) {
        ++status.files_finished;
      }
    }
    if (done.failure) {
      event.kind = event_kind::publish_failed;
      std::error_code unknown;
      event.line = "could not finish: " + describe(*done.failure) +
                   (std::filesystem::exists(done.path, unknown)
                        ? "; what was recorded is in the reel, run: " + recover_command(done.path)
                        : "; somebody removed the reel, so what was recorded is gone");
    } else {
      event.kind = event_kind::file_finished;
      event.line =
          "finished " + file_path(done.path.filename()).utf8() + ", " + std::to_string(done.ticks) + " ticks";
      if (done.lost_ticks != 0) event.line += ", " + std::to_string(done.lost_ticks) + " lost";
      if (done.left_out != 0) event.line += ", " + std::to_string(done.left_out) + " values left out";
    }
    if (done.failure || done.ticks != 0) report(std::move(event));
  }

  void report_gap(std::uint64_t lost) {
    record_event event;
    event.kind = event_kind::gap;
    event.ticks = lost;
    event.line = "the match goes on after a gap of " + std::to_string(lost) + " polls";
    report(std::move(event));
  }

  void watch_disk(clock::time_point now) {
    if (now < next_check) return;
    next_check = now + check_interval;
    if (match->settle(now) == open_match::stage::recording) tell_disk(match->failure());
  }

  // Once when it begins and once when it is over.
  void tell_disk(const std::optional<error>& why) {
    if (why.has_value() == disk_failing) return;
    disk_failing = why.has_value();
    if (why) {
      report(event_kind::disk_failed,
             "cannot write: " + describe(*why) + "; what was written before is safe, writing is tried again");
    } else {
      report(event_kind::disk_recovered, "writing works again");
    }
  }

  void update_status(const poll_outcome& outcome) {
    const std::lock_guard lock(status_mutex);
    status.recording = match != nullptr;
    status.lost_polls = lost_polls;
    status.incomplete_parses = incomplete_parses;
    sum_up();
    status.frames = match ? match->frames() : 0;
    status.stored_bytes = match ? match->counters().stored_bytes : 0;
    if (!match || match->paths().empty()) {
      status.file = {};
    } else if (status.file != file_path(match->paths().front())) {
      status.file = match->paths().front();
    }
    if (outcome.state != target_state::in_match) return;
    const echo::session& seen = state.match;
    status.session_id = seen.sessionid.view();
    status.map = seen.map_name.view();
    status.game_status = seen.game_status.view();
    status.game_clock = seen.game_clock_display.view();
    status.blue_points = seen.blue_points;
    status.orange_points = seen.orange_points;
    status.players = seen.player_count;
  }

  // With status_mutex held.
  void sum_up() {
    status.total_frames = polled_frames - unwritten_frames;
    status.dropped_ticks =
        unwritten_frames + dropped_in_finished + lost_without_file + (match ? match->dropped() : 0);
    status.left_out = left_out_in_finished + (match ? match->left_out() : 0);
  }

  const std::string where;
  const poll_options polls;
  const match_options options;
  const event_function events;
  std::mutex event_mutex;

  // The polling thread's.
  echo::json_parser parser;
  echo::state state;
  echo::omission_tally omissions;  // of the last poll
  std::size_t omissions_told = 0;  // of the match
  target_state last_state = target_state::connecting;
  target_state told_state = target_state::connecting;
  std::unique_ptr<open_match> match;
  clock::time_point last_seen;      // of the match
  std::uint64_t missed = 0;         // polls without it since then
  clock::time_point next_check;     // of the disk
  clock::time_point disk_again_at;  // after no file could be opened
  bool disk_failing = false;
  std::uint64_t lost_polls = 0;
  std::uint64_t lost_without_file = 0;
  std::uint64_t polled_frames = 0;  // given to a match
  std::uint64_t incomplete_parses = 0;

  mutable std::mutex status_mutex;
  match_status status;
  std::uint64_t dropped_in_finished = 0;
  std::uint64_t left_out_in_finished = 0;
  std::uint64_t unwritten_frames = 0;  // of matches for which no file could be opened

  // They end before everything their jobs use. A match is finished only when it was opened: in this order.
  workers::worker_pool opener;
  workers::worker_pool finisher;
};

match_recorder::match_recorder(target where, const poll_options& polls, match_options options,
                               event_function events)
    : internals_(
          std::make_unique<internals>(std::move(where), polls, std::move(options), std::move(events))) {}

match_recorder::~match_recorder() {
  close();
}

double match_recorder::on_poll(const poll_outcome& outcome) {
  return internals_->on_poll(outcome);
}

void match_recorder::finish_match() {
  internals_->finish_match();
}

void match_recorder::close() {
  internals_->finish_match();
  internals_->opener.finish();
  internals_->finisher.finish();
  const std::lock_guard lock(internals_->status_mutex);
  match_status& status = internals_->status;
  status.recording = false;
  status.file = {};
  internals_->sum_up();
}

match_status match_recorder::status() const {
  const std::lock_guard lock(internals_->status_mutex);
  return internals_->status;
}

}  // namespace tickreel::echo_vr
