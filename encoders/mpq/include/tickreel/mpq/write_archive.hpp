// Makes a file with an archive of its members.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "tickreel/bytes/span.hpp"
#include "tickreel/mpq/storage.hpp"
#include "tickreel/result.hpp"

namespace tickreel::mpq {

struct new_member {
  std::string name;
  byte_vector bytes;
  mpq::storage storage = {};
  std::uint64_t file_time = 0;  // in 100 ns since 1601; for archives that keep it
};

// The whole file: the user data in their room, then an archive of the first format, whose two tables every
// reader knows: the members in their order, "(listfile)", "(attributes)", the tables. The same input gives
// the same bytes, as long as zlib and libbz2 do. What is read back with archive::open() is what was given, to
// the byte; a member that would be taken for a packed one though it is not is stored in sectors whatever its
// `storage` says.
//
// invalid_argument: a name that is empty, longer than 200 bytes, twice there (upper and lower case are one,
// and so are both slashes), or has a line break or a semicolon in it; a shape that no archive can have; user
// data and no room for them. over_limit: the user data are larger than their room, more than 4096 members, a
// member of 2 GiB, a file of 4 GiB. out_of_memory.
result<byte_vector> write_archive(byte_span user_data, std::span<const new_member> members,
                                  const archive_shape& shape = {});

}  // namespace tickreel::mpq
