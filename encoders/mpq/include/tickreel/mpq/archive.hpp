// MPQ archives in memory: which members there are, their unpacked bytes, and how they lie.
//
// Tickreel reads MPQ itself. StormLib never comes back from some damaged bzip2 streams, opens files and not
// memory, and is not built for WebAssembly nor easily for Windows. The tests ask it for a second opinion.
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

// What a file may ask for. Everything is compared with these, and with the file's own size, before memory is
// taken: an archive's tables can say anything.
struct limits {
  std::uint64_t file_bytes = 256u << 20;
  std::uint64_t member_bytes = 64u << 20;  // one member, unpacked
  std::uint64_t total_bytes = 256u << 20;  // all members together, unpacked
};

struct open_options {
  mpq::limits limits = {};
  // To look for besides those in the archive's own list. Errors point into them, so they stay as long as the
  // program runs.
  std::span<const char* const> known_names = {};
};

struct member {
  std::string name;
  std::uint64_t bytes = 0;         // unpacked, as the tables say; see archive::read()
  std::uint64_t packed_bytes = 0;  // as it lies in the file
  std::uint64_t offset = 0;        // of the packed bytes in the file
  std::uint32_t block = 0;         // its row in the archive's block table
};

// A contradiction in what the archive has around its members.
struct frame_fault {
  std::uint64_t offset = 0;  // in the file
  const char* what = "";     // a sentence
};

// Whether a member describes the archive itself: "(listfile)" and "(attributes)".
[[nodiscard]] bool is_housekeeping(std::string_view name) noexcept;

// An open archive, read only. Moves. One thread at a time; different archives on different threads do not
// disturb each other.
//
// Errors carry the file's offset, and as detail what was being read: the member's name where it is a known
// one, else "a member of the archive".
//   bad_magic            no archive, or none where the file's first bytes point to
//   malformed            a table or a member lies outside the file, or twice in it
//   over_limit           see limits
//   unsupported_codec    packed with anything else than zlib or bzip2, or encrypted by an unknown name
//   corrupt_compression  a member cannot be unpacked
class archive {
 public:
  // The whole file, which must outlive the archive.
  static result<archive> open(byte_span file, const open_options& options = {});
  // The same, kept by the archive.
  static result<archive> open(byte_vector&& file, const open_options& options = {});

  archive(archive&&) noexcept;
  archive& operator=(archive&&) noexcept;
  ~archive();

  // What stands in front of the archive, see tickreel/mpq/user_data.hpp. Empty when the file begins with its
  // archive.
  [[nodiscard]] byte_span user_data() const noexcept;
  [[nodiscard]] std::uint64_t file_bytes() const noexcept;

  // Those named by the archive's own list and the known ones, without the archive's housekeeping "(listfile)"
  // and "(attributes)"; in the order of their places in the file.
  [[nodiscard]] std::span<const member> members() const noexcept;
  // Members that are there, and that nobody names: they cannot be read, nor kept when the archive is written
  // anew.
  [[nodiscard]] std::size_t nameless() const noexcept;
  // Names that the archive's hash table or list has and that lead to no row of the block table, or to one
  // that another name has, too: its tables are damaged.
  [[nodiscard]] std::span<const std::string> lost() const noexcept;
  // Names that the list alone has, while no member is without a name: those members were taken out.
  [[nodiscard]] std::span<const std::string> removed() const noexcept;
  // Entries of the hash table that lead to no member, beside those of lost(): their names are unknown.
  [[nodiscard]] std::size_t broken_entries() const noexcept;
  // What is wrong around the members: bytes between the user data and the archive that are not zero, a header
  // that contradicts its format or the file, and a header or tables without the MD5 sum that archives of the
  // fourth format keep of them. Members may be readable all the same.
  [[nodiscard]] std::span<const frame_fault> frame_faults() const noexcept;
  // Whether the archive's own list of names could be read. Without it, what is lost has no name.
  [[nodiscard]] bool has_list() const noexcept;
  // Also for the housekeeping ones. Null when there is none of that name.
  [[nodiscard]] const member* find(std::string_view name) const noexcept;

  // A member's unpacked bytes; not_found when there is none of that name. Tables of tampered archives lie
  // about sizes: a member in one piece whose packed stream is whole and has its own checksums is given as it
  // is, and may then have another size than `member::bytes`.
  result<byte_vector> read(std::string_view name) const;
  // The same into memory that can be used again.
  result<void> read(std::string_view name, byte_vector& into) const;

  // For write_archive(): how a member of this archive lies in it, and what the archive has around its
  // members.
  [[nodiscard]] storage storage_of(const member& of) const;
  [[nodiscard]] archive_shape shape() const;

 private:
  struct state;
  explicit archive(std::unique_ptr<state> owned) noexcept;
  static result<archive> open(std::unique_ptr<state> made);
  std::unique_ptr<state> state_;
};

}  // namespace tickreel::mpq
