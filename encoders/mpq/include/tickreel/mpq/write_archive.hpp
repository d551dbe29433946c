// Writes a file with an archive of its members.
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
  std::uint64_t file_time = 0;  // in 100 ns since 1601; for archives that store it
};

// The whole file: the user data in their space, then an archive of the first format, whose two tables every
// reader knows: the members in their order, "(listfile)", "(attributes)", the tables. The same input produces
// the same bytes with the same zlib and libbz2. archive::open() reads exactly the given content. An uncompressed
// member that looks compressed is stored in sectors, whatever its `storage` states.
//
// invalid_argument: a name that is empty, longer than 200 bytes, a duplicate (case and the kind of slash do not
// matter), or contains a line break or a semicolon; an impossible shape; user
// data without space for them. over_limit: the user data exceed their space, more than 4096 members, a
// member of 2 GiB, a file of 4 GiB. out_of_memory.
result<byte_vector> write_archive(byte_span user_data, std::span<const new_member> members,
                                  const archive_shape& shape = {});

}  // namespace tickreel::mpq
