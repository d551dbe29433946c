// Filters the events of a match and formats them as lines.
#pragma once

#include <bitset>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "stored_events.hpp"
#include "tickreel/echo/events.hpp"
#include "tickreel/files/recording.hpp"

namespace tickreel::files {

class echo_event_lines final : public echo::event_listener {
 public:
  // invalid_argument for an unknown type. `each` as in recording::events().
  static result<echo_event_lines> make(const event_query& query,
                                       const std::function<bool(std::string_view)>& each);

  // Call it before the events of a tick: updates whether the range is open, and looks for the player.
  void look(const tick_position& at, const echo::state& state);
  void happened(const echo::event& what) noexcept override;
  // The same for an event stored in a reel.
  void take_record(byte_span record);
  // Call it after the last tick and record.
  void finish();

  [[nodiscard]] bool stopped() const noexcept { return stopped_; }
  // No later tick can have a matching event.
  [[nodiscard]] bool is_past() const noexcept { return is_past_; }
  [[nodiscard]] std::uint64_t given() const noexcept { return given_; }
  // Events of the reel that are missing, or that this version cannot decode.
  [[nodiscard]] std::uint64_t missing() const noexcept { return counter_.missing(); }
  // False if the query names a player who is in no tick.
  [[nodiscard]] bool knows_player() const noexcept { return query_->player.empty() || player_seen_; }

 private:
  echo_event_lines(const event_query& query, const std::function<bool(std::string_view)>& each)
      : query_(&query), each_(&each) {}
  void show(const echo::event& what);
  void show_early();
  [[nodiscard]] std::optional<double> since_first_ms(const echo::event& what) const noexcept;
  [[nodiscard]] bool is_reached(const moment& where, const echo::event& what) const noexcept;
  [[nodiscard]] bool is_after_end(const moment& where, const echo::event& what) const noexcept;

  const event_query* query_;
  const std::function<bool(std::string_view)>* each_;
  std::bitset<echo::event_type_count> types_;
  std::string line_;
  std::optional<std::int64_t> first_time_ms_;
  // Events before the first readable tick: the origin of their times is not known yet.
  std::vector<echo::event> early_;
  std::uint64_t given_ = 0;
  event_counter counter_;
  bool player_seen_ = false;
  bool began_ = false;
  bool is_past_ = false;
  bool stopped_ = false;
};

}  // namespace tickreel::files
