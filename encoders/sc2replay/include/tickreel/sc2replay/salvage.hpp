// What is left of a replay that was cut.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "tickreel/bytes/span.hpp"
#include "tickreel/mpq/archive.hpp"
#include "tickreel/result.hpp"

namespace tickreel::sc2replay {

struct salvaged {
  byte_vector file;  // an archive of what was found
  std::uint32_t loops = 0;
  std::vector<std::string> members;  // that it has
  // That the archive names, or that every replay of its version has, and that could not be read.
  std::vector<std::string> lost;
  std::size_t nameless = 0;  // members of a readable archive whose names are unknown; they are left out
  // The archive could not be opened: what was not packed by bzip2 is lost, and no list says what that was.
  bool lost_tables = false;
  std::size_t unknown = 0;  // whole contents of which nobody can tell which member they were
};

// An archive's tables stand behind its members, so a cut takes them first. Members are told by their content:
// only what can be read to its last byte as one of those that this library reads is kept; cameras, checksums
// and the like are not. Where the tables are there, members that can be read are kept whatever they are.
//
// `cancelled` is asked now and then, may be empty, and gives up with interrupted. Bytes that only look like a
// member are read through no more than a few times.
//
// bad_magic when the file does not begin like a replay; truncated when neither events nor players are left.
result<salvaged> salvage(byte_span file, const mpq::limits& limits = {},
                         const std::function<bool()>& cancelled = {});

}  // namespace tickreel::sc2replay
