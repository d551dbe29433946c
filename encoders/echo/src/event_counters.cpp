// What players' counters say, who else took part, and what the disc's way says where the game does not count.
#include <cmath>

#include "event_memory.hpp"

namespace tickreel::echo {

namespace {

constexpr int nobody = event_roster::nobody;

// The only one in the roster of whom `fits` is true.
template <class Fits>
int the_only(event_roster& roster, Fits fits) noexcept {
  int found = nobody;
  int number = 0;
  for (known_player& each : roster.all()) {
    if (each.present && fits(each)) {
      if (found != nobody) return nobody;
      found = number;
    }
    ++number;
  }
  return found;
}

bool are_opponents(const known_player& a, const known_player& b) noexcept {
  return a.who.team != b.who.team && a.who.team <= side::orange && b.who.team <= side::orange;
}

}  // namespace

void disc_events::see_counters(const look& at, event_roster& roster, int holder) noexcept {
  constexpr auto source = event_source::statistics;
  // Two of one team at once: who stunned whom, or passed to whom, cannot be told.
  const auto other_with = [&](const known_player& one, counter what, bool same_team) {
    return the_only(roster, [&](const known_player& other) {
      return &other != &one && (other.who.team == one.who.team) == same_team && other.gain(what) == 1;
    });
  };
  const auto alone_with = [&](const known_player& one, counter what) {
    return one.gain(what) == 1 && other_with(one, what, true) == nobody;
  };
  // The last one who had it, if of that team.
  const auto last_of = [&](const known_player& one, bool same_team) {
    if (thrower_ == nobody) return nobody;
    const known_player& last = roster.at(thrower_);
    const bool fits = same_team ? &last != &one && last.who.team == one.who.team : are_opponents(last, one);
    return fits ? thrower_ : nobody;
  };
  for (known_player& each : roster.all()) {
    if (!each.present) continue;
    const participant& who = each.who;
    if (const auto n = each.gain(counter::stuns)) {
      const int victim = the_only(roster, [&](const known_player& other) {
        return other.newly_stunned && are_opponents(other, each);
      });
      at.tell(source, stun{who, roster.participant_of(alone_with(each, counter::stuns) ? victim : nobody)},
              n);
    }
    if (const auto n = each.gain(counter::steals)) {
      at.tell(source, steal{who, roster.participant_of(last_of(each, false))}, n);
    }
    if (const auto n = each.gain(counter::blocks)) at.tell(source, stun_blocked{who}, n);
    if (const auto n = each.gain(counter::saves)) {
      at.tell(source, save{who, roster.participant_of(last_of(each, false))}, n);
    }
    if (const auto n = each.gain(counter::interceptions)) {
      at.tell(source, interception{who, roster.participant_of(last_of(each, false))}, n);
    }
    if (const auto n = each.gain(counter::passes)) {
      int to = other_with(each, counter::catches, true);
      if (to == nobody && holder != nobody && &roster.at(holder) != &each &&
          roster.at(holder).who.team == who.team) {
        to = holder;
      }
      at.tell(source, disc_passed{who, roster.participant_of(to)}, n);
    }
    if (const auto n = each.gain(counter::catches)) {
      int from = other_with(each, counter::passes, true);
      if (from == nobody) from = last_of(each, true);
      at.tell(source, disc_caught{who, roster.participant_of(from)}, n);
    }
    if (const auto n = each.gain(counter::shots)) {
      const vec3 v = at.now->match.disc.velocity;
      at.tell(source, shot{who, std::sqrt(v.x * v.x + v.y * v.y + v.z * v.z)}, n);
    }
  }
}

void disc_events::see_exchange(const look& at, event_roster& roster, int holder) noexcept {
  const bool caught = holder != nobody && holder_ == nobody && thrower_ != nobody && thrower_ != holder;
  if (caught && roster.at(holder).who.team <= side::orange && roster.at(thrower_).who.team <= side::orange) {
    settle_exchange(at, roster, true);
    exchange_ = {
        true,   at.missed_ms != 0, roster.at(holder).who.team == roster.at(thrower_).who.team, thrower_,
        holder, at.time_ms()};
  }
  settle_exchange(at, roster, false);
}

void disc_events::settle_exchange(const look& at, event_roster& roster, bool at_last) noexcept {
  if (!exchange_.waits) return;
  const known_player& from = roster.at(exchange_.from);
  const known_player& to = roster.at(exchange_.to);
  // The game counts it, or counts it as something else.
  const bool counted =
      exchange_.own_team
          ? from.gain(counter::passes) + to.gain(counter::catches) != 0 || roster.counts(counter::passes) ||
                roster.counts(counter::catches)
          : to.gain(counter::interceptions) + to.gain(counter::saves) + to.gain(counter::steals) != 0 ||
                roster.counts(counter::interceptions);
  if (counted) {
    exchange_.waits = false;
    return;
  }
  const std::int32_t late = elapsed_ms(at.time_ms(), exchange_.time_ms);
  if (!at_last && late < wait_ms) return;
  exchange_.waits = false;
  constexpr auto source = event_source::possession;
  if (exchange_.own_team) {
    at.tell(source, disc_passed{from.who, to.who}, 1, exchange_.gap, late);
    at.tell(source, disc_caught{to.who, from.who}, 1, exchange_.gap, late);
  } else {
    at.tell(source, interception{to.who, from.who}, 1, exchange_.gap, late);
  }
}

}  // namespace tickreel::echo
