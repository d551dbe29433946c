// Converts blocks to bytes and back. Pure functions; every bit is preserved in both directions.
#pragma once

#include <concepts>

#include "tickreel/bytes/reader.hpp"
#include "tickreel/bytes/writer.hpp"
#include "tickreel/samp_rec/on_foot.hpp"
#include "tickreel/samp_rec/vehicle.hpp"

namespace tickreel::samp_rec {

// The blocks of current files.
template <class B>
concept block_type = std::same_as<B, vehicle_block> || std::same_as<B, on_foot_block>;

// Reads wire_bytes. Check from.ok() afterwards; any bytes are a block.
void read(byte_reader& from, vehicle_block& to) noexcept;
void read(byte_reader& from, on_foot_block& to) noexcept;
// Writes wire_bytes. Check to.ok() afterwards.
void write(byte_writer& to, const vehicle_block& from) noexcept;
void write(byte_writer& to, const on_foot_block& from) noexcept;

void write(byte_writer& to, const file_header& from) noexcept;

// True when both have the same bytes in a file.
[[nodiscard]] bool same_bits(const vehicle_block& a, const vehicle_block& b) noexcept;
[[nodiscard]] bool same_bits(const on_foot_block& a, const on_foot_block& b) noexcept;

// Position, rotation and velocity are finite. A reader in strict mode rejects other blocks.
[[nodiscard]] bool is_finite(const vehicle_block& block) noexcept;
[[nodiscard]] bool is_finite(const on_foot_block& block) noexcept;

}  // namespace tickreel::samp_rec
