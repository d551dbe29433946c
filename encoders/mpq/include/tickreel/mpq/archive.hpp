// MPQ archives in memory: their members, the decompressed bytes, and how they are stored.
//
// Tickreel reads MPQ itself. StormLib does not terminate on some damaged bzip2 streams, opens files and not
// memory, and is not available for WebAssembly nor easily for Windows. The tests use it as a second implementation.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "tickreel/bytes/span.hpp"
#include "tickreel/mpq/storage.hpp"
#include "tickreel/result.hpp"

namespace tickreel::mpq {

// A reader's limits. Everything is compared with these, and with the file's size, before memory is allocated,
// because an archive's tables may contain any values.
struct limits {
  std::uint64_t file_bytes = 256u << 20;
  std::uint64_t member_bytes = 64u << 20;  // one member, decompressed
  std::uint64_t total_bytes = 256u << 20;  // all members together, decompressed
};

struct open_options {
  mpq::limits limits = {};
  // Member names to search in addition to the archive's list. Errors point to them, so they must have static
  // lifetime.
  std::span<const char* const> known_names = {};
};

struct member {
  std::string name;
  std::uint64_t bytes = 0;         // decompressed, as stated by the tables; see archive::read()
  std::uint64_t packed_bytes = 0;  // as stored in the file
  std::uint64_t offset = 0;        // of the packed bytes in the file
  std::uint32_t block = 0;         // its row in the archive's block table
};

// A contradiction in the archive's data outside of its members.
struct frame_fault {
  std::uint64_t offset = 0;  // in the file
  const char* what = "";     // a sentence
};

// Whether a member describes the archive: "(listfile)" and "(attributes)".
[[nodiscard]] bool is_housekeeping(std::string_view name) noexcept;

// An open archive, read only. Movable. One thread at a time; different archives may be used by different threads.
//
// Errors contain the file's offset, and as detail the name of the member if it is a known one, otherwise "a member
// of the archive".
//   bad_magic            no archive, or none at the offset in the file's first bytes
//   malformed            a table or a member is outside of the file, or overlaps another
//   over_limit           see limits
//   unsupported_codec    compressed with anything but zlib or bzip2, or encrypted with an unknown name
//   corrupt_compression  a member cannot be decompressed
class archive {
 public:
  // The whole file, which must outlive the archive.
  static result<archive> open(byte_span file, const open_options& options = {});
  // The same, owned by the archive.
  static result<archive> open(byte_vector&& file, const open_options& options = {});

  archive(archive&&) noexcept;
  archive& operator=(archive&&) noexcept;
  ~archive();

  // The bytes before the archive, see tickreel/mpq/user_data.hpp. Empty if the file begins with its archive.
  [[nodiscard]] byte_span user_data() const noexcept;
  [[nodiscard]] std::uint64_t file_bytes() const noexcept;

  // The members with names from the archive's list and the known ones, without "(listfile)" and
  // "(attributes)"; in the order of their offsets.
  [[nodiscard]] std::span<const member> members() const noexcept;
  // The number of members without a known name: they cannot be read, nor copied.
  [[nodiscard]] std::size_t nameless() const noexcept;
  // Names in the archive's hash table or list without a row of the block table, or with the row of another
  // name: the tables are damaged.
  [[nodiscard]] std::span<const std::string> lost() const noexcept;
  // Names that only the list contains, while all members have names: those members were removed.
  [[nodiscard]] std::span<const std::string> removed() const noexcept;
  // Entries of the hash table without a member, besides those of lost(): their names are unknown.
  [[nodiscard]] std::size_t broken_entries() const noexcept;
  // Faults outside of the members: bytes between the user data and the archive that are not zero, a header that
  // contradicts its format or the file, and MD5 sums of header and tables, which archives of the fourth format
  // have, that differ. The members may be readable.
  [[nodiscard]] std::span<const frame_fault> frame_faults() const noexcept;
  // Whether the archive's list of names is readable. Without it, lost members have no names.
  [[nodiscard]] bool has_list() const noexcept;
  // Includes "(listfile)" and "(attributes)". Null if there is none of that name.
  [[nodiscard]] const member* find(std::string_view name) const noexcept;

  // A member's decompressed bytes; not_found if there is none of that name. Tables of manipulated archives
  // contain false sizes: a member in one piece whose compressed stream is whole and has valid checksums is
  // returned, and may have another size than `member::bytes`.
  result<byte_vector> read(std::string_view name) const;
  // The same into reusable memory.
  result<void> read(std::string_view name, byte_vector& into) const;

  // For write_archive(): how a member of this archive is stored, and the archive's other data.
  [[nodiscard]] storage storage_of(const member& of) const;
  [[nodiscard]] archive_shape shape() const;

 private:
  struct state;
  explicit archive(std::unique_ptr<state> owned) noexcept;
  static result<archive> open(std::unique_ptr<state> made);
  std::unique_ptr<state> state_;
};

}  // namespace tickreel::mpq
