// How members are stored in an archive, and the archive's other data: as read from one, or for one to be
// written.
#pragma once

#include <cstdint>

#include "tickreel/mpq/user_data.hpp"

namespace tickreel::mpq {

enum class packing : std::uint8_t { none, zlib, bzip2 };

struct storage {
  // Applied if it makes the content smaller; otherwise the content is stored.
  mpq::packing packing = mpq::packing::bzip2;
  bool in_sectors = false;        // otherwise in one piece
  bool sector_checksums = false;  // of compressed sectors
  bool enciphered = false;        // with its name
  bool key_depends_on_place = false;

  bool operator==(const storage&) const = default;
};

struct archive_shape {
  // Whether there is user data before the archive.
  bool has_user_data = true;
  std::uint32_t user_data_room = usual_user_data_room;
  std::uint32_t archive_offset = usual_archive_offset;
  // A power of two from 1024 to 8 MiB.
  std::uint32_t sector_bytes = 4096;
  // The minimum number of rows of the hash table: a power of two, with a row more than there are members.
  std::uint32_t hash_rows = 16;
  bool listfile = true;
  // The columns of "(attributes)"; without any there is no such member.
  bool crc32 = true;
  bool file_times = false;
  bool md5 = true;
  // How "(listfile)" and "(attributes)" are stored.
  storage housekeeping = {};

  bool operator==(const archive_shape&) const = default;
};

}  // namespace tickreel::mpq
