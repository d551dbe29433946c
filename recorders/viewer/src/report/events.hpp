// Events of one match in a report: counts per kind, and a list of the rarer ones.
#pragma once

#include <simdjson.h>

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "drawing.hpp"

namespace tickreel::viewer {

// Empty if it is not a number.
[[nodiscard]] std::optional<double> number_of(simdjson::dom::element value);

struct listed_event {
  std::uint64_t tick = 0;
  double seconds = 0;           // since the first tick
  std::optional<double> clock;  // the game's
  std::string kind;
  std::string who;
  std::string what;
  bool is_sentence = false;  // `who` and `what` together are one
};

// Takes the lines of files::recording::events(). Events beyond the limits are counted, not stored.
class event_log {
 public:
  static constexpr std::size_t max_kinds = 64;
  static constexpr std::size_t max_people = 64;
  static constexpr std::size_t max_per_kind = 100;  // kinds with more events are not listed
  static constexpr std::size_t max_listed = 500;    // goals, texts, and all listed events

  using names_by_number = std::map<std::int64_t, std::string>;
  explicit event_log(names_by_number names = {}) : names_(std::move(names)) {}
  // `ms_per_tick` if the event has no time; `units`: of its places per unit of the world.
  void add(simdjson::dom::object event, double ms_per_tick, double first_ms, double units);

  struct kind_count {
    std::uint64_t all = 0;
    std::map<std::string, std::uint64_t> by_player;
  };
  [[nodiscard]] const std::map<std::string, kind_count>& kinds() const noexcept { return kinds_; }
  // In order of time: events of rare kinds.
  [[nodiscard]] std::vector<const listed_event*> listed() const;
  [[nodiscard]] std::uint64_t all() const noexcept { return all_; }
  // Events of the game's protocol, which are only counted.
  [[nodiscard]] std::uint64_t protocol() const noexcept { return protocol_; }
  [[nodiscard]] const std::vector<listed_event>& goals() const noexcept { return goals_; }
  [[nodiscard]] const std::vector<listed_event>& texts() const noexcept { return texts_; }
  // Passes between players, by number.
  using passes_by_pair = std::map<std::pair<std::string, std::string>, std::uint64_t>;
  [[nodiscard]] const passes_by_pair& passes() const noexcept { return passes_; }
  // Places of events: "Where units were lost", by player.
  struct place_map {
    std::string what;
    std::string whose;
    density cells{1};
  };
  [[nodiscard]] const std::vector<place_map>& places() const noexcept { return places_; }

 private:
  [[nodiscard]] std::string person(simdjson::dom::element value) const;
  // Words the event as a sentence; false if its kind has none.
  void add_members(simdjson::dom::object event, listed_event& entry) const;
  bool add_sentence(simdjson::dom::object event, listed_event& entry) const;
  void add_place(std::string_view what, const std::string& whose, simdjson::dom::element at, double units);

  names_by_number names_;
  std::map<std::string, kind_count> kinds_;
  std::map<std::string, std::vector<listed_event>> by_kind_;
  std::vector<listed_event> goals_;
  std::vector<listed_event> texts_;
  passes_by_pair passes_;
  std::vector<place_map> places_;
  std::uint64_t all_ = 0;
  std::uint64_t protocol_ = 0;
};

// A number in an object, of any JSON type.
[[nodiscard]] std::optional<double> number_in(simdjson::dom::object from, std::string_view key);

}  // namespace tickreel::viewer
