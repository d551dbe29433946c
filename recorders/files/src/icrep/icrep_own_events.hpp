// Formats the events of a game's own types as JSON.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "icrep_layout.hpp"
#include "tickreel/files/recording.hpp"
#include "tickreel/game/replay.hpp"
#include "tickreel/icrep/reader.hpp"
#include "tickreel/text/json.hpp"

namespace tickreel::files {

// The arguments of the constructor must outlive it. One thread.
class icrep_own_events {
 public:
  icrep_own_events(const game::replay& match, const icrep_layout& layout) noexcept
      : match_(match), layout_(layout) {}

  // Appends an event that the query selects. Fails if the record is damaged.
  result<void> append(const icrep::event_record& record, const event_query& query,
                      const icrep::event_filter& filter, std::string& line) const;
  // Appends the member "events", with those in [`first_tick`, `end_tick`), if the match has own types.
  void append_between(std::uint64_t first_tick, std::uint64_t end_tick, text::json_writer& json) const;

  // The texts that events and orders refer to by number. The first call restores the last state of the match.
  [[nodiscard]] const std::vector<std::string>& interned_texts() const;

 private:
  const game::replay& match_;
  const icrep_layout& layout_;
  mutable std::optional<std::vector<std::string>> interned_;
};

}  // namespace tickreel::files
