// The first byte selects whether the rest is a file, a record of one of the two kinds, or a table.
#include "capture.hpp"

namespace tickreel::fuzz {

namespace {

std::optional<byte_vector> after(std::byte first, std::optional<byte_vector> rest) {
  if (rest) rest->insert(rest->begin(), first);
  return rest;
}

std::optional<byte_vector> mutate_selected(byte_span input, random_source& random) {
  if (input.empty()) return std::nullopt;
  const byte_span rest = input.subspan(1);
  switch (std::to_integer<unsigned>(input[0]) % 4) {
    case 0:
      return after(input[0], parts_mutator<capture_format>::mutate(rest, random));
    case 3:
      return std::nullopt;
    default:
      return after(input[0], mutate_message(rest, random));
  }
}

std::optional<byte_vector> cross_over_files(byte_span one, byte_span other, random_source& random) {
  const auto is_file = [](byte_span input) {
    return !input.empty() && std::to_integer<unsigned>(input[0]) % 4 == 0;
  };
  if (!is_file(one) || !is_file(other)) return std::nullopt;
  return after(one[0], parts_mutator<capture_format>::cross_over(one.subspan(1), other.subspan(1), random));
}

}  // namespace

constexpr mutator program_mutator = {mutate_selected, cross_over_files};

}  // namespace tickreel::fuzz
