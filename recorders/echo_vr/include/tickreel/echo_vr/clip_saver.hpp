// What just happened: parts of matches as files of their own, while the matches are still recorded.
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
  // A clip for each event of these types, see echo::event_type_from_name(); none: only those asked for.
  std::vector<std::size_t> types = {};
  // Only of events that concern this player: a name, a userid or a slot. Empty: of everybody.
  std::string player = {};
  std::uint32_t before_ms = 20'000;  // of the event
  std::uint32_t after_ms = 5'000;
  std::uint32_t asked_ms = 20'000;  // how far back a clip goes that is asked for
  // Clips that overlap become one, up to this length.
  std::uint32_t longest_ms = 600'000;
};

struct saved_clip {
  std::string target;
  file_path path;
  std::uint64_t ticks = 0;
};

// What became of ask().
struct saved_clips {
  std::vector<saved_clip> clips;  // one for each match and format
  std::string failure;            // a sentence; empty when each was saved
  // Nothing was tried, and a second later it may be: too many ask at once.
  bool is_busy = false;
};

struct clip_counts {
  std::uint64_t saved = 0;   // files
  std::uint64_t failed = 0;  // that should have been
  std::uint64_t missed = 0;  // events that came faster than they could be looked at
};

// A part of a reel that a match's file has been recorded into. See match_options::clips.
struct clip_source {
  file_path reel;
  file_path stem;  // of the file's name, without its format
  record_format format = record_format::butter;
  codec_options codec = {};
  std::string target;
  std::string session_id;
  std::int64_t begin_ms = 0;  // of the match in this file, UTC
  // One of two that hold the same ticks, of which the older goes first: see match_options::buffer_ms.
  bool is_buffer = false;
};

// Cuts and lays out on a thread of its own: polls never wait for it. A clip is there about two seconds after
// its last tick, when that is in the reel, or as soon as the match's file ends. What lies in another file,
// before or behind, is not in it.
class clip_saver {
 public:
  // `feed` must outlive it. `events` is told of each clip.
  clip_saver(const live_feed& feed, clip_options options, event_function events);
  clip_saver(const clip_saver&) = delete;
  clip_saver& operator=(const clip_saver&) = delete;
  ~clip_saver();  // finishes

  // Asks for the last seconds of every match that is recorded now. `done` is called on the saver's thread.
  // Who asks within a second, while the clips of another who asked are not cut yet, gets the same ones. Any
  // thread; a signal handler may call the first.
  void ask() noexcept;
  void ask(std::function<void(const saved_clips&)> done);

  // Cuts what waits for nothing but time, and ends. When no match is recorded any more.
  void finish();
  // The clip that is being cut is not saved, nor are those that wait; finish() returns soon. Any thread.
  void give_up() noexcept;
  [[nodiscard]] clip_counts counts() const;

  // For those who record. `closing`: the reel is whole, and goes when this returns; what `watch` gives up is
  // not saved.
  void opened(clip_source reel);
  void closing(const file_path& reel, const files::monitor& watch = {});

 private:
  struct internals;
  std::unique_ptr<internals> internals_;
};

}  // namespace tickreel::echo_vr
