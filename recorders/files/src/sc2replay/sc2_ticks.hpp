// The streams of a StarCraft II replay as one: tick by tick, the events of each.
#pragma once

#include <cstdint>
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
  // Its events, one JSON object after the other: what the game says of units, what users did, what they said.
  [[nodiscard]] const std::string& events_json() const noexcept { return json_; }
  [[nodiscard]] std::uint64_t event_count() const noexcept { return event_count_; }

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
  template <class Stream>
  void take(Stream& of);

  struct state {
    stream<sc2replay::tracker_event_reader, sc2replay::tracker_event> tracker;
    stream<sc2replay::game_event_reader, sc2replay::game_event> game;
    stream<sc2replay::message_reader, sc2replay::message> messages;
  };

  void begin();

  const sc2replay::replay* from_;
  std::unique_ptr<state> state_;  // too large for a stack; null before the first event
  std::uint64_t tick_ = 0;
  std::uint64_t event_count_ = 0;
  std::string json_;
  std::vector<sc2_stop> stops_;
};

}  // namespace tickreel::files
