// The archive inside a .SC2Replay file: which members it has, and their unpacked bytes.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "tickreel/bytes/span.hpp"
#include "tickreel/result.hpp"

namespace tickreel::sc2 {

// What a file may ask for. Everything is compared with these, and with the file's own size, before memory is
// taken: an archive's tables can say anything.
struct archive_limits {
  std::uint64_t file_bytes = 256u << 20;
  std::uint64_t member_bytes = 64u << 20;  // one member, unpacked
  std::uint64_t total_bytes = 256u << 20;  // all members together, unpacked
};

struct member {
  std::string name;
  std::uint64_t bytes = 0;         // unpacked, as the tables say; see archive::read()
  std::uint64_t packed_bytes = 0;  // as it lies in the file
  std::uint64_t offset = 0;        // of the packed bytes in the file
  std::uint32_t block = 0;         // its row in the archive's block table
  std::uint32_t flags = 0;         // of that row
};

// An open replay file, read only. Moves. One thread at a time; different archives on different threads do not
// disturb each other.
//
// Errors carry the file's offset, and as detail what was being read: the member's name where it is one of the
// game's own, else "a member of the archive".
//   bad_magic            no archive, or none where the file's first bytes point to
//   malformed            a table or a member lies outside the file, or twice in it
//   over_limit           see archive_limits
//   unsupported_codec    packed with anything else than zlib or bzip2, or encrypted by an unknown name
//   corrupt_compression  a member cannot be unpacked
class archive {
 public:
  static result<archive> open(const std::filesystem::path& path, const archive_limits& limits = {});
  // The whole file in memory; not needed any more once this returns.
  static result<archive> open(byte_span file, const archive_limits& limits = {});
  // The same without a copy.
  static result<archive> open(byte_vector&& file, const archive_limits& limits = {});

  archive(archive&&) noexcept;
  archive& operator=(archive&&) noexcept;
  ~archive();

  // The replay header that stands in front of the archive, see tickreel/sc2replay/header.hpp. Empty when the
  // file begins with its archive.
  [[nodiscard]] byte_span header_bytes() const noexcept;
  [[nodiscard]] std::uint64_t file_bytes() const noexcept;

  // Those named by the archive's own list and the game's known ones, without the archive's housekeeping
  // "(listfile)" and "(attributes)"; in the order of their places in the file.
  [[nodiscard]] std::span<const member> members() const noexcept;
  // Also for the housekeeping ones. Null when there is none of that name.
  [[nodiscard]] const member* find(std::string_view name) const noexcept;

  // A member's unpacked bytes; not_found when there is none of that name. Tables of tampered archives lie
  // about sizes: a member in one piece whose packed stream is whole and has its own checksums is given as it
  // is, and may then have another size than `member::bytes`.
  result<byte_vector> read(std::string_view name) const;
  // The same into memory that can be used again.
  result<void> read(std::string_view name, byte_vector& into) const;

 private:
  struct state;
  explicit archive(std::unique_ptr<state> owned) noexcept;
  std::unique_ptr<state> state_;
};

}  // namespace tickreel::sc2
