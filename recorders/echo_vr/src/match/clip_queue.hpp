// The clips that are still to be cut, the requests that wait for them, and the reels that serve them.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "cut_clip.hpp"
#include "tickreel/echo_vr/clip_saver.hpp"

namespace tickreel::echo_vr {

// A part of one match that is saved in each of its formats.
struct pending_clip {
  std::string target;
  std::string session_id;
  std::string label;       // "goal"
  std::int64_t at_ms = 0;  // the clip is cut from the file that holds this time
  std::int64_t from_ms = 0;
  std::int64_t to_ms = 0;
  std::chrono::steady_clock::time_point due;        // its last tick has arrived by then
  std::chrono::steady_clock::time_point next_look;  // whether that tick is in the reel
  std::vector<record_format> made;
  clip_name name;
  std::uint64_t request = 0;  // of ask(); 0: of an event
};

struct clip_request {
  using callback = std::function<void(const saved_clips&)>;

  std::uint64_t number = 0;
  std::chrono::steady_clock::time_point since;
  std::vector<callback> done;
  saved_clips answer;
  bool was_in_vain = false;  // no match is recorded
};

// Not thread-safe.
class clip_queue {
 public:
  // More requests than users make: all share the same clips.
  static constexpr std::size_t max_callers = 64;

  // `options` must outlive it.
  explicit clip_queue(const clip_options& options) noexcept : options_(options) {}

  void add_source(clip_source reel) { sources_.push_back(std::move(reel)); }
  void remove_source(const file_path& reel);

  // Adds the clip of an event, if the options ask for it; overlapping clips are merged.
  void add(const live_event& happened);
  // Adds clips of all live matches, or shares those of the last request.
  void add_request(std::vector<clip_request::callback> done);
  void put_back(pending_clip clip) { waiting_.push_back(std::move(clip)); }

  // Removes a clip whose time has come; `at_end`: any.
  std::optional<pending_clip> take_due(bool at_end);
  // The best reel for each of the clip's remaining formats.
  [[nodiscard]] std::vector<clip_source> sources_of(const pending_clip& clip) const;

  struct cut {
    pending_clip clip;
    clip_source from;
  };
  // The clips that this reel serves better than the remaining ones. They wait further for their other formats;
  // keep_names() gives these the file names that were chosen.
  std::vector<cut> cuts_before_removal(const file_path& reel);
  void keep_names(const std::vector<cut>& done);

  // Null for the clip of an event.
  clip_request* request_of(const pending_clip& clip);
  // Removes the requests for which no clip waits.
  std::vector<clip_request> take_answered();

 private:
  clip_request* current_request();
  [[nodiscard]] const clip_source* best_source(const pending_clip& clip, record_format format) const;
  [[nodiscard]] bool are_in_one_file(const pending_clip& one, const pending_clip& other) const;

  const clip_options& options_;
  std::vector<clip_source> sources_;
  std::vector<pending_clip> waiting_;
  std::vector<clip_request> requests_;
  std::uint64_t last_request_ = 0;
};

}  // namespace tickreel::echo_vr
