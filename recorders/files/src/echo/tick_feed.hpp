// The ticks of an Echo VR source, one after the other, for functions that write files.
#pragma once

#include <memory>
#include <optional>

#include "stored_events.hpp"
#include "tickreel/files/convert.hpp"

namespace tickreel::files {

// Iterates over the ticks of `from` and decides when a new file must begin.
class tick_feed {
 public:
  // With `keeps_events`, kept() returns the events that the source stores, if it stores any.
  tick_feed(echo_source& from, const monitor& watch, bool keeps_events = false);
  tick_feed(const tick_feed&) = delete;
  tick_feed& operator=(const tick_feed&) = delete;
  ~tick_feed();

  // The current tick; null at the end.
  result<const echo::state*> current();
  void take() noexcept { held_ = false; }
  // Returns to the source's first tick.
  result<void> restart();
  [[nodiscard]] echo_source& source() noexcept { return from_; }
  // Null: events must be derived from the ticks.
  [[nodiscard]] stored_events* kept() noexcept { return kept_ ? &*kept_ : nullptr; }
  [[nodiscard]] std::uint64_t taken() const noexcept { return given_; }
  // The losses of the source between the previous tick and the current one, or after the last one. Each loss is
  // returned once.
  [[nodiscard]] echo_source::loss_count take_losses() noexcept;

 private:
  echo_source& from_;
  const monitor& watch_;
  std::unique_ptr<echo::state> state_;
  std::optional<stored_events> kept_;
  std::uint64_t given_ = 0;
  // Of the source's losses: the number already returned, and the number of the next tick.
  echo_source::loss_count losses_taken_;
  std::optional<std::uint64_t> next_number_;
  bool held_ = false;
  bool ended_ = false;
};

}  // namespace tickreel::files
