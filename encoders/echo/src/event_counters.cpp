// Events from players' counters, the other players involved, and the disc's path where the game does not
// count.
#include <algorithm>
#include <cmath>

#include "event_memory.hpp"

namespace tickreel::echo {

namespace {

constexpr int nobody = event_roster::nobody;

// The only player in the roster that `fits` accepts.
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

template <class Fits>
std::size_t the_count(event_roster& roster, Fits fits) noexcept {
  std::size_t count = 0;
  for (const known_player& each : roster.all()) {
    if (each.present && fits(each)) ++count;
  }
  return count;
}

bool are_opponents(const known_player& a, const known_player& b) noexcept {
  return a.who.team != b.who.team && a.who.team <= side::orange && b.who.team <= side::orange;
}

// The victim of one player's stun: the only opponent with a stun that no event names yet.
int victim_of(event_roster& roster, const known_player& stunner, std::int64_t now_ms) noexcept {
  return the_only(roster, [&](const known_player& other) {
    return other.unexplained_stun_ms && elapsed_ms(now_ms, *other.unexplained_stun_ms) <= stun_victim_ms &&
           are_opponents(other, stunner);
  });
}

}  // namespace

void disc_events::see_counters(const look& at, event_roster& roster, int holder) noexcept {
  constexpr auto source = event_source::statistics;
  // With two of one team at the same time, the victim or the receiver is ambiguous.
  const auto other_with = [&](const known_player& one, counter what, bool same_team) {
    return the_only(roster, [&](const known_player& other) {
      return &other != &one && (other.who.team == one.who.team) == same_team && other.gain(what) == 1;
    });
  };
  const auto alone_with = [&](const known_player& one, counter what) {
    return one.gain(what) == 1 && other_with(one, what, true) == nobody;
  };
  // The last holder, if of that team.
  const auto last_of = [&](const known_player& one, bool same_team) {
    if (thrower_ == nobody) return nobody;
    const known_player& last = roster.at(thrower_);
    const bool fits = same_team ? &last != &one && last.who.team == one.who.team : are_opponents(last, one);
    return fits ? thrower_ : nobody;
  };
  settle_stuns(at, roster, false);
  for (known_player& each : roster.all()) {
    if (!each.present) continue;
    const participant& who = each.who;
    if (const auto n = each.gain(counter::stuns)) {
      see_stun(at, roster, static_cast<int>(&each - roster.all().data()), n,
               alone_with(each, counter::stuns));
    }
    if (const auto n = each.gain(counter::steals)) {
      at.emit(source, steal{who, roster.participant_of(last_of(each, false))}, n);
    }
    if (const auto n = each.gain(counter::blocks)) at.emit(source, stun_blocked{who}, n);
    if (const auto n = each.gain(counter::saves)) {
      at.emit(source, save{who, roster.participant_of(last_of(each, false))}, n);
    }
    if (const auto n = each.gain(counter::interceptions)) {
      at.emit(source, interception{who, roster.participant_of(last_of(each, false))}, n);
    }
    if (const auto n = each.gain(counter::passes)) {
      int to = other_with(each, counter::catches, true);
      if (to == nobody && holder != nobody && &roster.at(holder) != &each &&
          roster.at(holder).who.team == who.team) {
        to = holder;
      }
      at.emit(source, disc_passed{who, roster.participant_of(to)}, n);
    }
    if (const auto n = each.gain(counter::catches)) {
      int from = other_with(each, counter::passes, true);
      if (from == nobody) from = last_of(each, true);
      at.emit(source, disc_caught{who, roster.participant_of(from)}, n);
    }
    if (const auto n = each.gain(counter::shots)) {
      const vec3 v = at.now->match.disc.velocity;
      at.emit(source, shot{who, std::sqrt(v.x * v.x + v.y * v.y + v.z * v.z)}, n);
    }
  }
}

// The game counts a stun before, with or after the tick that shows its victim stunned.
void disc_events::see_stun(const look& at, event_roster& roster, int who, std::uint32_t count,
                           bool is_alone) noexcept {
  const known_player& stunner = roster.at(who);
  const int victim = is_alone ? victim_of(roster, stunner, at.time_ms()) : nobody;
  const bool any_stunned = the_count(roster, [&](const known_player& other) {
                             return other.newly_stunned && are_opponents(other, stunner);
                           }) != 0;
  // A later tick cannot decide if several already qualify, or if ticks are missing.
  const bool can_wait = is_alone && !any_stunned && at.missed_ms == 0;
  if (victim == nobody && can_wait && waiting_stuns_ < stuns_.size()) {
    stuns_[waiting_stuns_++] = {who, count, at.time_ms()};
    return;
  }
  if (victim != nobody) roster.at(victim).unexplained_stun_ms.reset();
  at.emit(event_source::statistics, stun{stunner.who, roster.participant_of(victim)}, count);
}

void disc_events::settle_stuns(const look& at, event_roster& roster, bool at_last) noexcept {
  std::size_t left = 0;
  for (std::size_t i = 0; i < waiting_stuns_; ++i) {
    const waiting_stun one = stuns_[i];
    const known_player& stunner = roster.at(one.who);
    const std::int32_t late = elapsed_ms(at.time_ms(), one.time_ms);
    const bool is_alone =
        std::count_if(stuns_.begin(), stuns_.begin() + static_cast<std::ptrdiff_t>(waiting_stuns_),
                      [&](const waiting_stun& other) {
                        return roster.at(other.who).who.team == stunner.who.team;
                      }) == 1;
    const int victim = is_alone ? victim_of(roster, stunner, at.time_ms()) : nobody;
    if (victim == nobody && late < stun_victim_ms && !at_last) {
      stuns_[left++] = one;
      continue;
    }
    if (victim != nobody) roster.at(victim).unexplained_stun_ms.reset();
    at.emit(event_source::statistics, stun{stunner.who, roster.participant_of(victim)}, one.count, false,
            late);
  }
  waiting_stuns_ = left;
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
  // The game counts it, possibly as something else.
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
    at.emit(source, disc_passed{from.who, to.who}, 1, exchange_.gap, late);
    at.emit(source, disc_caught{to.who, from.who}, 1, exchange_.gap, late);
  } else {
    at.emit(source, interception{to.who, from.who}, 1, exchange_.gap, late);
  }
}

}  // namespace tickreel::echo
