// From polls to one file per match.
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
#include "tickreel/echo/state.hpp"
#include "tickreel/echo_vr/name_pattern.hpp"
#include "tickreel/echo_vr/poller.hpp"
#include "tickreel/io/path.hpp"
#include "tickreel/reel/sink.hpp"

namespace tickreel::echo_vr {

enum class record_format : std::uint8_t {
  butter,      // .butter
  echoreplay,  // .echoreplay, the game's answers as received, zipped
  reel,        // .reel, the game's answers as received; nothing to be laid out at the end
};

// "butter", "echoreplay", "reel" and back.
[[nodiscard]] std::string_view name(record_format format) noexcept;
[[nodiscard]] std::optional<record_format> record_format_from_name(std::string_view name) noexcept;

class live_feed;
class clip_saver;

// A reel that is about to be recorded.
struct match_reel {
  file_path path;      // as match_recorder says: beside the final file, or that file itself
  std::string name;    // of the match's files, without folder and extension
  std::string target;  // "host:port"
  record_format format = record_format::butter;
};
// Called before the reel is created, from the thread that opens files. One that never gets a header belongs
// to a file that could not be begun.
using match_sinks = std::function<std::vector<std::unique_ptr<reel::sink>>(const match_reel&)>;

struct match_options {
  file_path folder = ".";  // made when it is not there
  std::vector<record_format> formats = {record_format::butter};
  // What files are called, see name_pattern.hpp; one that check_name_pattern() refuses is refused at the
  // start.
  std::string name_pattern = std::string(default_name_pattern);
  // A file for each round, from its round_start to the next one's; what comes before the first is with it.
  bool file_per_round = false;
  // Leave out the ticks in which nobody plays: before and after rounds and matches, and pauses. Combat says
  // nothing about that and is recorded whole.
  bool active_only = false;
  // Polls per second while there is no match, or its status is "" or post_match. 0: one each retry interval
  // without a match, the full rate in one.
  double idle_rate_hz = 0;
  // How long a match may be out of sight (menu, lobby, no answer) and still go on in the same file.
  std::uint32_t grace_ms = 5000;
  std::uint32_t keyframe_interval_ticks = 300;
  // Beside each .butter a NAME.extra.json with what it has no place for, see tickreel/files/extra.hpp. Kept
  // in memory until the match is over, up to 64 MiB.
  bool extra = false;
  // How exact a .butter is.
  butter::tolerances hold = {};
  // Of the finished file. Not given: gzip for .butter, which all its readers open, zstd for .reel.
  std::optional<codec_options> codec = {};
  // Seconds of polls that may wait for the disk; what comes on top is dropped and counted.
  std::uint32_t ring_seconds = 2;
  // What is recorded is safe on the disk, and seen by who reads the reel, within this time.
  std::uint32_t seal_interval_ms = 1000;
  // After the disk refused, a new file is tried this often.
  std::uint32_t disk_retry_ms = 5000;
  // Where the bytes of each reel go beside its file, for example reel::queued_sink; not those of a buffer. A
  // reel is removed only when its sinks have everything; else it stays beside the finished file, and
  // file_finished says so.
  match_sinks sinks = {};
  // Is told every poll in a match, recorded or not, and must outlive the recorder; null: nobody listens.
  live_feed* live = nullptr;
  // Saves parts of matches while they are recorded, see clip_saver.hpp; must outlive the recorder, and reads
  // `live`. Null: nobody does.
  clip_saver* clips = nullptr;
  // Keep no matches, but so much of the one that is played, for clips; 0: whole matches. Two reels hold it,
  // of which the older one goes when the younger one is long enough: at most twice as much and ten seconds.
  std::uint32_t buffer_ms = 0;
};

enum class event_kind : std::uint8_t {
  state_changed,  // of a target; the first poll counts as a change
  file_started,
  file_finished,   // laid out under its final name
  gap,             // polls lost in the middle of a match
  disk_failed,     // nothing is being written any more; retried
  disk_recovered,  // writing works again
  publish_failed,  // the reel is still there; `line` tells how to recover it. Or no tick could be written
  left_over,       // a reel of a recorder that died lies in the folder
  left_out,        // the game said something that has no place in the file; each kind and value once
  file_removed,    // an old recording, see retention_options
  clip_saved,      // a part of a match, beside its recording
  clip_failed,     // one that was wanted could not be saved
  keeping_failed,  // an old recording, or the list of them, gave an error; nothing else is the matter
  repeated,        // many responses of a match equal the one before; once a match
};

struct record_event {
  event_kind kind = event_kind::state_changed;
  std::string target;            // "host:port"; empty for left_over
  std::string line;              // one sentence for people
  file_path path;                // of the file, where there is one
  std::uint64_t ticks = 0;       // in the file; lost ones for gap
  std::uint64_t bytes = 0;       // of a finished file
  std::uint64_t lost_ticks = 0;  // of a finished file
};

// Called from poll threads and finishing threads, one at a time for each match_recorder.
using event_function = std::function<void(const record_event&)>;

// What a match_recorder has done and is doing.
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
  std::uint64_t total_frames = 0;          // in all files, with the dropped ones
  std::uint64_t lost_polls = 0;            // in the middle of matches, in all files
  std::uint64_t dropped_ticks = 0;         // because the disk was too slow, in all files and formats
  std::uint64_t stored_bytes = 0;          // of the current file's reel (the first format's)
  std::uint64_t finishing_files = 0;       // ended and not laid out yet
  std::uint64_t finishing_done_bytes = 0;  // of the one that is being laid out
  std::uint64_t finishing_total_bytes = 0;
  std::uint64_t files_finished = 0;
  std::uint64_t let_go_ticks = 0;       // that no longer fitted match_options::buffer_ms
  std::uint64_t files_failed = 0;       // could not be opened or laid out, or hold no tick
  std::uint64_t incomplete_parses = 0;  // ticks with fields that the state has no place for
  std::uint64_t left_out = 0;           // values that are in no file, or missing in one of them
  std::uint64_t repeated_ticks = 0;     // whose response equals the one before
};

// Polls go in, files come out. A match begins with the first session of a sessionid and ends when it is out
// of sight for longer than the grace period or another sessionid or map appears. While it is recorded, each
// format has a reel beside its final name, `<name>.<ext>.reel`; a thread of this recorder lays finished ones
// out and removes the reel then, another one opens new ones. `<name>` is yyyy-MM-dd_HH-mm-ss_<map>_<first 8
// of sessionid>, UTC, or as match_options::name_pattern says; a taken name gets -2, -3, ... Nothing is ever
// overwritten.
//
// One thread calls on_poll and close; status() may be called from any.
class match_recorder final : public poll_listener {
 public:
  match_recorder(target where, const poll_options& polls, match_options options, event_function events);
  match_recorder(const match_recorder&) = delete;
  match_recorder& operator=(const match_recorder&) = delete;
  ~match_recorder() override;  // closes

  double on_poll(const poll_outcome& outcome) override;

  // Ends the match that is being recorded without waiting.
  void finish_match();
  // The same, then waits until all files are laid out.
  void close();
  // Any thread: what is being laid out is given up, and what waits for it is not begun. The reels stay, with
  // publish_failed for each.
  void give_up_laying_out() noexcept;

  [[nodiscard]] match_status status() const;

 private:
  struct internals;
  std::unique_ptr<internals> internals_;
};

// Whether somebody plays in this tick: see match_options::active_only.
[[nodiscard]] bool is_active(const echo::session& match) noexcept;
// Whether the status says that nothing happens: see match_options::idle_rate_hz.
[[nodiscard]] bool is_idle(const echo::session& match) noexcept;

// "2022-07-16_20-04-58_mpl_arena_a_1A2B3C4D"; characters that a file name should not have become '_'.
[[nodiscard]] std::string match_file_stem(std::int64_t time_ms, std::string_view map,
                                          std::string_view session_id);

// Reels in `folder` that no recorder holds any more and that were never laid out.
[[nodiscard]] std::vector<file_path> find_left_over_reels(const file_path& folder);
// Files in `folder` that somebody was writing as a .butter or .echoreplay when he was killed,
// NAME.XXXXXXXX.part: no process holds them, and nobody has written for a minute.
[[nodiscard]] std::vector<file_path> find_abandoned_parts(const file_path& folder);

}  // namespace tickreel::echo_vr
