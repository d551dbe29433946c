// Which of a match's events are asked for, and their lines.
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
  // invalid_argument for a type that there is not. `each` as in recording::events().
  static result<echo_event_lines> make(const event_query& query,
                                       const std::function<bool(std::string_view)>& each);

  // Before the events of a tick: opens and closes what was asked for, and looks for the player.
  void look(const tick_position& at, const echo::state& state);
  void happened(const echo::event& what) noexcept override;
  // The same for one that a reel keeps.
  void take_record(byte_span record);
  // No more ticks and records.
  void finish();

  [[nodiscard]] bool stopped() const noexcept { return stopped_; }
  // No later tick can have an event that fits.
  [[nodiscard]] bool is_past() const noexcept { return is_past_; }
  [[nodiscard]] std::uint64_t given() const noexcept { return given_; }
  // Events of the reel that are missing, or that this version cannot read.
  [[nodiscard]] std::uint64_t missing() const noexcept { return counter_.missing(); }
  // Somebody was asked for who was in no tick.
  [[nodiscard]] bool knows_player() const noexcept { return query_->player.empty() || player_seen_; }

 private:
  echo_event_lines(const event_query& query, const std::function<bool(std::string_view)>& each)
      : query_(&query), each_(&each) {}
  void show(const echo::event& what);
  void show_early();
  [[nodiscard]] std::optional<double> since_first_ms(const echo::event& what) const noexcept;
  [[nodiscard]] bool is_reached(const moment& where, const echo::event& what) const noexcept;
  [[nodiscard]] bool is_behind(const moment& where, const echo::event& what) const noexcept;

  const event_query* query_;
  const std::function<bool(std::string_view)>* each_;
  std::bitset<echo::event_type_count> types_;
  std::string line_;
  std::optional<std::int64_t> first_time_ms_;
  // Before the first tick that can be read: what they count their time from is not known yet.
  std::vector<echo::event> early_;
  std::uint64_t given_ = 0;
  event_counter counter_;
  bool player_seen_ = false;
  bool began_ = false;
  bool is_past_ = false;
  bool stopped_ = false;
};

}  // namespace tickreel::files
