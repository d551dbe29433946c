// What the index keeps of a file.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tickreel/files/recording.hpp"
#include "tickreel/io/byte_source.hpp"
#include "tickreel/library/game.hpp"
#include "tickreel/result.hpp"

namespace tickreel::library {

// The header of a cache of the DotA replay manager.
struct cache_header {
  std::string layout;
  std::uint32_t version = 0;
  std::uint32_t next_age = 0;
};

struct described_game {
  game facts;              // without what belongs to the file
  std::string cache_item;  // its bytes, when it came out of a cache
};

struct description {
  std::string format;  // empty: no recording
  std::uint32_t format_version = 0;
  std::string health;
  std::string reason;
  std::vector<described_game> games;
  std::optional<cache_header> cache = std::nullopt;
  // The system did not let anybody read it; that says nothing about its content and may pass.
  std::optional<error> machine_refused = std::nullopt;

  [[nodiscard]] bool is_recording() const noexcept { return !format.empty(); }
  [[nodiscard]] bool damaged() const noexcept { return is_recording() && health == "damaged"; }
};

// No permission, no memory, a failing disk: nothing that a file's content is the reason for.
[[nodiscard]] bool is_of_the_machine(const error& what) noexcept;

// The format of a file's content; where nobody claims it, the one that its name promises. Empty: no
// recording.
[[nodiscard]] std::string format_of(const std::filesystem::path& path);
// The same wherever it lies; by the source's name.
[[nodiscard]] std::string format_of(const byte_source& from);

[[nodiscard]] game game_of(const files::summary& from);

// Takes a glance; `thorough` looks at every tick and checks all that can be checked. Never fails but with
// interrupted: what is wrong with the file becomes its health and reason.
result<description> describe_file(const std::filesystem::path& path, const std::string& format, bool thorough,
                                  const files::monitor& watch);
// The same wherever it lies. `head` becomes what its beginning alone tells, where that is anything.
result<description> describe_bytes(const byte_source& from, const std::string& format, bool thorough,
                                   const files::monitor& watch, std::optional<files::summary>& head);

}  // namespace tickreel::library
