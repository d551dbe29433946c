// The CSV of samp-rec-to-csv (github.com/WoutProvost/samp-rec-to-csv), in which existing edited recordings
// are stored. Its columns are identified by position, not by name:
//
//   #version,type[,hydra]        comments, skipped
//   1000,1,0                     type 1 in a vehicle, 2 on foot; hydra 1: the last column is two thruster angles
//   #time,vehicleId,leftRight,...
//   2000,7,0,0,8,...             a block: members in the order of the file, but weapon and additional key apart,
//                                and the animation's flags one by one
#pragma once

#include <bit>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "rec_text.hpp"

namespace tickreel::files {

struct foreign_csv {
  samp_rec::block_layout layout = samp_rec::block_layout::none;
  bool hydra = false;
};

// From the first line that is not a comment; empty if it is another CSV.
[[nodiscard]] inline std::optional<foreign_csv> foreign_header(
    std::span<const std::string_view> cells) noexcept {
  std::uint32_t version = 0, type = 0, hydra = 0;
  if (cells.size() < 2 || cells.size() > 3 || !parse_rec_number(cells[0], version) ||
      !parse_rec_number(cells[1], type) || version != samp_rec::file_header::samp_version) {
    return std::nullopt;
  }
  if (type == 2 && cells.size() == 2) return foreign_csv{samp_rec::block_layout::on_foot, false};
  if (type != 1 || cells.size() != 3 || !parse_rec_number(cells[2], hydra) || hydra > 1) return std::nullopt;
  return foreign_csv{samp_rec::block_layout::vehicle, hydra == 1};
}

// Parses a line's cells into a block. Returns the number of the first invalid or missing cell, counted from 1;
// 0 on success.
template <samp_rec::block_type Block>
[[nodiscard]] std::size_t foreign_block(std::span<const std::string_view> cells, bool hydra,
                                        Block& to) noexcept {
  std::size_t used = 0;
  bool fine = true;
  const auto take = [&](auto& number) {
    if (fine) fine = used < cells.size() && parse_rec_number(cells[used], number);
    if (fine) ++used;
  };
  const auto take_bits = [&](unsigned bits) {
    std::uint16_t value = 0;
    take(value);
    if (fine && value >> bits != 0) --used, fine = false;
    return static_cast<unsigned>(value);
  };
  each_rec_number(to, [&](std::string_view name, std::string_view, auto& number) {
    using number_type = std::remove_cvref_t<decltype(number)>;
    if (name == "weapon_and_key") {
      const unsigned weapon = take_bits(6);
      number = static_cast<number_type>(weapon | (take_bits(2) << 6));
    } else if (name == "animation_flags") {
      unsigned flags = take_bits(8);
      for (unsigned bit = 8; bit < 12; ++bit) flags |= take_bits(1) << bit;
      number = static_cast<number_type>(flags | (take_bits(4) << 12));
    } else if (name == "special" && hydra) {
      std::uint16_t first = 0, second = 0;
      take(first);
      take(second);
      number = static_cast<number_type>(first | std::uint32_t{second} << 16);
    } else if (name == "special") {
      float speed = 0;
      take(speed);
      number = static_cast<number_type>(std::bit_cast<std::uint32_t>(speed));
    } else {
      take(number);
    }
  });
  if (fine && used < cells.size()) fine = false;
  return fine ? 0 : used + 1;
}

}  // namespace tickreel::files
