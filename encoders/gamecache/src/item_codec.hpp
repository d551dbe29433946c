// One item of either layout, as bytes.
#pragma once

#include <cstddef>
#include <cstdint>

#include "tickreel/bytes/reader.hpp"
#include "tickreel/bytes/writer.hpp"
#include "tickreel/gamecache/file.hpp"

namespace tickreel::gamecache {

// Why a text or count cannot be written; static text, null if it can.
using refusal = const char*;

// The smallest sizes of an item: size, time, fields, age and an empty path; or size, empty path, time, empty
// name and the rest of the oldest form.
inline constexpr std::size_t least_flagged_item = 21;
inline constexpr std::size_t least_flat_item = 36;

// `version` is a normalised one.
result<void> read_flagged_item(byte_reader& in, std::uint32_t version, const limits& most, item& out);
[[nodiscard]] refusal refuse_flagged_item(const item& from, const write_options& options) noexcept;
[[nodiscard]] std::size_t flagged_item_size(const item& from, std::uint32_t version) noexcept;
void write_flagged_item(const item& from, std::uint32_t version, byte_writer& out) noexcept;

result<void> read_flat_item(byte_reader& in, const limits& most, item& out);
[[nodiscard]] refusal refuse_flat_item(const item& from, const write_options& options) noexcept;
[[nodiscard]] std::size_t flat_item_size(const item& from) noexcept;
void write_flat_item(const item& from, byte_writer& out) noexcept;

// The program's capacity, without the terminator.
inline constexpr std::size_t program_path_bytes = 511;
inline constexpr std::size_t program_name_units = 63;
inline constexpr std::size_t program_ratio_bytes = 15;
inline constexpr std::size_t program_mode_bytes = 31;
inline constexpr std::size_t program_players = 10;

// Like byte_reader::zero_terminated, but faster: these files are mostly text.
[[nodiscard]] inline std::string_view read_text(byte_reader& in, std::size_t limit) noexcept {
  const std::string_view rest = as_text(in.rest());
  const std::size_t end = rest.substr(0, limit + 1).find('\0');
  if (end == std::string_view::npos) {
    in.fail_with(rest.size() > limit ? error_code::over_limit : error_code::truncated);
    return {};
  }
  in.skip(end + 1);
  return rest.substr(0, end);
}

// Texts that would end early, or be read as another form.
[[nodiscard]] bool holds_zero(std::string_view text) noexcept;

}  // namespace tickreel::gamecache
