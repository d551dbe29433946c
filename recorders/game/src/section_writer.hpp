// Appends the sections of an .icrep to a file, within its capacity.
#pragma once

#include <cstdint>

#include "match_layout.hpp"
#include "tickreel/icrep/header.hpp"

namespace tickreel::game {

class section_writer {
 public:
  // `to` must outlive it.
  explicit section_writer(layout_target& to) noexcept : to_(to) {}

  [[nodiscard]] std::uint64_t bytes() const noexcept { return bytes_; }

  result<void> append(byte_span bytes) {
    if (bytes.empty()) return {};
    if (auto room = check_room(bytes.size(), bytes_); !room) return room;
    if (auto done = to_.append(bytes); !done) return done;
    bytes_ += bytes.size();
    return {};
  }
  // over_limit, with this offset, if the file has no room for so many bytes.
  [[nodiscard]] result<void> check_room(std::uint64_t bytes, std::uint64_t offset) const {
    if (bytes_ + bytes <= to_.max_bytes()) return {};
    if (to_.max_bytes() == UINT32_MAX) {
      return fail(error_code::over_limit, offset, "the file would exceed 4 GiB");
    }
    return fail(error_code::over_limit, offset,
                "in memory the match would exceed {} bytes: convert it to an .icrep",
                static_cast<std::int64_t>(to_.max_bytes()));
  }
  // Writes the collected bytes and clears them.
  result<void> flush(byte_vector& blocks) {
    auto done = append(blocks);
    blocks.clear();
    return done;
  }
  // The section from `begin` to here.
  void place(icrep::section& section, std::uint64_t begin) const noexcept {
    if (bytes_ == begin) return;
    section = {static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(bytes_ - begin)};
  }
  result<void> whole(byte_span bytes, icrep::section& section) {
    const std::uint64_t begin = bytes_;
    if (auto done = append(bytes); !done) return done;
    place(section, begin);
    return {};
  }
  // Ends a section of blocks that began at `begin`.
  result<void> finish_section(auto& writer, byte_vector& blocks, icrep::section& section,
                              std::uint64_t begin) {
    auto done = writer.finish(blocks);
    if (done) done = flush(blocks);
    if (done) place(section, begin);
    return done;
  }
  result<void> overwrite(byte_span bytes, std::uint64_t offset) { return to_.overwrite(bytes, offset); }

 private:
  layout_target& to_;
  std::uint64_t bytes_ = 0;
};

}  // namespace tickreel::game
