// The initial probabilities of a recipe's bits, of 65536: part of the format, like start_tables.hpp.
#pragma once

#include <cstdint>

namespace tickreel::tracks {

// As if this many bits had been coded.
inline constexpr std::uint16_t start_seen = 5;

// By the content of the column before, then by node; node 0 is none.
inline constexpr std::uint16_t start_content[4][4] = {{32768, 27734, 16974, 56284},
                                                      {32768, 23651, 30888, 64000},
                                                      {32768, 44898, 24835, 29180},
                                                      {32768, 61027, 25726, 64000}};
inline constexpr std::uint16_t start_same_mapping[2] = {25214, 37936};
// By node.
inline constexpr std::uint16_t start_mapping[16] = {32768, 39500, 6368,  1500,  2414,  14489, 6700,  32768,
                                                    3857,  33411, 11348, 38148, 20218, 1500,  32768, 32768};
inline constexpr std::uint16_t start_has_shift = 5486;
inline constexpr std::uint16_t start_has_exceptions = 2613;
// By relation, then by node; the same for each predictor before.
inline constexpr std::uint16_t start_predictor[9][8] = {
    {32768, 1500, 49404, 32768, 36721, 1500, 32768, 32768},
    {32768, 1500, 64000, 32768, 32768, 64000, 32768, 32768},
    {32768, 63893, 49152, 1500, 37449, 57826, 41077, 32768},
    {32768, 1500, 59851, 32768, 60362, 64000, 32768, 32768},
    {32768, 1500, 52245, 32768, 61082, 64000, 32768, 32768},
    {32768, 1500, 63022, 32768, 34696, 64000, 32768, 32768},
    {32768, 1500, 56371, 32768, 53620, 62939, 32768, 32768},
    {32768, 1500, 64000, 32768, 32768, 64000, 32768, 32768},
    {32768, 1500, 52245, 32768, 61082, 64000, 32768, 32768}};

}  // namespace tickreel::tracks
