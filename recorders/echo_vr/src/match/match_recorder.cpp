#include "tickreel/echo_vr/match_recorder.hpp"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <utility>

#include "match_file.hpp"
#include "match_finisher.hpp"
#include "match_reporter.hpp"
#include "open_match.hpp"
#include "tickreel/codec/codec.hpp"
#include "tickreel/echo/json.hpp"
#include "tickreel/echo_vr/live_feed.hpp"
#include "tickreel/io/folder.hpp"
#include "tickreel/text/json.hpp"
#include "tickreel/workers/worker_pool.hpp"

namespace tickreel::echo_vr {
namespace {

using clock = std::chrono::steady_clock;

// status() locks, so it is polled at most this often; disk failures are reported within this interval.
constexpr std::chrono::milliseconds check_interval{100};
// Deleted files are reported within this time.
constexpr std::chrono::seconds presence_interval{1};

}  // namespace

struct match_recorder::internals {
  internals(target to, const poll_options& from, match_options matches, event_function listener)
      : polls(from),
        options(std::move(matches)),
        where(to),
        reporter(to_text(to), std::move(listener)),
        records_states(std::any_of(options.formats.begin(), options.formats.end(),
                                   [this](record_format each) { return !has_text(each, options); })) {
    if (options.live != nullptr) live.emplace(*options.live, to_text(where));
  }

  // Polls.

  double on_poll(const poll_outcome& outcome) {
    poll_outcome seen = outcome;
    bool is_unreadable = false;
    if (seen.state == target_state::in_match) {
      if (const auto parsed = parse(seen); !parsed) {
        is_unreadable = true;
        unreadable = parsed.error();
        seen.state = target_state::bad_answer;
        seen.failure = &unreadable;
      }
    }
    reporter.state(seen);
    settle_match(seen.arrived);
    if (live && seen.state != target_state::in_match) live->out_of_match();
    const double rate_hz =
        seen.state == target_state::in_match ? in_match(seen) : out_of_match(seen, is_unreadable);
    update_status(seen);
    return rate_hz;
  }

  // Discards bones that cannot be parsed.
  result<void> parse(poll_outcome& outcome) {
    omissions.clear();
    const auto session = parser.parse_session(outcome.session, state, &omissions);
    // The parser skips unknown members, but files may store the whole response.
    if (!session) return fail(session.error());
    if (!text::has_json_grammar(outcome.session)) {
      return fail(error_code::bad_json, error::no_offset, "not valid JSON");
    }
    bool complete = session->complete();
    state.recorded_time_ms = outcome.time_ms;
    state.bones = echo::bones_kind::absent;
    state.bone_player_count = 0;
    if (!outcome.bones.empty()) {
      const auto bones = parser.parse_bones(outcome.bones, state, &omissions);
      if (!bones || !text::has_json_grammar(outcome.bones)) {
        state.bones = echo::bones_kind::absent;
        state.bone_player_count = 0;
        outcome.bones_failure = "truncated JSON";
        outcome.bones = {};
      }
      complete = complete && bones && bones->complete();
    }
    if (!outcome.bones_failure.empty()) {
      omissions.left_out({echo::omission_kind::unreadable_bones, "bones", outcome.bones_failure});
      complete = false;
    }
    if (!complete) ++incomplete_parses;
    return {};
  }

  double in_match(const poll_outcome& outcome) {
    const bool wanted = !options.active_only || is_active(state.match);
    std::uint64_t lost = outcome.lost_before;
    if (match && !match->continues_with(state)) {
      // Only the file ends and the match continues: polls lost between the two files still count.
      const std::uint64_t between = match->is_match_of(state) && wanted ? missed + lost : 0;
      if (between != 0) missed_answers = 0;
      lost_polls += between;
      if (between != 0) reporter.gap(between, outcome.arrived);
      finish_match();
      lost = 0;
    } else if (younger) {
      // the new file contains only later players, so the limit is not exceeded
      (void)younger->continues_with(state);
    }
    // After the end of another match, whose last events are reported first.
    if (live) live->see(state, outcome.lost_before);
    if (match && missed != 0) {
      lost += missed;
      reporter.gap(lost, outcome.arrived);
    }
    const std::uint64_t skipped = match && missed == 0 ? lost : 0;
    missed = missed_answers = 0;
    reporter.report_gaps(outcome.arrived);
    if (!match) {
      lost = 0;
      if (wanted) begin_match(outcome);
    }
    if (!wanted) lost = 0;
    lost_polls += lost;
    if (match) {
      if (wanted) {
        match->add(outcome, state, lost, omissions);
        if (options.buffer_ms != 0) roll(outcome, lost);
        if (!omissions.empty()) reporter.omissions(match->omissions(), !records_states);
        reporter.skipped(skipped, outcome.arrived);
        reporter.response(xxh3_64(as_bytes(outcome.session)) ^ xxh3_64(as_bytes(outcome.bones)),
                          outcome.arrived);
        ++polled_frames;
      } else {
        match->leave_out();
        if (younger) younger->leave_out();
      }
      watch_disk(outcome.arrived);
    }
    last_seen = outcome.arrived;
    const bool slow = options.idle_rate_hz > 0 && is_idle(state.match);
    return slow ? options.idle_rate_hz : polls.rate_hz;
  }

  // `is_unreadable`: the game is in a match, and its response contains no tick.
  double out_of_match(const poll_outcome& outcome, bool is_unreadable) {
    const std::uint64_t polls_missed = outcome.lost_before + 1;
    if (outcome.state == target_state::bad_answer) {
      reporter.poll_failed_because(cause_of_bad_answer(outcome));
      if (match) missed_answers += polls_missed;
      if (!match && is_unreadable) lost_polls += polls_missed;
    }
    if (match) {
      missed += polls_missed;
      if (is_unreadable) last_seen = outcome.arrived;
      if (outcome.arrived - last_seen > std::chrono::milliseconds(options.grace_ms)) finish_match();
    }
    return match ? polls.rate_hz : options.idle_rate_hz;
  }

  // Matches.

  void begin_match(const poll_outcome& outcome) {
    if (unopened && *unopened != state.match.sessionid.view()) give_up_unopened();
    if (outcome.arrived < disk_again_at) {
      ++lost_without_file;
      return;
    }
    presence = std::make_shared<file_presence>();
    match = std::make_unique<open_match>(outcome, state, options, where, polls.rate_hz, opener);
  }

  // Checks whether the files of a new match are open now.
  void settle_match(clock::time_point now) {
    if (!match) return;
    const open_match::stage stage = match->settle(now);
    if (stage == open_match::stage::recording && announce(*match)) {
      unopened.reset();
      reporter.disk(match->failures());
    }
    if (stage != open_match::stage::failed) return;
    disk_again_at = now + std::chrono::milliseconds(options.disk_retry_ms);
    reporter.disk(match->failures());
    // Its younger half may be open and is a match like any other; ticks that both hold are not lost.
    const std::uint64_t of_both = younger ? younger->frames() : 0;
    finisher.give_up(*match, of_both);
    unopened = match->session_id();
    match.reset();
    finisher.add(std::move(younger), 0);
    lost_polls += std::exchange(missed_answers, 0);
    missed = 0;
  }

  // A buffer consists of two overlapping matches: when the younger one is long enough, the older one is
  // deleted. A clip that reaches back to the buffer's limit is complete in the older one.
  void roll(const poll_outcome& outcome, std::uint64_t lost) {
    constexpr std::chrono::seconds margin{5};  // a clip is cut a little after its end
    const auto enough = std::chrono::milliseconds(options.buffer_ms) + margin;
    if (younger) younger->add(outcome, state, lost, omissions);
    if (younger && younger->settle(outcome.arrived) == open_match::stage::failed) {
      younger_again_at = outcome.arrived + std::chrono::milliseconds(options.disk_retry_ms);
      younger.reset();
    }
    if (younger && outcome.arrived - younger->begun_at() >= enough) {
      // The older one's files are deleted soon; their state does not apply to the younger one's.
      presence = std::make_shared<file_presence>();
      match.swap(younger);
      finisher.add(std::move(younger), match->frames());
    }
    if (younger || outcome.arrived - match->begun_at() < enough || outcome.arrived < younger_again_at) return;
    younger = std::make_unique<open_match>(outcome, state, options, where, polls.rate_hz, opener);
    younger->add(outcome, state, 0, omissions);
  }

  bool announce(open_match& begun) {
    return reporter.files_started(begun.take_announcement(), options.buffer_ms);
  }

  // No more ticks of that match arrive.
  void give_up_unopened() {
    if (std::exchange(unopened, std::nullopt)) finisher.count_unopened_files();
  }

  void finish_match() {
    missed = 0;
    if (!match) return give_up_unopened();
    unopened.reset();  // whether this attempt opened a file is known at its end
    if (const std::uint64_t lost = std::exchange(missed_answers, 0); lost != 0) {
      match->note_lost(lost);
      lost_polls += lost;
      reporter.lost_at_end(lost);
      const std::lock_guard lock(shared.mutex);
      shared.status.lost_polls = lost_polls;
    }
    reporter.match_ends();
    // Clips of its last events are cut from files that still exist.
    if (live) live->finish_match();
    // The younger half of a buffer serves no clip that the older one does not.
    const std::uint64_t of_both = younger ? younger->frames() : 0;
    finisher.add(std::move(younger), of_both);
    finisher.add(std::move(match), 0);
  }

  void watch_disk(clock::time_point now) {
    if (now < next_check) return;
    next_check = now + check_interval;
    if (presence->gone.exchange(false)) return leave_removed_files();
    if (now >= next_presence_check) {
      next_presence_check = now + presence_interval;
      look_for_files();
    }
    if (match->settle(now) != open_match::stage::recording) return;
    // The listener is informed of a file before its errors.
    (void)announce(*match);
    reporter.disk(match->failures());
  }

  // Writes to a deleted file succeed but are lost. Checked on another thread, since a disk may respond
  // slowly.
  void look_for_files() {
    if (presence->asked.exchange(true)) return;
    std::vector<std::filesystem::path> reels;
    for (const std::filesystem::path& path : match->paths()) reels.push_back(match_file::reel_of(path));
    opener.add([answer = presence, reels = std::move(reels)] {
      for (const std::filesystem::path& reel : reels) {
        const auto there = status_of(reel);
        if (!there && there.error().code == error_code::not_found) answer->gone = true;
      }
      answer->asked = false;
    });
  }

  void leave_removed_files() {
    reporter.disk_failed(
        "the files of this match no longer exist; their folder may have been deleted. Their ticks are lost; "
        "recording continues in new files when the folder exists: " +
        file_path(match->paths().front().parent_path()).utf8());
    finish_match();
  }

  void update_status(const poll_outcome& outcome) {
    const std::lock_guard lock(shared.mutex);
    match_status& status = shared.status;
    status.recording = match != nullptr;
    status.lost_polls = lost_polls + missed_answers;
    status.incomplete_parses = incomplete_parses;
    status.repeated_ticks = reporter.repeated_responses();
    sum_up();
    status.frames = match ? match->frames() : 0;
    status.stored_bytes = match ? match->counters().stored_bytes : 0;
    status.waiting_ticks = std::max(match ? match->waiting() : 0, younger ? younger->waiting() : 0);
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

  // The caller holds the status.
  void sum_up() {
    match_status& status = shared.status;
    status.total_frames = polled_frames - shared.unwritten_ticks;
    status.dropped_ticks = shared.unwritten_ticks + shared.dropped_in_finished + lost_without_file +
                           (match ? match->dropped() : 0);
    status.left_out = shared.left_out_in_finished + (match ? match->left_out() : 0);
  }

  const poll_options polls;
  const match_options options;
  const target where;
  match_reporter reporter;
  // Only a .butter does: a reel stores the response text beside its rows.
  const bool records_states;

  // Used by the polling thread.
  echo::json_parser parser;
  echo::state state;
  echo::omission_tally omissions;  // of the last poll
  std::unique_ptr<open_match> match;
  std::unique_ptr<open_match> younger;  // of a buffer
  clock::time_point younger_again_at;
  std::optional<live_feed::writer> live;
  clock::time_point last_seen;  // of the match
  std::uint64_t missed = 0;     // polls without it since then
  // of those: answered, but neither with a tick nor with the end of the match
  std::uint64_t missed_answers = 0;
  error unreadable{error_code::bad_json};  // the last response that could not be parsed
  clock::time_point next_check;            // of the disk
  clock::time_point disk_again_at;         // after no file could be opened
  struct file_presence {
    std::atomic<bool> asked{false};
    std::atomic<bool> gone{false};
  };
  std::shared_ptr<file_presence> presence = std::make_shared<file_presence>();
  clock::time_point next_presence_check;
  std::uint64_t lost_polls = 0;
  std::optional<std::string> unopened;  // the session of a match that the disk refuses at present
  std::uint64_t lost_without_file = 0;
  std::uint64_t polled_frames = 0;  // passed to a match
  std::uint64_t incomplete_parses = 0;

  shared_status shared;

  // Last members: destroyed before everything that their jobs use. A match is finished only after it was
  // opened, so the order matters.
  workers::worker_pool opener;
  match_finisher finisher{options, reporter, shared};
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
  const std::lock_guard lock(internals_->shared.mutex);
  internals_->shared.status.recording = false;
  internals_->shared.status.file = {};
  internals_->sum_up();
}

void match_recorder::cancel_publishing() noexcept {
  internals_->finisher.cancel();
}

match_status match_recorder::status() const {
  const std::lock_guard lock(internals_->shared.mutex);
  return internals_->shared.status;
}

}  // namespace tickreel::echo_vr
