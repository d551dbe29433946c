// Archives of every shape that the writer supports.
#pragma once

#include <random>
#include <string>
#include <vector>

#include "tickreel/mpq/write_archive.hpp"

namespace tickreel::test {

// Noise, text, runs, and sometimes bytes that look compressed.
inline byte_vector some_content(std::mt19937_64& random, std::size_t limit) {
  byte_vector out(random() % (limit + 1));
  const std::uint64_t kind = random() % 4;
  for (std::size_t at = 0; at < out.size(); ++at) {
    const std::uint64_t noise = random();
    out[at] = static_cast<std::byte>(kind == 0 ? noise : kind == 1 ? noise % 7 : kind == 2 ? at / 97 : 0);
  }
  if (!out.empty() && random() % 4 == 0) out.front() = random() % 2 == 0 ? std::byte{0x02} : std::byte{0x10};
  return out;
}

inline mpq::storage some_storage(std::mt19937_64& random) {
  mpq::storage out;
  out.packing = static_cast<mpq::packing>(random() % 3);
  out.in_sectors = random() % 2 == 0;
  // Only present for compressed sectors.
  out.sector_checksums = out.in_sectors && out.packing != mpq::packing::none && random() % 2 == 0;
  out.enciphered = random() % 3 == 0;
  out.key_depends_on_place = out.enciphered && random() % 2 == 0;
  return out;
}

inline mpq::archive_shape some_shape(std::mt19937_64& random) {
  mpq::archive_shape out;
  out.has_user_data = random() % 4 != 0;
  if (out.has_user_data) {
    out.user_data_room = 100 + static_cast<std::uint32_t>(random() % 1000);
    out.archive_offset = out.user_data_room + 16 + static_cast<std::uint32_t>(random() % 1000);
  }
  out.sector_bytes = 1024u << random() % 6;
  out.hash_rows = static_cast<std::uint32_t>(random() % 100);
  out.crc32 = random() % 4 != 0;
  out.file_times = random() % 2 == 0;
  out.md5 = random() % 2 == 0;
  out.housekeeping = some_storage(random);
  return out;
}

inline std::vector<mpq::new_member> some_members(std::mt19937_64& random, std::size_t limit) {
  std::vector<mpq::new_member> out(1 + random() % 20);
  for (std::size_t i = 0; i < out.size(); ++i) {
    out[i].name = std::string(random() % 30, 'n') + (random() % 4 == 0 ? "\\" : ".") + std::to_string(i);
    out[i].bytes = some_content(random, limit);
    out[i].storage = some_storage(random);
    out[i].file_time = random();
  }
  return out;
}

}  // namespace tickreel::test
