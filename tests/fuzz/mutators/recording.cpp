// Recordings of any format: the first mutator that can parse the input mutates it.
#include "archive.hpp"
#include "butter.hpp"
#include "capture.hpp"
#include "icrep.hpp"
#include "mcap.hpp"
#include "reel.hpp"
#include "tokens.hpp"

namespace tickreel::fuzz {

namespace {

// Those with magic bytes first. Every text has tokens, other bytes do not.
constexpr token_language lines_of_json;
constexpr mutator known[] = {
    parts_mutator<reel_format>::value,   parts_mutator<icrep_format>::value,
    parts_mutator<mcap_format>::value,   {mutate_archive, parts_mutator<archive_format>::cross_over},
    parts_mutator<butter_format>::value, parts_mutator<capture_format>::value};

bool is_text(byte_span input) {
  constexpr std::size_t looked_at = 64;
  const byte_span begin = input.first(std::min(input.size(), looked_at));
  return std::none_of(begin.begin(), begin.end(), [](std::byte each) { return each < std::byte{9}; });
}

std::optional<byte_vector> mutate_known(byte_span input, random_source& random) {
  if (is_text(input)) return tokens_mutator<lines_of_json>::mutate(input, random);
  for (const mutator& each : known) {
    if (auto made = each.mutate(input, random)) return made;
  }
  return std::nullopt;
}

std::optional<byte_vector> cross_over_known(byte_span one, byte_span other, random_source& random) {
  if (is_text(one) && is_text(other)) return tokens_mutator<lines_of_json>::cross_over(one, other, random);
  for (const mutator& each : known) {
    if (auto made = each.cross_over(one, other, random)) return made;
  }
  return std::nullopt;
}

}  // namespace

constexpr mutator program_mutator = {mutate_known, cross_over_known};

}  // namespace tickreel::fuzz
