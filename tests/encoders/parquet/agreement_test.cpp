// Random tables, read back by an independent reader.
#include <array>
#include <boost/test/unit_test.hpp>
#include <limits>
#include <string>
#include <vector>

#include "independent_reader.hpp"
#include "random.hpp"
#include "tickreel/parquet/file_writer.hpp"

BOOST_AUTO_TEST_SUITE(encoders_parquet_tests)
BOOST_AUTO_TEST_SUITE(agreement_test)

namespace {

using namespace tickreel;
using parquet::column_type;
using parquet::column_values;
using generator = std::mt19937_64;

std::size_t below(generator& random, std::size_t limit) {
  return static_cast<std::size_t>(random() % limit);
}

std::int64_t random_integer(generator& random) {
  constexpr std::int64_t odd[] = {0,
                                  -1,
                                  1,
                                  (std::numeric_limits<std::int64_t>::min)(),
                                  (std::numeric_limits<std::int64_t>::max)(),
                                  std::int64_t{1} << 53};
  if (below(random, 3) == 0) return odd[below(random, std::size(odd))];
  return static_cast<std::int64_t>(random());
}

double random_real(generator& random) {
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

std::string random_text(generator& random) {
  constexpr std::string_view parts[] = {
      "a", "Ω", "\xF0\x9F\x8E\xAE", "\t", "\n", std::string_view("\0", 1), "\"", "PAR1"};
  std::string out;
  for (std::size_t left = below(random, 12); left != 0; --left) out += parts[below(random, std::size(parts))];
  return out;
}

std::string add_random(generator& random, column_values& to) {
  switch (to.type()) {
    case column_type::integer: {
      const std::int64_t value = random_integer(random);
      to.add(value);
      return test::cell_of(value);
    }
    case column_type::real: {
      const double value = random_real(random);
      to.add(value);
      return test::cell_of(value);
    }
    case column_type::text:
      break;
  }
  const std::string value = random_text(random);
  BOOST_REQUIRE(to.add(std::string_view(value)));
  return test::cell_of(std::string_view(value));
}

constexpr std::array<const char*, 3> type_names = {"INT64", "DOUBLE", "BYTE_ARRAY"};

// Writes a table to `file`; returns what the reader should print.
std::vector<std::string> write_table(generator& random, codec_id codec, const std::string& file) {
  std::vector<parquet::column> columns;
  std::vector<column_values> values;
  std::vector<std::size_t> null_percents;
  std::string head;
  const std::size_t width = 1 + below(random, 20);
  for (std::size_t at = 0; at < width; ++at) {
    const auto type = static_cast<column_type>(below(random, 3));
    constexpr std::size_t percents[] = {0, 5, 50, 100};
    columns.push_back({"a.b[" + std::to_string(at) + "]", type});
    values.emplace_back(type);
    null_percents.push_back(percents[below(random, std::size(percents))]);
    head += (at == 0 ? "" : "\t") + columns.back().name + ':' + type_names[static_cast<std::size_t>(type)];
  }
  byte_vector out;
  auto writer = parquet::file_writer::create(std::move(columns), {.codec = codec}, out);
  BOOST_REQUIRE(writer);
  std::vector<std::string> expected;
  std::size_t groups = 0;
  for (std::size_t group = below(random, 30); group != 0; --group) {
    for (column_values& each : values) each.clear();
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
  const parquet::key_value facts[] = {{"written by", "a test, \"Ω\""}};
  BOOST_REQUIRE(writer->finish(facts, out));
  expected.emplace_back("written by=a test, \"Ω\"");
  test::write_file(file, out);
  return expected;
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_reader_finds_every_value, *test::with_hyparquet) {
  auto random = test::seeded_random("random Parquet tables");
  const test::scratch_folder folder;
  const std::string file = folder / "t.parquet";
  for (int round = 0; round < 12; ++round) {
    constexpr codec_id codecs[] = {codec_id::none, codec_id::gzip, codec_id::zstd};
    const codec_id codec = codecs[round % 3];
    if (!is_available(codec)) continue;
    const std::vector<std::string> expected = write_table(random, codec, file);
    const std::vector<std::string> found = test::read_parquet(file);
    BOOST_TEST_CONTEXT("round " << round) {
      BOOST_TEST_REQUIRE(found.size() == expected.size());
      for (std::size_t at = 0; at < found.size(); ++at) BOOST_TEST_REQUIRE(found[at] == expected[at]);
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
