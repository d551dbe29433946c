// Random tables for property tests of their encoders.
#pragma once

#include <array>
#include <boost/test/unit_test.hpp>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "cells.hpp"
#include "random.hpp"
#include "tickreel/codec/codec.hpp"
#include "tickreel/columns/column_values.hpp"

namespace tickreel::test {

using generator = std::mt19937_64;

inline std::size_t below(generator& random, std::size_t limit) {
  return static_cast<std::size_t>(random() % limit);
}

inline std::int64_t random_integer(generator& random) {
  constexpr std::int64_t odd[] = {0,
                                  -1,
                                  1,
                                  (std::numeric_limits<std::int64_t>::min)(),
                                  (std::numeric_limits<std::int64_t>::max)(),
                                  std::int64_t{1} << 53};
  if (below(random, 3) == 0) return odd[below(random, std::size(odd))];
  return static_cast<std::int64_t>(random());
}

inline double random_real(generator& random) {
  constexpr double odd[] = {0.0,
                            -0.0,
                            std::numeric_limits<double>::infinity(),
                            -std::numeric_limits<double>::infinity(),
                            std::numeric_limits<double>::quiet_NaN(),
                            std::numeric_limits<double>::denorm_min(),
                            (std::numeric_limits<double>::max)()};
  if (below(random, 3) == 0) return odd[below(random, std::size(odd))];
  return static_cast<double>(static_cast<std::int64_t>(random())) / 1024;
}

inline std::string random_text(generator& random) {
  constexpr std::string_view parts[] = {
      "a", "Ω", "\xF0\x9F\x8E\xAE", "\t", "\n", std::string_view("\0", 1), "\"", "PAR1"};
  std::string out;
  for (std::size_t left = below(random, 12); left != 0; --left) out += parts[below(random, std::size(parts))];
  return out;
}

inline std::string add_random(generator& random, columns::column_values& to) {
  switch (to.type()) {
    case columns::column_type::integer: {
      const std::int64_t value = random_integer(random);
      to.add(value);
      return cell_of(value);
    }
    case columns::column_type::real: {
      const double value = random_real(random);
      to.add(value);
      return cell_of(value);
    }
    case columns::column_type::text:
      break;
  }
  const std::string value = random_text(random);
  BOOST_REQUIRE(to.add(std::string_view(value)));
  return cell_of(std::string_view(value));
}

// Names of the types integer, real and text, as a reader prints them.
using type_names = std::array<const char*, 3>;

struct random_table {
  byte_vector file;
  // What a reader prints: the number of groups, the columns, a line for each row, the facts.
  std::vector<std::string> lines;
};

// Names that need quotes somewhere, and one of no format's words.
inline std::string random_name(generator& random, std::size_t at) {
  constexpr std::string_view odd[] = {"a.b[", "\"", "'", "\\", " ", "\xF0\x9F\x8E\xAE", "schema", "ARROW1"};
  return std::string(odd[below(random, std::size(odd))]) + std::to_string(at);
}

template <class Writer>
random_table write_random_table(generator& random, codec_id codec, const type_names& types) {
  std::vector<columns::column> described;
  std::vector<columns::column_values> values;
  std::vector<std::size_t> null_percents;
  std::string head;
  const std::size_t width = 1 + below(random, 20);
  for (std::size_t at = 0; at < width; ++at) {
    const auto type = static_cast<columns::column_type>(below(random, 3));
    constexpr std::size_t percents[] = {0, 5, 50, 100};
    described.push_back({random_name(random, at), type});
    values.emplace_back(type);
    null_percents.push_back(percents[below(random, std::size(percents))]);
    head += (at == 0 ? "" : "\t") + described.back().name + ':' + types[static_cast<std::size_t>(type)];
  }
  random_table made;
  byte_vector& out = made.file;
  auto writer =
      Writer::create(std::move(described), {{"written by", "a test, \"Ω\""}}, {.codec = codec}, out);
  BOOST_REQUIRE(writer);
  std::vector<std::string>& expected = made.lines;
  std::size_t groups = 0;
  for (std::size_t group = below(random, 30); group != 0; --group) {
    for (columns::column_values& each : values) each.clear();
    const std::size_t rows = below(random, 4) == 0 ? below(random, 3) : below(random, 100);
    for (std::size_t row = 0; row < rows; ++row) {
      std::string line;
      for (std::size_t at = 0; at < width; ++at) {
        if (at != 0) line += '\t';
        if (below(random, 100) < null_percents[at]) {
          values[at].add_null();
          line += 'n';
        } else {
          line += add_random(random, values[at]);
        }
      }
      expected.push_back(line);
    }
    BOOST_REQUIRE(writer->add_group(values, out));
    if (rows != 0) ++groups;
  }
  expected.insert(expected.begin(), {std::to_string(groups), head});
  BOOST_REQUIRE(writer->finish(out));
  expected.emplace_back("written by=a test, \"Ω\"");
  return made;
}

}  // namespace tickreel::test
