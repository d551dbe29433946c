// Mutates inputs that consist of parts: records of a file, members of an archive, frames of a chunk.
#pragma once

#include <utility>
#include <vector>

#include "mutator.hpp"

namespace tickreel::fuzz {

// The first parts are there once in every input, `Format::fixed_parts` of them. The others are items: an input has any number of
// them in any order.
using parts = std::vector<byte_vector>;

// Format has:
//   static constexpr std::size_t fixed_parts;
//   static std::optional<parts> split(byte_span input);
//   static std::optional<byte_vector> join(const parts& from);  // of any parts
//   static void mutate_part(byte_vector& part, random_source& random, bool fixed);
template <class Format>
struct parts_mutator {
  static void change(parts& of, random_source& random) {
    const std::size_t items = of.size() - Format::fixed_parts;
    const auto item = [&] { return Format::fixed_parts + below(random, items); };
    const auto place = [&](std::size_t at) { return of.begin() + static_cast<std::ptrdiff_t>(at); };
    const std::size_t what = items == 0 ? 0 : below(random, 12);
    if (what == 1) {
      of.erase(place(item()));
    } else if (what == 2) {
      const byte_vector copy = of[item()];
      of.insert(place(item()), copy);
    } else if (what == 3) {
      std::swap(of[item()], of[item()]);
    } else {
      const bool fixed = items == 0 || (Format::fixed_parts > 0 && below(random, 4) == 0);
      for (std::size_t count = 1 + below(random, 3); count > 0 && !of.empty(); --count) {
        Format::mutate_part(of[fixed ? below(random, Format::fixed_parts) : item()], random, fixed);
      }
    }
  }

  static std::optional<byte_vector> mutate(byte_span input, random_source& random) {
    auto of = Format::split(input);
    if (!of || of->size() < Format::fixed_parts || of->empty()) return std::nullopt;
    change(*of, random);
    return Format::join(*of);
  }

  // Some items of `other` within those of `one`.
  static std::optional<byte_vector> cross_over(byte_span one, byte_span other, random_source& random) {
    auto of = Format::split(one);
    const auto from = Format::split(other);
    if (!of || !from || of->size() < Format::fixed_parts || from->size() <= Format::fixed_parts) {
      return std::nullopt;
    }
    const std::size_t items = from->size() - Format::fixed_parts;
    const std::size_t first = below(random, items);
    const std::size_t count = 1 + below(random, items - first);
    const auto begin = from->begin() + static_cast<std::ptrdiff_t>(Format::fixed_parts + first);
    const std::size_t at = Format::fixed_parts + below(random, of->size() - Format::fixed_parts + 1);
    of->insert(of->begin() + static_cast<std::ptrdiff_t>(at), begin,
               begin + static_cast<std::ptrdiff_t>(count));
    return Format::join(*of);
  }

  static constexpr mutator value = {mutate, cross_over};
};

}  // namespace tickreel::fuzz
