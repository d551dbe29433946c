// How members lie in an archive, and what an archive has around them: as read from one, and as wanted of one
// that is to be written.
#pragma once

#include <cstdint>

#include "tickreel/mpq/user_data.hpp"

namespace tickreel::mpq {

enum class packing : std::uint8_t { none, zlib, bzip2 };

struct storage {
  // Of what gets smaller by it; what does not is stored as it is.
  mpq::packing packing = mpq::packing::bzip2;
  bool in_sectors = false;        // else in one piece
  bool sector_checksums = false;  // of packed sectors
  bool enciphered = false;        // with its name
  bool key_depends_on_place = false;

  bool operator==(const storage&) const = default;
};

struct archive_shape {
  // What stands in front; none of it when nothing does, and the file begins with its archive.
  bool has_user_data = true;
  std::uint32_t user_data_room = usual_user_data_room;
  std::uint32_t archive_offset = usual_archive_offset;
  // A power of two from 1024 to 8 MiB.
  std::uint32_t sector_bytes = 4096;
  // Of the hash table, at least: it is a power of two and has a row more than there are members.
  std::uint32_t hash_rows = 16;
  bool listfile = true;
  // What "(attributes)" keeps of each member; without any of them there is no such member.
  bool crc32 = true;
  bool file_times = false;
  bool md5 = true;
  // How "(listfile)" and "(attributes)" lie.
  storage housekeeping = {};

  bool operator==(const archive_shape&) const = default;
};

}  // namespace tickreel::mpq
