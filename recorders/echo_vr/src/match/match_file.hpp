// One file of one match while it is being recorded.
#pragma once

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
#include "tickreel/files/recording.hpp"
#include "tickreel/record/options.hpp"
#include "tickreel/result.hpp"

namespace tickreel::echo_vr {

// How files of a format are recorded.
struct recorded_kind {
  std::string_view extension;
  bool is_published = true;       // from its reel when the recording ends; else the reel is the file
  bool is_laid_out_live = false;  // publishing begins while the match is recorded
  bool has_side_data = false;     // match_options::extra is for it
};
[[nodiscard]] const recorded_kind& kind_of(record_format format) noexcept;
[[nodiscard]] std::string_view extension(record_format format) noexcept;
// Null for an extension of no such format.
[[nodiscard]] const recorded_kind* kind_with_extension(const std::filesystem::path& extension);

// What is known of a match when its first tick comes.
struct match_beginning {
  std::filesystem::path stem;  // folder and name without extension
  std::int64_t time_ms = 0;    // UTC since 1970
  std::string session_id;
  std::string map;
  // For its name alone.
  std::string type, blue, orange, client, host;
  std::uint32_t round = 1;
  std::string target;  // "host:port"
  double rate_hz = 0;
};

// One tick, both as answered and as understood.
struct match_tick {
  frame_stamp stamp;
  std::int64_t time_ms = 0;
  std::string_view session;
  std::string_view bones;
  bool asked_for_bones = false;
  const echo::state* state = nullptr;
  const echo::omission_tally* left_out = nullptr;  // what of the answers is not in `state`
};

// What became of a file.
struct finished_file {
  // The final file, also when no tick reached it and there is none; the reel, when it could not be laid out.
  std::filesystem::path path;
  std::uint64_t ticks = 0;
  std::uint64_t bytes = 0;
  std::uint64_t lost_ticks = 0;           // that the file says are missing
  std::uint64_t dropped_ticks = 0;        // of these, the ones that reached this file and were not written
  std::uint64_t left_out = 0;             // values
  std::vector<std::string> format_lacks;  // what the format has no place for, as sentences; no fault
  bool let_go = false;                    // it was a buffer, and is gone
  std::optional<error> undelivered;       // a sink lacks something; the reel stays
  std::optional<error> failure;
};

// Writes a reel beside the final name and lays it out at the end. add() and note_gap() on one thread;
// finish() after them, on any.
class match_file {
 public:
  static result<std::unique_ptr<match_file>> open(record_format format, const match_beginning& match,
                                                  const match_options& options);
  virtual ~match_file() = default;

  virtual void add(const match_tick& tick) = 0;
  virtual void note_gap(std::uint64_t ticks, frame_stamp first, frame_stamp last) = 0;
  // What of the game's answers is not in the file so far; the reel says it too.
  [[nodiscard]] virtual std::uint64_t left_out() const = 0;
  [[nodiscard]] virtual recorder_counters counters() const = 0;
  [[nodiscard]] virtual std::optional<error> failure() const = 0;

  // Drains, closes the reel, lays it out, and removes the reel when the final file stands. Takes its time:
  // `watch` shows how far it is, and can give it up, which leaves the reel. Clips that wait for it are cut
  // before. A buffer goes without being laid out.
  virtual finished_file finish(const files::monitor& watch = {}) = 0;

  // Where the finished file will be, and where the reel is.
  [[nodiscard]] static std::filesystem::path final_path(const std::filesystem::path& stem,
                                                        record_format format);
  [[nodiscard]] static std::filesystem::path reel_path(const std::filesystem::path& stem,
                                                       record_format format);
  // Of a final path.
  [[nodiscard]] static std::filesystem::path reel_of(std::filesystem::path final_path);
};

// A file of this name is never there for long.
inline constexpr const char* write_check_name = ".tickreel";

// What a reel becomes, and what a user types for that.
[[nodiscard]] std::filesystem::path recovered_file(const std::filesystem::path& reel);
// Whether that is there, and not from before the reel's last tick.
[[nodiscard]] bool was_recovered(const std::filesystem::path& reel);
[[nodiscard]] std::string recover_command(const std::filesystem::path& reel);

}  // namespace tickreel::echo_vr
