// Live clips: parts of matches as separate files, saved while the matches are still recorded.
//
//   live_feed feed;
//   clip_saver clips(feed, {.types = {*echo::event_type_from_name("goal")}}, on_event);
//   options.matches.live = &feed;
//   options.matches.clips = &clips;
//   auto session = record_session::start(options, on_event);
//   clips.ask();                       // the last 20 seconds of every match
//   ...
//   session->finish();
//   clips.finish();
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "tickreel/echo_vr/live_feed.hpp"
#include "tickreel/echo_vr/match_recorder.hpp"
#include "tickreel/files/recording.hpp"
#include "tickreel/io/path.hpp"

namespace tickreel::echo_vr {

struct clip_options {
  // Saves a clip for each event of these types, see echo::event_type_from_name(); empty: only requested
  // clips.
  std::vector<std::size_t> types = {};
  // Only events that concern this player: a name, a userid or a slot. Empty: all players.
  std::string player = {};
  std::uint32_t before_ms = 20'000;  // of the event
  std::uint32_t after_ms = 5'000;
  std::uint32_t asked_ms = 20'000;  // length of a requested clip, before the request
  // Overlapping clips are merged, up to this length.
  std::uint32_t longest_ms = 600'000;
  // A clip whose last tick does not reach the reel, because the game is gone, waits this long and is cut
  // without it.
  std::uint32_t longest_wait_ms = 4'000;
};

struct saved_clip {
  std::string target;
  file_path path;
  std::uint64_t ticks = 0;
};

// The result of ask().
struct saved_clips {
  std::vector<saved_clip> clips;  // one for each match and format
  std::string failure;            // an error text; empty if each clip was saved
  // Too many requests at the same time: nothing was saved, and the request can be repeated a second later.
  bool is_busy = false;
};

struct clip_counts {
  std::uint64_t saved = 0;   // files
  std::uint64_t failed = 0;  // clips that could not be saved
  std::uint64_t missed = 0;  // events that arrived faster than they could be checked
};

// A part of a reel that a match's file was recorded into. See match_options::clips.
struct clip_source {
  file_path reel;
  file_path stem;  // the file name without its format
  record_format format = record_format::butter;
  codec_options codec = {};
  std::string target;
  std::string session_id;
  std::int64_t begin_ms = 0;  // of the match in this file, UTC
  // One of two reels with the same ticks, of which the older one is deleted first: see
  // match_options::buffer_ms.
  bool is_buffer = false;
};

// Cuts and publishes clips on its own thread: polls never wait for it. A clip is saved about two seconds
// after its last tick, when that is in the reel, or as soon as the match's file ends. A clip does not extend
// into the file before or after.
class clip_saver {
 public:
  // `feed` must outlive it. `events` is called for each clip.
  clip_saver(const live_feed& feed, clip_options options, event_function events);
  clip_saver(const clip_saver&) = delete;
  clip_saver& operator=(const clip_saver&) = delete;
  ~clip_saver();  // finishes

  // Requests a clip of the last seconds of every live match. `done` is called on the saver's thread. Requests
  // within a second of a pending one share its clips. Thread-safe; the version without `done` is
  // async-signal-safe.
  void ask() noexcept;
  void ask(std::function<void(const saved_clips&)> done);

  // Cuts the clips that only wait for their last ticks, and ends. Call it when no match is recorded any more.
  void finish();
  // Cancels the current clip and the waiting ones; finish() then returns soon. Thread-safe.
  void give_up() noexcept;
  [[nodiscard]] clip_counts counts() const;

  // For recorders. `closing`: the reel is complete, and deleted when this returns; clips that `watch` cancels
  // are not saved.
  void opened(clip_source reel);
  void closing(const file_path& reel, const files::monitor& watch = {});

 private:
  struct internals;
  std::unique_ptr<internals> internals_;
};

}  // namespace tickreel::echo_vr
