// Blocks to bytes and back. Pure functions; every bit survives both ways.
#pragma once

#include <concepts>
#include <type_traits>

#include "tickreel/bytes/reader.hpp"
#include "tickreel/bytes/writer.hpp"
#include "tickreel/samp_rec/on_foot.hpp"
#include "tickreel/samp_rec/vehicle.hpp"

namespace tickreel::samp_rec {

// What a file of today consists of.
template <class B>
concept block_type = std::same_as<B, vehicle_block> || std::same_as<B, on_foot_block>;

// Reads wire_bytes. Ask from.ok() afterwards; any bytes are a block.
void read(byte_reader& from, vehicle_block& to) noexcept;
void read(byte_reader& from, on_foot_block& to) noexcept;
// Writes wire_bytes. Ask to.ok() afterwards.
void write(byte_writer& to, const vehicle_block& from) noexcept;
void write(byte_writer& to, const on_foot_block& from) noexcept;

void write(byte_writer& to, const file_header& from) noexcept;

// True when both have the same bytes in a file.
[[nodiscard]] bool same_bits(const vehicle_block& a, const vehicle_block& b) noexcept;
[[nodiscard]] bool same_bits(const on_foot_block& a, const on_foot_block& b) noexcept;

// Position, rotation and velocity hold numbers. A reader in strict mode refuses a block without.
[[nodiscard]] bool is_finite(const vehicle_block& block) noexcept;
[[nodiscard]] bool is_finite(const on_foot_block& block) noexcept;

}  // namespace tickreel::samp_rec
