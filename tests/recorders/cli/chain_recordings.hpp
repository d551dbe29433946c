// A random recording of any format: with holes, late joins, odd texts and several players of one name.
#pragma once

#include <memory>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "every_format.hpp"
#include "reel_damage.hpp"
#include "small_world.hpp"
#include "tickreel/butter/encoder.hpp"
#include "tickreel/echo/json.hpp"
#include "tickreel/echoreplay/encoder.hpp"
#include "tickreel/files/echo_events.hpp"
#include "tickreel/tickreel.hpp"

namespace tickreel::test {

using generator = std::mt19937_64;

inline std::uint64_t below(generator& random, std::uint64_t limit) {
  return random() % limit;
}
inline bool chance(generator& random, std::uint64_t in) {
  return below(random, in) == 0;
}
template <class Value, std::size_t Count>
const Value& one_of(generator& random, const Value (&values)[Count]) {
  return values[below(random, Count)];
}

inline constexpr std::string_view odd_texts[] = {
    "\"quoted\" \\ back", "<b>&amp;", "tab\tand\nline", "\x1b[31mred",
    "\xE2\x80\xAEright",  "=1+2",     "a,b;c",          "\xC3\xBCml\xC3\xA4ut",
    "\xF0\x9F\x98\x80",   " ",        "../up",          "{\"tick\":0}"};

// A simulated match whose ticks vary at random.
class varied_match final : public files::echo_source {
 public:
  explicit varied_match(generator& random) : random_(random) {
    options_.seed = random();
    options_.rate_hz = static_cast<std::uint32_t>(10 + below(random, 50));
    options_.players_per_team = static_cast<std::uint32_t>(1 + below(random, 3));
    options_.spectators = static_cast<std::uint32_t>(below(random, 2));
    options_.mode = chance(random, 6) ? echo::mode::combat : echo::mode::arena;
    options_.bones = chance(random, 3);
    options_.match_seconds = static_cast<float>(1 + below(random, 6));
    simulator_ = std::make_unique<echo_vr::match_simulator>(options_);
    has_holes_ = chance(random, 3);
    has_one_name_ = chance(random, 4);
    joins_late_ = chance(random, 4) ? below(random, 40) : 0;
    if (chance(random, 3)) odd_name_ = one_of(random, odd_texts);
    max_ticks_ = chance(random, 12) ? 1 + below(random, 3) : 10 + below(random, 110);
    second_session_at_ = chance(random, 10) ? max_ticks_ / 2 : max_ticks_;
    start_ = random;
  }

  result<bool> next(echo::state& out) override {
    if (tick_ >= max_ticks_) return false;
    if (has_holes_ && chance(random_, 15)) {
      for (std::uint64_t missing = 1 + below(random_, 20); missing != 0; --missing) {
        if (!simulator_->next(out)) return false;
      }
    }
    if (!simulator_->next(out)) return false;
    vary(out);
    ++tick_;
    return true;
  }
  result<void> rewind() override {
    simulator_->rewind();
    random_ = start_;
    tick_ = 0;
    return {};
  }
  [[nodiscard]] std::uint32_t rate_hz() const { return options_.rate_hz; }

 private:
  void vary(echo::state& out) const {
    echo::session& match = out.match;
    for (std::size_t each = 0; each < match.player_count; ++each) {
      if (has_one_name_) (void)out.players[each].name.assign("Twin");
      if (!odd_name_.empty() && each % 2 == 1) (void)out.players[each].name.assign(odd_name_);
    }
    // The last player is not in the match yet.
    if (tick_ < joins_late_ && match.player_count > 1) {
      for (std::size_t team = std::size(match.teams); team-- > 0;) {
        if (match.teams[team].player_count == 0) continue;
        --match.teams[team].player_count;
        --match.player_count;
        break;
      }
    }
    if (tick_ >= second_session_at_) (void)match.sessionid.assign("11111111-2222-4333-8444-555555555555");
  }

  generator& random_;
  generator start_;  // for rewind()
  echo_vr::simulation_options options_;
  std::unique_ptr<echo_vr::match_simulator> simulator_;
  std::uint64_t tick_ = 0;
  std::uint64_t max_ticks_ = 0;
  std::uint64_t second_session_at_ = 0;
  std::uint64_t joins_late_ = 0;
  std::string odd_name_;
  bool has_holes_ = false;
  bool has_one_name_ = false;
};

inline recorder_options varied_options(generator& random, std::uint32_t rate_hz) {
  recorder_options options = short_chunks();
  options.ticks_per_second = rate_hz;
  options.seal_frames = static_cast<std::uint32_t>(1 + below(random, 40));
  options.cadence.keyframe_interval_ticks = static_cast<std::uint32_t>(1 + below(random, 40));
  return options;
}

// As a live recorder writes it: with events, and gaps where polls failed.
template <class Encoder, class Fill>
void record_varied(const std::string& path, generator& random, Fill fill) {
  varied_match match(random);
  recorder_options options = varied_options(random, match.rate_hz());
  options.metadata.push_back(files::echo_events_entry());
  auto to = recorder<Encoder>::open(path, Encoder(), options);
  BOOST_REQUIRE(to);
  const auto state = std::make_unique<echo::state>();
  files::echo_event_log<recorder<Encoder>> events;
  const bool has_gaps = chance(random, 2);
  const bool is_killed = chance(random, 8);
  frame_stamp stamp;
  while (*match.next(*state)) {
    stamp = {stamp.tick + 1, stamp.time_us + 1'000'000 / match.rate_hz()};
    BOOST_REQUIRE(to->capture(stamp, [&](auto& slot) { fill(slot, *state); }));
    events.see(*to, stamp, *state);
    if (has_gaps && chance(random, 20)) {
      const std::uint64_t lost = 1 + below(random, 5);
      to->note_gap(lost, {stamp.tick + 1, stamp.time_us}, {stamp.tick + lost, stamp.time_us},
                   reel::gap_reason::source_failed);
      stamp.tick += lost;
    }
    (void)to->pump();
  }
  if (is_killed) return;
  events.finish(*to);
  BOOST_REQUIRE(to->close());
}

inline void make_echo(const std::string& path, generator& random) {
  varied_match match(random);
  files::convert_options options;
  if (chance(random, 2)) options.keyframe_interval_ticks = 1 + below(random, 60);
  constexpr codec_id of_butter[] = {codec_id::none, codec_id::gzip, codec_id::zstd};
  constexpr codec_id of_lines[] = {codec_id::none, codec_id::gzip};
  if (path.ends_with(".butter")) options.codec = codec_options{.codec = one_of(random, of_butter)};
  if (path.ends_with(".echoreplay")) options.codec = codec_options{.codec = one_of(random, of_lines)};
  const auto made = files::convert(match, path, options);
  BOOST_REQUIRE_MESSAGE(made, path << (made ? "" : describe(made.error())));
}

inline void make_reel_of_states(const std::string& path, generator& random) {
  record_varied<butter::encoder>(
      path, random, [](echo::state& slot, const echo::state& tick) { echo::copy_state(slot, tick); });
}

inline void make_reel_of_lines(const std::string& path, generator& random) {
  record_varied<echoreplay::encoder>(path, random, [](echoreplay::answer& slot, const echo::state& tick) {
    std::string session;
    echo::append_session_json(tick, echo::json_shape::api, echo::number_style::shortest, session);
    (void)slot.assign(tick.recorded_time_ms, session, {}, false);
  });
}

struct chain_token {
  float x = 0;
  double y = 0;
  std::int16_t height = 0;
  std::uint32_t round = 0;
  short_text<12> label;
};
TICKREEL_DESCRIBE(chain_token, x, y, height, round, label);
struct chain_bell {
  std::uint8_t count = 0;
};
TICKREEL_DESCRIBE(chain_bell, count);

inline void make_described(const std::string& path, generator& random) {
  auto out = record<chain_token>(path, varied_options(random, 30));
  BOOST_REQUIRE(out);
  const bool is_killed = chance(random, 8);
  chain_token now;
  for (std::uint64_t left = 1 + below(random, 150); left != 0; --left) {
    now.x += static_cast<float>(below(random, 7)) * 0.25f;
    if (chance(random, 5)) now.y = static_cast<double>(random()) / 3.0;
    if (chance(random, 3)) now.height = static_cast<std::int16_t>(random());
    if (chance(random, 30)) ++now.round;
    if (chance(random, 20)) now.label = one_of(random, odd_texts);
    if (chance(random, 50)) now.x = std::numeric_limits<float>::quiet_NaN();
    BOOST_REQUIRE(out->push(now));
    if (now.x != now.x) now.x = 0;
    if (chance(random, 12)) BOOST_REQUIRE(out->event(chain_bell{static_cast<std::uint8_t>(random())}));
    (void)out->pump();
  }
  if (!is_killed) BOOST_REQUIRE(out->close());
}

inline void make_icrep(const std::string& path, generator& random) {
  game::match_options options = pumped_options(static_cast<std::uint32_t>(1 + below(random, 20)));
  options.full_keyframe_interval = static_cast<std::uint32_t>(1 + below(random, 5));
  options.seal_interval_ms = 0;
  game::match about = little_match();
  if (chance(random, 3)) about.players[1].name = about.players[0].name;
  if (chance(random, 3)) about.players[0].name = one_of(random, odd_texts);
  auto recorder = little_recorder::begin(path, about, options);
  BOOST_REQUIRE(recorder);
  small_world world;
  world.random = random() | 1;
  const std::uint64_t ticks = 1 + below(random, 200);
  for (std::uint64_t tick = 0; tick < ticks; ++tick) {
    BOOST_REQUIRE(recorder->tick(tick, world.hash(), [&](auto& to) { world.describe(to); }));
    if (chance(random, 3)) BOOST_REQUIRE(recorder->order(0, 1, place{static_cast<std::int32_t>(tick), 2}, 3));
    if (chance(random, 9)) BOOST_REQUIRE(recorder->event(analysis::pause_event{tick, 0, true}));
    (void)recorder->pump();
    world.step();
  }
  game::match_result how;
  how.outcome.emplace(analysis::outcome::completed{analysis::outcome::winning_player{1}, {}});
  how.player_outcomes = {"lost", "won"};
  how.state_hash = world.hash();
  BOOST_REQUIRE(recorder->end(how));
}

inline void make_walk(const std::string& path, generator& random) {
  std::vector<samp_rec::on_foot_block> blocks(2 + below(random, 80));
  std::uint32_t time_ms = static_cast<std::uint32_t>(below(random, 500));
  float x = 0;
  for (samp_rec::on_foot_block& each : blocks) {
    each.time_ms = time_ms += static_cast<std::uint32_t>(20 + below(random, 60));
    each.position_m = {x += static_cast<float>(below(random, 10)) * 0.01f, -5, 3};
  }
  write_file(path, samp_rec::to_bytes(std::span<const samp_rec::on_foot_block>(blocks)));
}

inline void make_cache(const std::string& path, generator& random) {
  write_file(path, a_cache(chance(random, 2) ? gamecache::layout::flat : gamecache::layout::flagged));
}
inline void make_replay(const std::string& path, generator& /*random*/) {
  write_file(path, sample_file());
}
inline void make_unknown(const std::string& path, generator& /*random*/) {
  write_ints(path);
}

struct recording_kind {
  const char* extension;
  void (*make)(const std::string& path, generator& random);
};
inline constexpr recording_kind recording_kinds[] = {
    {".butter", make_echo},        {".butter", make_echo},
    {".echoreplay", make_echo},    {".tape", make_echo},
    {".nevrcap", make_echo},       {".reel", make_echo},
    {".echoreplay", make_echo},    {".reel", make_reel_of_states},
    {".reel", make_reel_of_lines}, {".reel", make_described},
    {".reel", make_described},     {".icrep", make_icrep},
    {".icrep", make_icrep},        {".rec", make_walk},
    {".gamecache", make_cache},    {".SC2Replay", make_replay},
    {".reel", make_unknown}};

}  // namespace tickreel::test
