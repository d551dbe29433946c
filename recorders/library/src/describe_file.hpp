// The description of a file in the index.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "event_groups.hpp"
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
  game facts;              // without facts of the file
  std::string cache_item;  // its bytes, when it came out of a cache
};

struct description {
  std::string format;  // empty: not a recording
  std::uint32_t format_version = 0;
  std::string health;
  std::string reason;
  std::vector<described_game> games;
  std::optional<cache_header> cache = std::nullopt;
  std::optional<event_groups> events = std::nullopt;  // unset: a query reads them from the file
  // The system could not read it; that says nothing about its content and may be temporary.
  std::optional<error> machine_refused = std::nullopt;

  [[nodiscard]] bool is_recording() const noexcept { return !format.empty(); }
  [[nodiscard]] bool damaged() const noexcept { return is_recording() && health == "damaged"; }
};

// No permission, no memory, a failing disk: errors that the file's content did not cause.
[[nodiscard]] bool is_local_failure(const error& what) noexcept;

// The format of a file's content; if no format claims it, the one that its name implies. Empty: not a
// recording.
[[nodiscard]] std::string format_of(const std::filesystem::path& path);
// The same for any source; by the source's name.
[[nodiscard]] std::string format_of(const byte_source& from);

// Reads a quick summary, and the events if that reads every tick anyway; `thorough` reads every tick and verifies. Fails
// only with interrupted: other errors become the file's health and reason.
result<description> describe_file(const std::filesystem::path& path, const std::string& format, bool thorough,
                                  const files::monitor& watch);
// The same for any source. `head` receives the facts in its beginning, if there are any. `described` is called when all
// facts are known, and only the events may need further parts.
result<description> describe_bytes(const byte_source& from, const std::string& format, bool thorough,
                                   const files::monitor& watch, std::optional<files::summary>& head,
                                   const std::function<void()>& described);

}  // namespace tickreel::library
