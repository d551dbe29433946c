#include "tickreel/echo/sentence.hpp"

#include <array>
#include <charconv>
#include <cmath>
#include <string_view>
#include <variant>

#include "tickreel/text/shown.hpp"

namespace tickreel::echo {

namespace {

std::string_view team_text(side of) {
  const auto all = words(std::type_identity<side>{});
  const auto place = static_cast<std::size_t>(of);
  return place < all.size() ? all[place] : "unknown";
}

bool is_team(side of) {
  return of == side::blue || of == side::orange;
}

// With one digit after the point.
std::string number(float value) {
  if (!std::isfinite(value)) return "?";
  std::array<char, 64> text{};
  const auto end = std::to_chars(text.data(), text.data() + text.size(), value, std::chars_format::fixed, 1);
  return {text.data(), end.ptr};
}

std::string score(std::int32_t blue, std::int32_t orange) {
  return std::to_string(blue) + ":" + std::to_string(orange);
}

template <class... Part>
std::string join(const Part&... parts) {
  std::string out;
  (out.append(parts), ...);
  return out;
}

std::string ended(std::string_view what, std::int32_t blue, std::int32_t orange, side winner) {
  std::string out = join("The ", what, " ended ", score(blue, orange));
  if (is_team(winner)) out.append(": ").append(team_text(winner)).append(" won");
  return out;
}

struct sentence_writer {
  name_style style = name_style::plain;

  // For untrusted text.
  [[nodiscard]] std::string shown(std::string_view text) const {
    return style == name_style::markdown ? tickreel::text::shown_in_markdown(text)
                                         : tickreel::text::shown(text);
  }
  [[nodiscard]] std::string name_of(const participant& who) const {
    if (!who.name.empty()) return shown(who.name.view());
    return who.slot >= 0 ? "player " + std::to_string(who.slot) : "somebody";
  }
  // " from Bob", if a player is known.
  [[nodiscard]] std::string with(std::string_view word, const participant& who) const {
    return who.is_known() ? join(" ", word, " ", name_of(who)) : std::string();
  }

  std::string operator()(const match_started& at) const {
    std::string out = at.in_progress ? "A match is seen that had begun before" : "A match began";
    if (!at.map_name.empty()) out.append(" on ").append(shown(at.map_name.view()));
    return out;
  }
  std::string operator()(const match_ended& at) const {
    return ended("match", at.blue_points, at.orange_points, at.winner);
  }
  std::string operator()(const round_started& at) const {
    return at.round > 0 ? join("Round ", std::to_string(at.round), " began") : "A round began";
  }
  std::string operator()(const round_ended& at) const {
    return ended("round", at.blue_points, at.orange_points, at.winner);
  }
  std::string operator()(const pause_started& at) const {
    return is_team(at.requested_by)
               ? join("The game is paused: ", team_text(at.requested_by), " asked for it")
               : "The game is paused";
  }
  std::string operator()(const pause_ended& at) const {
    std::string out = join("The game goes on after a pause of ", number(at.duration_s), " s");
    if (is_team(at.ended_by)) out.append(": ").append(team_text(at.ended_by)).append(" ended it");
    return out;
  }
  std::string operator()(const joust& at) const {
    return join(name_of(at.player), " won the joust in ", number(at.time_s), " s, at up to ",
                number(at.top_speed), " m/s");
  }
  std::string operator()(const disc_thrown& at) const {
    return join(name_of(at.player), " threw the disc at ", number(at.speed), " m/s");
  }
  std::string operator()(const disc_passed& at) const {
    return join(name_of(at.player), " passed the disc", with("to", at.to));
  }
  std::string operator()(const disc_caught& at) const {
    return join(name_of(at.player), " caught the disc", with("from", at.from));
  }
  std::string operator()(const interception& at) const {
    return join(name_of(at.player), " intercepted the disc", with("of", at.from));
  }
  std::string operator()(const steal& at) const {
    return join(name_of(at.player), " stole the disc", with("from", at.from));
  }
  std::string operator()(const stun_blocked& at) const { return join(name_of(at.player), " blocked a stun"); }
  std::string operator()(const stun& at) const {
    return join(name_of(at.player), " stunned ", name_of(at.victim));
  }
  std::string operator()(const save& at) const {
    return join("Save by ", name_of(at.player), with("against", at.from));
  }
  std::string operator()(const shot& at) const {
    return join("Shot by ", name_of(at.player), " at ", number(at.speed), " m/s");
  }
  std::string operator()(const goal& at) const {
    return join("Goal by ", name_of(at.player),
                at.assist.is_known() ? join(" (assist: ", name_of(at.assist), ")") : std::string(), ": ",
                std::to_string(at.points), at.points == 1 ? " point, " : " points, ", number(at.speed),
                " m/s, ", number(at.distance_m), " m. ", score(at.blue_points, at.orange_points));
  }
  std::string operator()(const possession_changed& at) const {
    return at.player.is_known() ? join(name_of(at.player), " has the disc", with("after", at.from))
                                : join("Nobody has the disc", with("after", at.from));
  }
  std::string operator()(const player_joined& at) const {
    return join(name_of(at.player), " joined", at.player.team == side::none ? "" : " ",
                at.player.team == side::none ? std::string_view() : team_text(at.player.team));
  }
  std::string operator()(const player_left& at) const { return join(name_of(at.player), " left"); }
  std::string operator()(const team_changed& at) const {
    return join(name_of(at.player), " went from ", team_text(at.from), " to ", team_text(at.player.team));
  }
  std::string operator()(const ping_spike& at) const {
    return join("The ping of ", name_of(at.player), " is ", std::to_string(at.ping_ms), " ms; usually it is ",
                std::to_string(at.usual_ms));
  }
  std::string operator()(const restart_requested& at) const {
    return is_team(at.team) ? join("A restart was asked for by ", team_text(at.team))
                            : "A restart was asked for";
  }
  std::string operator()(const payload_changed& at) const {
    const std::string_view now = at.state == payload_motion::moving      ? "moves"
                                 : at.state == payload_motion::contested ? "is contested"
                                                                         : "stands";
    return join("The payload ", now, ": checkpoint ", std::to_string(at.checkpoint), ", ",
                number(at.distance_m), " m");
  }
  std::string operator()(const team_joust& at) const {
    return join(name_of(at.player), " crossed the middle first for ", team_text(at.team), " in ",
                number(at.time_s), at.defensive ? " s (defensive joust), at up to " : " s, at up to ",
                number(at.top_speed), " m/s");
  }
  std::string operator()(const playspace_exceeded& at) const {
    return join(name_of(at.player), " moved ", number(at.distance_m), " m away from the own playspace");
  }
};

}  // namespace

std::string sentence(const event& happened, name_style style) {
  return std::visit(sentence_writer{style}, happened.what);
}

}  // namespace tickreel::echo
