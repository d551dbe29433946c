// Merges the streams of a StarCraft II replay: tick by tick, with the events of each.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "tickreel/sc2replay/game_event.hpp"
#include "tickreel/sc2replay/message.hpp"
#include "tickreel/sc2replay/replay.hpp"
#include "tickreel/sc2replay/tracker_event.hpp"

namespace tickreel::files {

// A stream that ends early.
struct sc2_stop {
  std::string_view member;
  error what;
};

class sc2_ticks {
 public:
  // The replay must outlive this object, and have its events before the first next().
  explicit sc2_ticks(const sc2replay::replay& from) : from_(&from) {}

  void restart();

  // Moves to the next tick with events; false at the end. stops() lists streams that end early.
  bool next();
  [[nodiscard]] std::uint64_t tick() const noexcept { return tick_; }
  // Passes its events as JSON objects, separated by commas: unit events of the game, users' actions, chat.
  // False if `piece` returned false.
  bool append_events(const std::function<bool(std::string_view)>& piece) const;

  [[nodiscard]] const std::vector<sc2_stop>& stops() const noexcept { return stops_; }

 private:
  template <class Reader, class Event>
  struct stream {
    std::string_view member;
    Reader reader;
    Event event = {};
    bool there = false;
    // The event's own, or that of an earlier event if it is lower: the game counts from 0 again when it sets up
    // the players of a resumed game.
    std::uint64_t tick = 0;

    result<bool> next() {
      auto more = reader.next(event);
      there = more && *more;
      if (there) tick = std::max<std::uint64_t>(tick, event.tick);
      return more;
    }
  };
  template <class Stream>
  void advance(Stream& of);
  // Moves past the events of this tick.
  template <class Stream>
  void pass(Stream& of);
  // For a copy at the first event of this tick.
  template <class Stream>
  bool append_events_of(Stream& of, std::string& json, bool& any,
                        const std::function<bool(std::string_view)>& piece) const;

  struct state {
    stream<sc2replay::tracker_event_reader, sc2replay::tracker_event> tracker;
    stream<sc2replay::game_event_reader, sc2replay::game_event> game;
    stream<sc2replay::message_reader, sc2replay::message> messages;
  };

  void begin();

  const sc2replay::replay* from_;
  std::unique_ptr<state> state_;              // too large for a stack; null before the first event
  mutable std::unique_ptr<state> tick_copy_;  // a copy, which reads the events of one tick
  std::uint64_t tick_ = 0;
  bool at_tick_ = false;
  std::vector<sc2_stop> stops_;
};

}  // namespace tickreel::files
