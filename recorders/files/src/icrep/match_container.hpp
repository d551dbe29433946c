// Facts that a reel stores about its match.
#pragma once

#include <string>
#include <vector>

#include "reels/reel_facts.hpp"
#include "tickreel/files/recording.hpp"
#include "tickreel/io/byte_source.hpp"

namespace tickreel::files {

// The reel that contains the match, if it is not an .icrep.
struct match_container {
  std::vector<finding> findings;
  std::vector<std::string> losses;
  bool whole = true;
  bool ended = true;
  std::string end_sentence = ends_early(error::no_offset);  // if it was not closed
  bool recovered = false;                                   // marked as recovered
};

result<match_container> container_of(const byte_source& reel);

}  // namespace tickreel::files
