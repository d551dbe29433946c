// What a reel's recorder left out of what it was given, as its events tell.
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

  // Omissions are kept, and whether the recorder died; everything else is passed over.
  void note(const reel::item& next);
  // Nothing comes any more: how often something was left out is told when a recorder ends.
  void end(const reel::table_of_contents& contents);
  void clear();

  [[nodiscard]] const echo::omission_tally& tally() const noexcept { return tally_; }

 private:
  echo::omission_tally tally_;
  bool recorder_died_ = false;
};

// Of a whole reel, without its frames; empty when it is of something else than Echo VR.
result<echo::omission_tally> unrecorded_in(const file_path& reel);

[[nodiscard]] std::string unrecorded_sentence(const std::string& omission);
// Appends them, for people.
void tell_unrecorded(const echo::omission_tally& from, std::vector<std::string>& lost);

}  // namespace tickreel::files
