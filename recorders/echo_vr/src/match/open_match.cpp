#include "open_match.hpp"

#include <algorithm>
#include <iterator>
#include <system_error>
#include <utility>

#include "tickreel/files/extra.hpp"
#include "tickreel/io/filesystem_path.hpp"
#include "tickreel/io/folder.hpp"

namespace tickreel::echo_vr {
namespace {

// A .butter file holds 255 players; a match that has more continues in the next file.
constexpr std::size_t max_known_players = 255;
constexpr int max_names = 10'000;

bool is_taken(const std::filesystem::path& stem, const std::vector<record_format>& formats, bool extra) {
  return std::any_of(formats.begin(), formats.end(), [&](record_format format) {
    const std::filesystem::path finished = match_file::final_path(stem, format);
    return path_exists(finished) || path_exists(match_file::reel_path(stem, format)) ||
           (extra && description_of(format).as_echo_output.has_side_data &&
            path_exists(files::extra_path(finished)));
  });
}

std::size_t ticks_that_wait(const match_options& options, double rate_hz) noexcept {
  return static_cast<std::size_t>(std::max(rate_hz * options.ring_seconds, 1.0));
}

std::int64_t rounds_over(const echo::session& match) noexcept {
  return std::max(0, match.blue_round_score) + std::int64_t{std::max(0, match.orange_round_score)};
}

std::filesystem::path stem_of(const match_beginning& match, const match_options& options, int attempt) {
  const name_values words{.time_ms = match.time_ms,
                          .map = match.map,
                          .session = match.session_id,
                          .type = match.type,
                          .blue = match.blue,
                          .orange = match.orange,
                          .client = match.client,
                          .host = match.host,
                          .round = match.round};
  const std::string name = file_stem(options.name_pattern, words, static_cast<std::uint32_t>(attempt));
  return filesystem_path(options.folder) / filesystem_path(file_path(name));
}

bool is_about_name(const error& why) noexcept {
  return why.code == error_code::already_exists || why.code == error_code::in_use;
}

failing_file failure_of(const std::filesystem::path& final_path, const error& why) {
  return {file_path(final_path.extension()).utf8(), file_path(match_file::reel_of(final_path)).utf8(),
          describe(why)};
}

}  // namespace

open_match::open_match(const poll_outcome& first, const echo::state& state, const match_options& options,
                       const target& where, double rate_hz, workers::worker_pool& opener)
    : session_id_(state.match.sessionid.view()),
      map_(state.match.map_name.view()),
      options_(options),
      opener_(opener),
      max_held_(ticks_that_wait(options, rate_hz)),
      begun_at_(first.arrived) {
  (void)learn_players(state);
  rounds_over_ = rounds_over(state.match);
  beginning_.time_ms = first.time_ms;
  beginning_.session_id = session_id_;
  beginning_.map = map_;
  beginning_.type = state.match.match_type.view();
  beginning_.blue = state.match.teams[0].name.view();
  beginning_.orange = state.match.teams[1].name.view();
  beginning_.client = state.match.client_name.view();
  beginning_.host = where.host;
  beginning_.target = to_text(where);
  beginning_.round = static_cast<std::uint32_t>(rounds_over_) + 1;
  beginning_.rate_hz = rate_hz;
  begin_opening(options.formats);
}

void open_match::begin_opening(const std::vector<record_format>& formats) {
  opening_ = std::make_shared<opening>();
  opener_.add([to = opening_, beginning = beginning_, options = options_, formats] {
    open_files(*to, beginning, options, formats);
  });
}

// Runs on the opener's thread.
void open_match::open_files(opening& to, match_beginning beginning, const match_options& options,
                            const std::vector<record_format>& formats) {
  std::vector<std::unique_ptr<match_file>> files;
  std::vector<std::filesystem::path> paths;
  std::vector<record_format> missing;
  std::vector<failing_file> refused;
  for (int attempt = 1; attempt <= max_names; ++attempt) {
    beginning.stem = stem_of(beginning, options, attempt);
    if (is_taken(beginning.stem, formats, options.extra)) continue;
    bool name_is_taken = false;
    for (const record_format format : formats) {
      auto opened = match_file::open(format, beginning, options);
      if (opened) {
        paths.push_back(match_file::final_path(beginning.stem, format));
        files.push_back(std::move(*opened));
      } else {
        refused.push_back(failure_of(match_file::final_path(beginning.stem, format), opened.error()));
        missing.push_back(format);
        name_is_taken = is_about_name(opened.error());
        if (name_is_taken) break;
      }
    }
    // Other errors do not depend on the name.
    if (!name_is_taken) break;
    // Another recorder took the name first, and gets it in every format. The empty files opened here are
    // deleted.
    for (const auto& each : files) (void)each->finish();
    files.clear();
    paths.clear();
    missing.clear();
    if (attempt < max_names) refused.clear();
  }
  if (files.empty() && missing.empty()) missing = formats;
  if (!missing.empty() && refused.empty()) {
    refused.push_back({{}, file_path(beginning.stem).utf8(), describe(error{error_code::already_exists})});
  }
  if (missing.empty()) refused.clear();
  const std::lock_guard lock(to.mutex);
  to.files = std::move(files);
  to.paths = std::move(paths);
  to.missing = std::move(missing);
  to.refused = std::move(refused);
  to.done = true;
  to.changed.notify_all();
}

open_match::stage open_match::settle(time_point now) {
  return settle(false, now);
}

open_match::stage open_match::settle_for_good() {
  return settle(true, {});
}

open_match::stage open_match::settle(bool wait, time_point now) {
  if (opening_) {
    std::unique_lock lock(opening_->mutex);
    if (wait) opening_->changed.wait(lock, [this] { return opening_->done; });
    if (!opening_->done) return stage_;
    lock.unlock();
    const std::shared_ptr<opening> done = std::move(opening_);
    take_opened(*done);
    retry_at_ = now + std::chrono::milliseconds(options_.disk_retry_ms);
  } else if (!wait && stage_ == stage::recording && !missing_.empty() && now >= retry_at_) {
    begin_opening(missing_);
  }
  return stage_;
}

void open_match::take_opened(opening& from) {
  const bool late = stage_ == stage::recording;
  missing_ = from.missing;
  refused_ = from.refused;
  std::move(from.paths.begin(), from.paths.end(), std::back_inserter(paths_));
  for (auto& each : from.files) {
    if (late) {
      // The number of ticks of the other files.
      each->note_gap(next_tick_, {}, last_stamp_);
      missed_by_late_files_ += frames_;
    }
    files_.push_back(std::move(each));
  }
  if (late) return;
  stage_ = files_.empty() ? stage::failed : stage::recording;
  if (stage_ == stage::failed) return;
  for (held_tick& each : held_) {
    each.tick.session = each.session;
    each.tick.bones = each.bones;
    each.tick.state = each.state.get();
    each.tick.left_out = &each.left_out;
    write(each.tick, each.lost, each.before);
  }
  held_.clear();
  held_.shrink_to_fit();
  if (dropped_while_opening_ != 0) {
    for (const auto& each : files_) each->note_gap(dropped_while_opening_, last_held_, last_stamp_);
  }
  if (lost_at_end_ != 0) note_lost(std::exchange(lost_at_end_, 0));
}

std::vector<std::filesystem::path> open_match::take_announcement() {
  const auto from =
      paths_.begin() + static_cast<std::ptrdiff_t>(std::exchange(paths_announced_, paths_.size()));
  return {from, paths_.end()};
}

std::uint64_t open_match::dropped_while_opening() const noexcept {
  // Missing files have no ticks at all.
  const std::uint64_t files = std::max<std::size_t>(files_.size(), 1);
  return dropped_while_opening_ * files + missed_by_late_files_ +
         (stage_ == stage::recording ? frames_ * missing_.size() : 0);
}

bool open_match::is_match_of(const echo::state& state) const {
  return state.match.sessionid.view() == session_id_ && state.match.map_name.view() == map_;
}

bool open_match::continues_with(const echo::state& state) {
  return is_match_of(state) && !(options_.file_per_round && begins_round(state.match)) &&
         learn_players(state);
}

// The round's begin may be among lost polls: then the number of finished rounds identifies it.
bool open_match::begins_round(const echo::session& match) {
  const bool starts = match.game_status.view() == "round_start";
  const bool plays = match.game_status.view() == "playing";
  const bool began =
      was_played_ && ((starts && !was_starting_) || (plays && rounds_over(match) != rounds_over_));
  was_starting_ = starts;
  was_played_ = was_played_ || plays;
  return began;
}

bool open_match::learn_players(const echo::state& state) {
  for (std::size_t i = 0; i < state.match.player_count; ++i) {
    const echo::player& player = state.players[i];
    const auto known = [&](const player_key& key) {
      return key.userid == player.userid && key.name == player.name.view();
    };
    if (std::any_of(players_.begin(), players_.end(), known)) continue;
    if (players_.size() == max_known_players) return false;
    players_.push_back({player.userid, std::string(player.name.view())});
  }
  return true;
}

void open_match::add(const poll_outcome& outcome, const echo::state& state, std::uint64_t lost,
                     const echo::omission_tally& left_out) {
  const auto since = std::chrono::duration_cast<std::chrono::microseconds>(outcome.arrived - begun_at_);
  match_tick tick;
  tick.stamp = {next_tick_ + lost, std::max(since.count(), last_stamp_.time_us)};
  tick.time_ms = outcome.time_ms;
  tick.session = outcome.session;
  tick.bones = outcome.bones;
  tick.asked_for_bones = outcome.asked_for_bones;
  tick.state = &state;
  tick.left_out = &left_out;
  if (!left_out.empty()) {
    omissions_.set_place({tick.stamp.tick, 0, 0});
    omissions_.add(left_out);
  }
  if (settle(outcome.arrived) == stage::recording) {
    write(tick, lost, last_stamp_);
  } else {
    hold(tick, lost);
  }
  next_tick_ = tick.stamp.tick + 1;
  last_stamp_ = tick.stamp;
  ++frames_;
}

void open_match::note_lost(std::uint64_t lost) {
  if (stage_ == stage::recording) {
    for (const auto& each : files_) each->note_gap(lost, last_stamp_, last_stamp_);
  } else {
    lost_at_end_ += lost;
  }
}

void open_match::write(const match_tick& tick, std::uint64_t lost, frame_stamp before) {
  for (const auto& each : files_) {
    if (lost != 0) each->note_gap(lost, before, tick.stamp);
    each->add(tick);
  }
}

void open_match::hold(const match_tick& tick, std::uint64_t lost) {
  if (held_.size() >= max_held_) {
    dropped_while_opening_ += lost + 1;
    return;
  }
  last_held_ = tick.stamp;
  held_tick& held = held_.emplace_back();
  held.tick = tick;
  held.session = tick.session;
  held.bones = tick.bones;
  held.state = std::make_unique<echo::state>();
  copy_state(*held.state, *tick.state);
  held.left_out = *tick.left_out;
  held.lost = lost;
  held.before = last_stamp_;
}

std::vector<failing_file> open_match::failures() const {
  std::vector<failing_file> all = refused_;
  for (std::size_t i = 0; i < files_.size(); ++i) {
    if (const auto why = files_[i]->failure()) all.push_back(failure_of(paths_[i], *why));
  }
  return all;
}

recorder_counters open_match::counters() const {
  return files_.empty() ? recorder_counters{} : files_.front()->counters();
}

std::uint64_t open_match::left_out() const {
  std::uint64_t all = 0;
  for (const auto& each : files_) all += each->left_out();
  return all;
}

std::uint64_t open_match::waiting() const {
  std::uint64_t most = held_.size();
  for (const auto& each : files_) {
    const recorder_counters counted = each->counters();
    most = std::max(most, counted.pushed - std::min(counted.pushed, counted.written + counted.lost));
  }
  return most;
}

std::uint64_t open_match::dropped() const {
  std::uint64_t all = dropped_while_opening();
  for (const auto& each : files_) {
    const recorder_counters counted = each->counters();
    all += counted.dropped + counted.lost;
  }
  return all;
}

}  // namespace tickreel::echo_vr
