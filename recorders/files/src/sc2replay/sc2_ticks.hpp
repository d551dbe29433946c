// The streams of a StarCraft II replay as one: tick by tick, the events of each.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tickreel/sc2replay/game_event.hpp"
#include "tickreel/sc2replay/message.hpp"
#include "tickreel/sc2replay/replay.hpp"
#include "tickreel/sc2replay/tracker_event.hpp"

namespace tickreel::files {

// A stream that cannot be read to its end.
struct sc2_stop {
  std::string_view member;
  error what;
};

class sc2_ticks {
 public:
  // The replay must outlive this, and have its events before the first next().
  explicit sc2_ticks(const sc2replay::replay& from) : from_(&from) {}

  void restart();

  // Goes to the next tick that holds events; false at the end. What stops early is in stops().
  bool next();
  [[nodiscard]] std::uint64_t tick() const noexcept { return tick_; }
  // Tells its events, one JSON object after the other with commas between them: what the game says of units,
  // what users did, what they said. False when `piece` had enough.
  bool tell(const std::function<bool(std::string_view)>& piece) const;

  [[nodiscard]] const std::vector<sc2_stop>& stops() const noexcept { return stops_; }

 private:
  template <class Reader, class Event>
  struct stream {
    std::string_view member;
    Reader reader;
    Event event = {};
    bool there = false;
  };
  template <class Stream>
  void advance(Stream& of);
  // Goes behind the events of this tick.
  template <class Stream>
  void pass(Stream& of);
  // Of a copy that stands at the first event of this tick.
  template <class Stream>
  bool tell_all(Stream& of, std::string& json, bool& any,
                const std::function<bool(std::string_view)>& piece) const;

  struct state {
    stream<sc2replay::tracker_event_reader, sc2replay::tracker_event> tracker;
    stream<sc2replay::game_event_reader, sc2replay::game_event> game;
    stream<sc2replay::message_reader, sc2replay::message> messages;
  };

  void begin();

  const sc2replay::replay* from_;
  std::unique_ptr<state> state_;         // too large for a stack; null before the first event
  mutable std::unique_ptr<state> told_;  // a copy, in which the events of a tick are gone through
  std::uint64_t tick_ = 0;
  bool at_tick_ = false;
  std::vector<sc2_stop> stops_;
};

}  // namespace tickreel::files
