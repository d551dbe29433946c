#include "open_match.hpp"

#include <algorithm>
#include <system_error>
#include <utility>

namespace tickreel::echo_vr {
namespace {

// A .butter file tells 255 players apart; a match that has more goes on in the next file.
constexpr std::size_t max_known_players = 255;
constexpr int max_names = 10'000;

bool is_taken(const std::filesystem::path& stem, const std::vector<record_format>& formats) {
  return std::any_of(formats.begin(), formats.end(), [&](record_format format) {
    std::error_code unreadable;
    return std::filesystem::exists(match_file::final_path(stem, format), unreadable) ||
           std::filesystem::exists(match_file::reel_path(stem, format), unreadable);
  });
}

bool is_about_name(const error& why) noexcept {
  return why.code == error_code::already_exists || why.code == error_code::in_use;
}

}  // namespace

result<std::unique_ptr<open_match>> open_match::open(const poll_outcome& first, const echo::state& state,
                                                     const match_options& options, double rate_hz) {
  auto made = std::make_unique<open_match>();
  made->session_id_ = state.match.sessionid.view();
  made->map_ = state.match.map_name.view();
  made->begun_at_ = first.arrived;
  const std::string stem = match_file_stem(first.time_ms, made->map_, made->session_id_);
  error why = fail(error_code::already_exists).value();
  for (int attempt = 1; attempt <= max_names && made->files_.empty() && is_about_name(why); ++attempt) {
    made->stem_ = options.folder / (attempt == 1 ? stem : stem + '-' + std::to_string(attempt));
    if (is_taken(made->stem_, options.formats)) continue;
    const match_beginning beginning{made->stem_, first.time_ms, made->session_id_, made->map_, rate_hz};
    for (const record_format format : options.formats) {
      auto opened = match_file::open(format, beginning, options);
      if (!opened) {
        why = opened.error();
        continue;
      }
      made->formats_.push_back(format);
      made->files_.push_back(std::move(*opened));
    }
  }
  if (made->files_.empty()) return fail(why);
  return made;
}

bool open_match::continues_with(const echo::state& state) {
  return state.match.sessionid.view() == session_id_ && state.match.map_name.view() == map_ &&
         learn_players(state);
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

void open_match::add(const poll_outcome& outcome, const echo::state& state, std::uint64_t lost) {
  const auto since = std::chrono::duration_cast<std::chrono::microseconds>(outcome.arrived - begun_at_);
  const frame_stamp stamp{next_tick_ + lost, std::max(since.count(), last_stamp_.time_us)};
  if (lost != 0) {
    for (const auto& each : files_) each->note_gap(lost, last_stamp_, stamp);
  }
  match_tick tick;
  tick.stamp = stamp;
  tick.time_ms = outcome.time_ms;
  tick.session = outcome.session;
  tick.bones = outcome.bones;
  tick.asked_for_bones = outcome.asked_for_bones;
  tick.state = &state;
  for (const auto& each : files_) each->add(tick);
  next_tick_ = stamp.tick + 1;
  last_stamp_ = stamp;
  ++frames_;
}

std::optional<error> open_match::failure() const {
  for (const auto& each : files_) {
    if (std::optional<error> why = each->failure()) return why;
  }
  return std::nullopt;
}

recorder_counters open_match::counters() const {
  return files_.front()->counters();
}

std::uint64_t open_match::dropped() const {
  std::uint64_t all = 0;
  for (const auto& each : files_) {
    const recorder_counters counted = each->counters();
    all += counted.dropped + counted.lost;
  }
  return all;
}

std::vector<std::filesystem::path> open_match::paths() const {
  std::vector<std::filesystem::path> all;
  for (const record_format format : formats_) all.push_back(match_file::final_path(stem_, format));
  return all;
}

}  // namespace tickreel::echo_vr
