// The first byte selects whether the rest is a file, or records after a valid beginning.
#include "mcap.hpp"

namespace tickreel::fuzz {

namespace {

bool is_file(byte_span input) {
  return !input.empty() && std::to_integer<unsigned>(input[0]) % 2 == 0;
}

std::optional<byte_vector> after(std::byte first, std::optional<byte_vector> rest) {
  if (rest) rest->insert(rest->begin(), first);
  return rest;
}

std::optional<byte_vector> mutate_file(byte_span input, random_source& random) {
  if (!is_file(input)) return std::nullopt;
  return after(input[0], parts_mutator<mcap_format>::mutate(input.subspan(1), random));
}

std::optional<byte_vector> cross_over_files(byte_span one, byte_span other, random_source& random) {
  if (!is_file(one) || !is_file(other)) return std::nullopt;
  return after(one[0], parts_mutator<mcap_format>::cross_over(one.subspan(1), other.subspan(1), random));
}

}  // namespace

constexpr mutator program_mutator = {mutate_file, cross_over_files};

}  // namespace tickreel::fuzz
