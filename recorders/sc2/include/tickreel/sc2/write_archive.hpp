// Makes a .SC2Replay file of its members.
#pragma once

#include <span>
#include <string>

#include "tickreel/bytes/span.hpp"
#include "tickreel/result.hpp"

namespace tickreel::sc2 {

struct new_member {
  std::string name;
  byte_vector bytes;
};

// The whole file: the replay header (see tickreel/sc2replay/header.hpp) in its room of 1024 bytes, then an
// archive of the first format with each member in one piece, packed with bzip2, a "(listfile)" and
// "(attributes)" with checksums. The same input gives the same bytes.
// invalid_argument: a name twice, empty, or longer than 200 bytes. over_limit: the header does not fit.
result<byte_vector> write_archive(byte_span header, std::span<const new_member> members);

}  // namespace tickreel::sc2
