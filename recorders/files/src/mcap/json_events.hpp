// Filters events that are stored as lines of JSON.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tickreel/files/recording.hpp"

namespace tickreel::files {

// Reads the types of events, and applies a query to them. A player is a text anywhere in the event, or a number in a member
// `player` or `userid`. `query` must outlive it.
class json_events {
 public:
  explicit json_events(const event_query& query);
  ~json_events();

  // Whether the query selects the event of that tick and time.
  [[nodiscard]] bool takes(std::string_view json, std::int64_t time_ms);
  // Whether an event up to now, of any type, tick and time, concerns the player of the query.
  [[nodiscard]] bool has_met_player() const noexcept { return has_met_player_; }
  // Adds the event's type to `types`, sorted, if it is a new one.
  void add_type(std::string_view json, std::vector<std::string>& types);

 private:
  struct parser;
  [[nodiscard]] bool concerns_player();

  const event_query& query_;
  bool has_met_player_ = false;
  std::optional<moment> from_;
  std::optional<moment> to_;
  std::unique_ptr<parser> parser_;
};

// The events of a recording that match the query, in its order. `next` moves to the next event, and returns false at the end;
// `event` and `time_ms` are then its line and time.
struct json_event_walk {
  std::function<result<bool>()> next;
  std::function<std::string_view()> event;
  std::function<std::int64_t()> time_ms;
};
// invalid_argument, at the end, if no event concerns the player of the query and none of `players` has that name or number.
result<std::uint64_t> select_events(const json_event_walk& from, const event_query& query,
                                    const std::vector<player_summary>& players,
                                    const std::function<bool(std::string_view)>& each, const monitor& watch);
result<std::vector<std::string>> types_of_events(const json_event_walk& from);
// invalid_argument for a type that the recording does not have.
result<void> check_types(const event_query& query, const result<std::vector<std::string>>& known);

}  // namespace tickreel::files
