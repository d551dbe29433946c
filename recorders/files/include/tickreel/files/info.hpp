// Facts about a recording: its summary, and the findings of a verification.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "tickreel/result.hpp"

namespace tickreel::files {

enum class health : std::uint8_t {
  whole,
  incomplete,  // ends early; the existing ticks are valid
  recovered,   // was incomplete and is marked as recovered
  damaged,     // contains damage
};
[[nodiscard]] std::string_view name(health value) noexcept;

// A fact of a single format, added at the end of the info document or of a player in it.
struct fact {
  std::string key;
  std::variant<bool, std::int64_t, double, std::string> value;
};

struct player_summary {
  std::string name;
  std::string team;  // blue, orange, spectator, or the format's own word; empty if unknown
  std::optional<std::uint64_t> userid = std::nullopt;
  std::vector<fact> facts = {};
};

// A recording's duration, by the times of its first and last tick: 0 if time went back between them.
[[nodiscard]] constexpr std::int64_t duration_between(std::int64_t first_ms, std::int64_t last_ms) noexcept {
  constexpr auto longest = static_cast<std::uint64_t>((std::numeric_limits<std::int64_t>::max)());
  const auto between = static_cast<std::uint64_t>(last_ms) - static_cast<std::uint64_t>(first_ms);
  if (last_ms <= first_ms) return 0;
  return static_cast<std::int64_t>(between < longest ? between : longest);
}

struct summary {
  std::string format;
  std::uint32_t format_version = 0;
  std::uint64_t bytes = 0;
  std::uint64_t ticks = 0;
  std::uint64_t keyframes = 0;
  std::int64_t duration_ms = 0;  // see duration_between()
  std::vector<player_summary> players;
  files::health health = health::whole;
  std::vector<fact> facts;
  // Content that was recorded, or received by the recorder, and that no tick shows, as sentences. If not
  // empty, the exit code is 3.
  std::vector<std::string> left_out = {};
};

enum class severity : std::uint8_t { note, warning, error };
[[nodiscard]] std::string_view name(severity value) noexcept;

struct finding {
  severity level = severity::note;
  std::uint64_t offset = error::no_offset;
  std::string message;
};

struct verification {
  std::uint64_t ticks = 0;  // verified
  std::vector<finding> findings;
  // Facts of a single format, added at the end of the document: "signature".
  std::vector<fact> facts = {};
  // Findings report content that no tick shows, or a key was given and the signatures do not cover the end.
  // The exit code is then 3 instead of 0.
  bool content_left_out = false;
  [[nodiscard]] bool ok() const noexcept {
    for (const finding& each : findings) {
      if (each.level == severity::error) return false;
    }
    return true;
  }
};

}  // namespace tickreel::files
