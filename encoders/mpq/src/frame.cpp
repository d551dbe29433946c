// Archives of the fourth format (header of 208 bytes) keep MD5 sums of their header and tables:
//
//   offset  type      what follows the 32 bytes of the first format, little-endian
//   32      u64       place of a table for archives beyond 4 GB; 0 in smaller ones
//   40      u16 * 2   high bits of the places of the hash table and the block table
//   44      u64       size of the archive
//   52      u64 * 2   places of the BET table and the HET table; 0: there is none
//   68      u64 * 5   sizes: hash table, block table, table beyond 4 GB, HET table, BET table
//   108     u32       bytes of each MD5 sum in the archive's data; 0: there are none
//   112     16 * 6    MD5 of: block table, hash table, table beyond 4 GB, BET table, HET table, and of the
//                     header up to this last sum
// The second format ends at 44, the third at 68. All tables are summed as they are in the file.
#include "frame.hpp"

#include <algorithm>
#include <array>

#include "md5.hpp"
#include "tables.hpp"
#include "tickreel/bytes/reader.hpp"

namespace tickreel::mpq {

namespace {

// By the format's number.
constexpr std::array<std::uint32_t, 4> header_sizes = {archive_header_bytes, 44, 68, 208};
constexpr std::size_t summed_header_bytes = 192;

struct table_place {
  std::uint64_t offset = 0;  // in the archive
  std::uint64_t bytes = 0;
  const char* fault = "";
};

class frame_checker {
 public:
  frame_checker(byte_span archive, std::uint64_t archive_offset, std::vector<frame_fault>& faults)
      : archive_(archive), archive_offset_(archive_offset), faults_(&faults) {}

  void run() {
    byte_reader from(archive_);
    from.skip(4);
    const std::uint32_t header_bytes = from.u32();
    const std::uint32_t archive_bytes = from.u32();
    const std::uint16_t format = from.u16();
    from.skip(2);
    const std::uint32_t hash_offset = from.u32();
    const std::uint32_t block_offset = from.u32();
    const std::uint64_t hash_bytes = std::uint64_t{from.u32()} * table_row_bytes;
    const std::uint64_t block_bytes = std::uint64_t{from.u32()} * table_row_bytes;
    if (archive_bytes > archive_.size()) report(8, "the archive's header states more bytes than there are");
    if (format >= header_sizes.size() || header_sizes[format] != header_bytes ||
        header_bytes > archive_.size()) {
      return report(4, "the archive's header does not have the size of its format");
    }
    if (format >= 1) {
      const std::uint64_t table_beyond = from.u64();
      const std::uint32_t high_bits = from.u32();
      if (table_beyond != 0 || high_bits != 0) {
        report(32, "the archive's header names places beyond 4 GB");
      }
    }
    if (format < 3) return;
    from.skip(8);
    const std::uint64_t bet_offset = from.u64();
    const std::uint64_t het_offset = from.u64();
    from.skip(24);
    const std::uint64_t het_bytes = from.u64();
    const std::uint64_t bet_bytes = from.u64();
    from.skip(4);
    check_sum(from, {block_offset, block_bytes, "the block table does not have its checksum"});
    check_sum(from, {hash_offset, hash_bytes, "the hash table does not have its checksum"});
    (void)from.bytes(md5_digest{}.size());
    check_sum(from, {bet_offset, bet_bytes, "the BET table does not have its checksum"});
    check_sum(from, {het_offset, het_bytes, "the HET table does not have its checksum"});
    check_sum(from, {0, summed_header_bytes, "the archive's header does not have its checksum"});
  }

 private:
  void report(std::uint64_t offset, const char* what) {
    faults_->push_back({archive_offset_ + offset, what});
  }

  // A sum of zeros is none.
  void check_sum(byte_reader& from, const table_place& of) {
    const byte_span kept = from.bytes(md5_digest{}.size());
    const bool is_set = std::ranges::any_of(kept, [](std::byte each) { return each != std::byte{}; });
    if (!is_set || of.bytes == 0) return;
    const bool inside = of.offset <= archive_.size() && of.bytes <= archive_.size() - of.offset;
    if (inside) {
      const md5_digest sum =
          md5(archive_.subspan(static_cast<std::size_t>(of.offset), static_cast<std::size_t>(of.bytes)));
      if (std::ranges::equal(sum, kept)) return;
    }
    report(of.offset, of.fault);
  }

  byte_span archive_;
  std::uint64_t archive_offset_;
  std::vector<frame_fault>* faults_;
};

}  // namespace

std::vector<frame_fault> find_frame_faults(byte_span file, const file_prefix* prefix) {
  std::vector<frame_fault> out;
  const std::size_t archive_offset = prefix == nullptr ? 0 : prefix->archive_offset;
  if (prefix != nullptr) {
    if (prefix->user_data_room < prefix->user_data_bytes) {
      out.push_back({4, "the user data are larger than the room that is stated for them"});
    }
    const std::size_t begin = prefix_bytes + prefix->user_data_bytes;
    const byte_span padding = file.subspan(begin, archive_offset - begin);
    const auto odd = std::ranges::find_if(padding, [](std::byte each) { return each != std::byte{}; });
    if (odd != padding.end()) {
      out.push_back({begin + static_cast<std::size_t>(odd - padding.begin()),
                     "the bytes between the user data and the archive are not zero"});
    }
  }
  frame_checker(file.subspan(archive_offset), archive_offset, out).run();
  return out;
}

}  // namespace tickreel::mpq
