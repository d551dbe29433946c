// Recovers a truncated replay.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "tickreel/bytes/span.hpp"
#include "tickreel/mpq/archive.hpp"
#include "tickreel/result.hpp"

namespace tickreel::sc2replay {

struct recovered_file {
  byte_vector file;  // an archive of the recovered members
  std::uint32_t loops = 0;
  std::vector<std::string> members;  // in the archive
  // Members that the archive names, or that every replay of its version has, and that are unreadable.
  std::vector<std::string> lost;
  std::size_t nameless = 0;  // members of a readable archive whose names are unknown; they are omitted
  // The archive could not be opened: members that were not compressed by bzip2 are lost, and no list names
  // them.
  bool lost_tables = false;
  std::size_t unknown = 0;  // whole contents of unknown members
};

// An archive's tables follow its members, so truncation removes them first. Members are identified by their content:
// only those that can be parsed to their last byte as a known member are kept; cameras, checksums
// and similar ones are not. If the tables are present, all readable members are kept.
//
// `cancelled` is called periodically, may be empty, and aborts with interrupted. Bytes that only look like a
// member are read at most a few times.
//
// bad_magic if the file does not begin like a replay; truncated if neither events nor players remain.
result<recovered_file> recover_file(byte_span file, const mpq::limits& limits = {},
                                    const std::function<bool()>& cancelled = {});

}  // namespace tickreel::sc2replay
