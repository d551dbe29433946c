// Echo VR: reels of columns, and the reels that become .butter and .echoreplay.
#include <algorithm>
#include <cmath>

#include "reel_follower.hpp"
#include "tickreel/butter/encoder.hpp"
#include "tickreel/describe/schema.hpp"
#include "tickreel/echo/described.hpp"
#include "tickreel/echo/json.hpp"
#include "tickreel/echo_vr/simulator.hpp"
#include "tickreel/echoreplay/encoder.hpp"
#include "tickreel/files/echo_source.hpp"
#include "tickreel/files/publish.hpp"
#include "tickreel/io/folder.hpp"
#include "tickreel/record/recorder.hpp"
#include "tickreel/tracks/row_encoder.hpp"
#include "worlds.hpp"

namespace tickreel::sim {

namespace {

constexpr std::int64_t start_ms = 1'750'000'000'000;

// The ticks of one match, simulated once. A low rate, so that much happens between two of them.
const std::vector<echo::state>& match_ticks() {
  static const std::vector<echo::state> all = [] {
    echo_vr::simulation_options options;
    options.rate_hz = 4;
    options.players_per_team = 2;
    options.bones = false;
    options.match_seconds = 60;
    echo_vr::match_simulator match(options);
    std::vector<echo::state> made;
    echo::state tick;
    while (made.size() < 200 && match.next(tick)) made.push_back(tick);
    return made;
  }();
  return all;
}
const std::string& match_line(std::size_t index) {
  static std::vector<std::string> lines(match_ticks().size());
  if (lines[index].empty()) {
    echo::append_session_json(match_ticks()[index], echo::json_shape::api, echo::number_style::shortest,
                              lines[index]);
  }
  return lines[index];
}

// A .butter stores jumps as halves: one of 64 m or more within 1/32 m.
bool is_near(float a, float b) {
  return std::abs(a - b) <= 0.05f || (std::isnan(a) && std::isnan(b));
}
bool is_near(const echo::vec3& a, const echo::vec3& b) {
  return is_near(a.x, b.x) && is_near(a.y, b.y) && is_near(a.z, b.z);
}

// What differs; empty: nothing. Formats quantise positions and times.
std::string difference(const echo::state& a, const echo::state& b) {
  if (a.match.player_count != b.match.player_count) return "the number of players";
  if (a.match.sessionid != b.match.sessionid) return "the session";
  if (!is_near(a.match.game_clock, b.match.game_clock)) return "the game clock";
  if (!is_near(a.match.blue_points, b.match.blue_points)) return "blue points";
  if (!is_near(a.match.orange_points, b.match.orange_points)) return "orange points";
  if (!is_near(a.match.disc.at.position, b.match.disc.at.position)) return "the disc";
  for (std::size_t i = 0; i < a.match.player_count; ++i) {
    const std::string of = "player " + std::to_string(i) + "'s ";
    if (a.players[i].name != b.players[i].name) return of + "name";
    if (a.players[i].playerid != b.players[i].playerid) return of + "slot";
    if (!is_near(a.players[i].head.position, b.players[i].head.position)) return of + "head";
  }
  return {};
}

template <class Encoder>
Encoder make_encoder() {
  return Encoder();
}
using row_encoder = tracks::row_encoder<echo::small_recorded_tick>;
template <>
row_encoder make_encoder<row_encoder>() {
  return std::move(*row_encoder::create({.max_rows = 64, .group_columns = echo::live_group_columns}));
}

void fill(echo::state& slot, const echo::state& tick, std::size_t) {
  echo::copy_state(slot, tick);
}
void fill(echo::small_recorded_tick& slot, const echo::state& tick, std::size_t) {
  echo::assign(slot, tick, echo::line_reference{});
}
void fill(echoreplay::answer& slot, const echo::state& tick, std::size_t index) {
  (void)slot.assign(tick.recorded_time_ms, match_line(index), {}, false);
}

template <class Encoder>
class echo_world final : public world_with_recorder<recorder<Encoder>> {
  using world_with_recorder<recorder<Encoder>>::recorder_;

 public:
  explicit echo_world(std::string extension) : extension_(std::move(extension)) {}

  std::string reel_path() const override {
    return extension_.empty() ? final_path() : final_path() + ".reel";
  }
  std::string final_path() const override {
    return extension_.empty() ? "/sim/match.reel" : "/sim/match" + extension_;
  }

  result<void> open(const script& how) override {
    content_ = how.content;
    tick_ms_ = how.tick_ms;
    recorder_options options = options_of(how);
    if constexpr (std::is_same_v<Encoder, row_encoder>) {
      options.schema = to_bytes(schema_of<echo::small_recorded_tick>());
    }
    auto opened = recorder<Encoder>::open(reel_path(), make_encoder<Encoder>(), options,
                                          std::exchange(this->sinks, {}));
    if (!opened) return fail(opened.error());
    recorder_.emplace(std::move(*opened));
    return {};
  }
  void push(std::uint64_t number, std::int64_t time_us) override {
    (void)recorder_->capture({number, time_us}, [&](typename Encoder::state_type& slot) noexcept {
      const std::size_t index = index_of(number);
      now_ = match_ticks()[index];
      now_.recorded_time_ms = start_ms + static_cast<std::int64_t>(number) * tick_ms_;
      fill(slot, now_, index);
    });
  }
  void event() override {
    const std::byte bytes[5] = {};
    (void)recorder_->event(1'000'000, bytes);
  }

  result<read_ticks> read(const std::string& path) override {
    auto source = files::open_echo(path);
    if (!source) return fail(source.error());
    read_ticks all;
    for (;;) {
      const auto more = (*source)->next(now_);
      if (!more) return fail(more.error());
      if (!*more) break;
      const std::int64_t since_ms = now_.recorded_time_ms - start_ms;
      const auto number = static_cast<std::uint64_t>(since_ms / tick_ms_);
      all.numbers.push_back(number);
      std::string wrong = difference(now_, match_ticks()[index_of(number)]);
      if (since_ms < 0 || since_ms % tick_ms_ != 0) wrong = "the time";
      if (!wrong.empty() && all.wrong.empty()) {
        all.wrong = "tick " + std::to_string(number) + " differs in " + wrong;
      }
    }
    return all;
  }
  result<void> publish() override {
    const auto done = files::publish(reel_path(), final_path());
    if (!done) return fail(done.error());
    return remove_file(reel_path());
  }
  result<read_ticks> follow() override { return follower_.read(reel_path()); }
  void end_following() override { follower_ = {}; }

 private:
  [[nodiscard]] std::size_t index_of(std::uint64_t number) const {
    return (content_ + number) % match_ticks().size();
  }

  std::string extension_;
  std::uint64_t content_ = 0;
  std::int64_t tick_ms_ = 0;
  reel_follower follower_;
  echo::state now_;
};

}  // namespace

std::unique_ptr<recorded_world> make_echo_world(recorded_as format) {
  if (format == recorded_as::columns) return std::make_unique<echo_world<row_encoder>>("");
  if (format == recorded_as::butter) return std::make_unique<echo_world<butter::encoder>>(".butter");
  return std::make_unique<echo_world<echoreplay::encoder>>(".echoreplay");
}

}  // namespace tickreel::sim
