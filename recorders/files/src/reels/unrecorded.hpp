// What a reel's recorder left out of its input, as the reel's events report it.
#pragma once

#include <string>
#include <vector>

#include "tickreel/echo/omissions.hpp"
#include "tickreel/io/path.hpp"
#include "tickreel/reel/frame_stream.hpp"
#include "tickreel/result.hpp"

namespace tickreel::files {

class unrecorded_events {
 public:
  unrecorded_events() { clear(); }

  // Collects omissions, and whether the recorder was killed; ignores all other items.
  void note(const reel::item& next);
  // Call at the end: a recorder writes its last counts of omissions when it ends.
  void end(const reel::table_of_contents& contents);
  void clear();

  [[nodiscard]] const echo::omission_tally& tally() const noexcept { return tally_; }

 private:
  echo::omission_tally tally_;
  bool recorder_died_ = false;
};

// For a whole reel, without decoding its frames; empty if it is not an Echo VR reel.
result<echo::omission_tally> unrecorded_in(const file_path& reel);

[[nodiscard]] std::string unrecorded_sentence(const std::string& omission);
// Appends sentences for users.
void append_unrecorded(const echo::omission_tally& from, std::vector<std::string>& lost);

}  // namespace tickreel::files
