// One file of one match during recording.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tickreel/echo/omissions.hpp"
#include "tickreel/echo/state.hpp"
#include "tickreel/echo_vr/match_recorder.hpp"
#include "tickreel/files/format.hpp"
#include "tickreel/files/recording.hpp"
#include "tickreel/record/options.hpp"
#include "tickreel/result.hpp"

namespace tickreel::echo_vr {

// How files of a format are recorded.
struct recorded_kind {
  std::string_view name;           // of the format
  bool is_published_live = false;  // publishing begins during the recording
  bool has_rows = false;           // the reel contains rows of described states
};
inline constexpr std::array all_record_formats = {record_format::butter, record_format::echoreplay,
                                                  record_format::reel, record_format::tape};
[[nodiscard]] const recorded_kind& kind_of(record_format format) noexcept;
[[nodiscard]] const files::format& description_of(record_format format) noexcept;
// Published from its reel at the end; otherwise the reel is the file.
[[nodiscard]] bool is_published(record_format format) noexcept;
// Whether it holds the game's responses as received.
[[nodiscard]] bool has_text(record_format format, const match_options& options) noexcept;
[[nodiscard]] std::string_view extension(record_format format) noexcept;

// Facts known at the first tick of a match.
struct match_beginning {
  std::filesystem::path stem;  // folder and name without extension
  std::int64_t time_ms = 0;    // UTC since 1970
  std::string session_id;
  std::string map;
  // Only for the file name.
  std::string type, blue, orange, client, host;
  std::uint32_t round = 1;
  std::string target;  // "host:port"
  double rate_hz = 0;
};

// One tick, as response and as state.
struct match_tick {
  frame_stamp stamp;
  std::int64_t time_ms = 0;
  std::string_view session;
  std::string_view bones;
  bool asked_for_bones = false;
  const echo::state* state = nullptr;
  const echo::omission_tally* left_out = nullptr;  // values of the responses that are not in `state`
};

// A file that cannot be written, or not be opened.
struct failing_file {
  std::string extension;  // of the final file
  std::string file;       // the reel
  std::string reason;
  [[nodiscard]] std::string sentence() const { return file + ": " + reason; }
};

// The result of recording a file.
struct finished_file {
  // The final file, even if no tick reached it and it does not exist; the reel, if publishing failed.
  std::filesystem::path path;
  std::uint64_t ticks = 0;
  std::uint64_t bytes = 0;
  std::uint64_t lost_ticks = 0;           // that the file reports as missing
  std::uint64_t dropped_ticks = 0;        // of these, ticks that reached this file but were not written
  std::uint64_t left_out = 0;             // values
  std::vector<std::string> format_lacks;  // values that the format cannot hold, as texts; not an error
  bool was_buffer = false;                // its reel is deleted
  std::optional<error> undelivered;       // a sink lacks records; the reel stays
  std::optional<error> failure;
};

// Writes a reel beside the final name and publishes it at the end. add() and note_gap() on one thread;
// finish() after them, on any thread.
class match_file {
 public:
  static result<std::unique_ptr<match_file>> open(record_format format, const match_beginning& match,
                                                  const match_options& options);
  virtual ~match_file() = default;

  virtual void add(const match_tick& tick) = 0;
  virtual void note_gap(std::uint64_t ticks, frame_stamp first, frame_stamp last) = 0;
  // Values of the responses that the file cannot hold, to date; also recorded in the reel.
  [[nodiscard]] virtual std::uint64_t left_out() const = 0;
  [[nodiscard]] virtual recorder_counters counters() const = 0;
  [[nodiscard]] virtual std::optional<error> failure() const = 0;

  // Drains, closes and publishes the reel, and deletes it when the final file is complete. Takes long:
  // `watch` receives the progress and can cancel, which leaves the reel. Waiting clips are cut before. A
  // buffer is deleted without being published.
  virtual finished_file finish(const files::monitor& watch = {}) = 0;

  // The paths of the published file and of the reel.
  [[nodiscard]] static std::filesystem::path final_path(const std::filesystem::path& stem,
                                                        record_format format);
  [[nodiscard]] static std::filesystem::path reel_path(const std::filesystem::path& stem,
                                                       record_format format);
  // For a final path.
  [[nodiscard]] static std::filesystem::path reel_of(std::filesystem::path final_path);
};

// The name of the temporary file with which a session checks that its folder is writable.
inline constexpr const char* write_check_name = ".tickreel";

// The output of recover_command().
[[nodiscard]] std::filesystem::path recovered_file(const std::filesystem::path& reel);
// Whether the output exists, and is not older than the reel's last tick.
[[nodiscard]] bool was_recovered(const std::filesystem::path& reel);
[[nodiscard]] std::string recover_command(const std::filesystem::path& reel);

}  // namespace tickreel::echo_vr
