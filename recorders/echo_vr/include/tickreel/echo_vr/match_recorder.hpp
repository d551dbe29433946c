// Writes polls to one file per match.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tickreel/butter/options.hpp"
#include "tickreel/codec/codec.hpp"
#include "tickreel/echo/bone_errors.hpp"
#include "tickreel/echo/state.hpp"
#include "tickreel/echo_vr/name_pattern.hpp"
#include "tickreel/echo_vr/poller.hpp"
#include "tickreel/io/path.hpp"
#include "tickreel/reel/sink.hpp"

namespace tickreel::echo_vr {

enum class record_format : std::uint8_t {
  butter,      // .butter
  echoreplay,  // .echoreplay, the game's responses as received, zipped
  reel,        // .reel, the game's responses as received; already in its final format
  tape,        // .tape, written at the end from a reel of states
};

// Converts between formats and "butter", "echoreplay", "reel", "tape".
[[nodiscard]] std::string_view name(record_format format) noexcept;
[[nodiscard]] std::optional<record_format> record_format_from_name(std::string_view name) noexcept;

class live_feed;
class clip_saver;

// A reel that is about to be recorded.
struct match_reel {
  file_path path;      // beside the final file, or the final file itself, see match_recorder
  std::string name;    // name of the match's files, without folder and extension
  std::string target;  // "host:port"
  record_format format = record_format::butter;
};
// Called before the reel is created, on the thread that opens files. A reel that never gets a header belongs
// to a file that could not be opened.
using match_sinks = std::function<std::vector<std::unique_ptr<reel::sink>>(const match_reel&)>;

struct match_options {
  file_path folder = ".";  // created if missing
  std::vector<record_format> formats = {record_format::butter};
  // Pattern of file names, see name_pattern.hpp. start() refuses a pattern that check_name_pattern() refuses.
  std::string name_pattern = std::string(default_name_pattern);
  // One file per round, from its round_start to the next one's; ticks before the first round are in the first
  // file.
  bool file_per_round = false;
  // Omits ticks without active play: before and after rounds and matches, and pauses. Combat does not report
  // that and is recorded completely.
  bool active_only = false;
  // Polls per second while there is no match, or its status is "" or post_match. 0: one per retry interval
  // without a match, the full rate within one.
  double idle_rate_hz = 0;
  // How long a match may be absent (menu, lobby, no response) and still continue in the same file.
  std::uint32_t grace_ms = 5000;
  std::uint32_t keyframe_interval_ticks = 300;
  // Writes NAME.extra.json beside each .butter, with values that it cannot hold, see
  // tickreel/files/extra.hpp. Held in memory until the match ends, up to 64 MiB.
  bool extra = false;
  // Precision of a .butter.
  butter::tolerances hold = {};
  // Of a .reel: bones may be that far from those of the game. Its lines then have the notation of Tickreel's own
  // writer.
  std::optional<echo::bone_errors> bone_errors = {};
  // Codec of the published file. Default: gzip for .butter, which all its readers support, zstd for .reel.
  std::optional<codec_options> codec = {};
  // Seconds of polls that may wait for the disk; further ones are dropped and counted.
  std::uint32_t ring_seconds = 2;
  // Maximum delay until ticks are safe on disk and visible to readers of the reel.
  std::uint32_t seal_interval_ms = 1000;
  // Interval of attempts to open a file after a disk error.
  std::uint32_t disk_retry_ms = 5000;
  // Additional sinks of each reel, for example reel::queued_sink; not for buffers. A reel is deleted only
  // after its sinks have all records; otherwise it stays beside the published file, and file_finished reports
  // that.
  match_sinks sinks = {};
  // Receives every poll in a match, recorded or not; must outlive the recorder. May be null.
  live_feed* live = nullptr;
  // Saves parts of live matches, see clip_saver.hpp; must outlive the recorder, and reads `live`. May be
  // null.
  clip_saver* clips = nullptr;
  // Records no matches, but keeps this much of the current one for clips; 0: records whole matches. Two reels
  // hold the buffer; the older one is deleted when the younger one is long enough, so they hold at most twice
  // this time and ten seconds.
  std::uint32_t buffer_ms = 0;
};

enum class event_kind : std::uint8_t {
  state_changed,  // of a target; the first poll counts as a change
  file_started,
  file_finished,   // published under its final name
  gap,             // polls lost within a match
  disk_failed,     // nothing is being written; retried
  disk_recovered,  // writing works again
  publish_failed,  // the reel still exists; `line` explains how to recover it. Or no tick could be written
  left_over,       // the folder contains a reel of a recorder that died
  left_out,        // a response contains a value that the file cannot hold; once per kind and value
  file_removed,    // an old recording, see retention_options
  clip_saved,      // a part of a match, beside its recording
  clip_failed,     // a requested one could not be saved
  keeping_failed,  // an error with an old recording or the list of them; the session is not affected
  repeated,        // many responses of a match equal the previous one; once per match
};

struct record_event {
  event_kind kind = event_kind::state_changed;
  std::string target;            // "host:port"; empty for left_over
  std::string line;              // one sentence for the user
  file_path path;                // of the file, if there is one
  std::uint64_t ticks = 0;       // in the file; for gap, lost ones
  std::uint64_t bytes = 0;       // of a published file
  std::uint64_t lost_ticks = 0;  // of a published file
};

// Called on poll threads and finishing threads, one call at a time for each match_recorder.
using event_function = std::function<void(const record_event&)>;

// Counters and state of a match_recorder.
struct match_status {
  bool recording = false;
  file_path file;  // the first format's final name
  std::string session_id;
  std::string map;
  std::string game_status;
  std::string game_clock;  // as displayed, "09:58.42"
  float blue_points = 0;
  float orange_points = 0;
  std::uint32_t players = 0;
  std::uint64_t frames = 0;                // in the current file
  std::uint64_t total_frames = 0;          // in all files, including dropped ones
  std::uint64_t lost_polls = 0;            // within matches, in all files
  std::uint64_t dropped_ticks = 0;         // because the disk was too slow, in all files and formats
  std::uint64_t waiting_ticks = 0;         // recorded, but not yet in the reel of the slowest format
  std::uint64_t stored_bytes = 0;          // of the current file's reel (the first format's)
  std::uint64_t finishing_files = 0;       // ended and not published yet
  std::uint64_t finishing_done_bytes = 0;  // of the file that is being published
  std::uint64_t finishing_total_bytes = 0;
  std::uint64_t files_finished = 0;
  std::uint64_t discarded_ticks = 0;    // that no longer fitted match_options::buffer_ms
  std::uint64_t files_failed = 0;       // could not be opened or published, or contain no tick
  std::uint64_t incomplete_parses = 0;  // ticks with fields that the state cannot hold
  std::uint64_t left_out = 0;           // values missing in at least one file
  std::uint64_t repeated_ticks = 0;     // whose response equals the previous one
};

// Records polls to files. A match begins with the first session of a sessionid and ends when it is absent
// for longer than the grace period, or when another sessionid or map appears. While it is recorded, each
// format has a reel beside its final name, `<name>.<ext>.reel`. One thread of the recorder opens files,
// another publishes ended ones and deletes their reels. `<name>` is yyyy-MM-dd_HH-mm-ss_<map>_<first 8
// of sessionid>, UTC, or follows match_options::name_pattern; a taken name gets -2, -3, ... Existing files
// are never overwritten.
//
// One thread calls on_poll and close; status() is thread-safe.
class match_recorder final : public poll_listener {
 public:
  match_recorder(target where, const poll_options& polls, match_options options, event_function events);
  match_recorder(const match_recorder&) = delete;
  match_recorder& operator=(const match_recorder&) = delete;
  ~match_recorder() override;  // closes

  double on_poll(const poll_outcome& outcome) override;

  // Ends the current match without waiting.
  void finish_match();
  // The same, then waits until all files are published.
  void close();
  // Thread-safe: cancels publishing; waiting files are not started. The reels stay, with publish_failed for
  // each.
  void cancel_publishing() noexcept;
  [[deprecated("cancel_publishing")]] void give_up_laying_out() noexcept { cancel_publishing(); }

  [[nodiscard]] match_status status() const;

 private:
  struct internals;
  std::unique_ptr<internals> internals_;
};

// Whether there is active play in this tick: see match_options::active_only.
[[nodiscard]] bool is_active(const echo::session& match) noexcept;
// Whether the status means inactivity: see match_options::idle_rate_hz.
[[nodiscard]] bool is_idle(const echo::session& match) noexcept;

// Reels in `folder` that no recorder has open and that were never published.
[[nodiscard]] std::vector<file_path> find_leftover_reels(const file_path& folder);
// Removes the temporary files of killed writers of .butter or .echoreplay files in `folder`, NAME.XXXXXXXX.part: no
// process has them open, and they were not written to for a minute. Returns the removed ones.
std::vector<file_path> remove_leftover_parts(const file_path& folder);

}  // namespace tickreel::echo_vr
