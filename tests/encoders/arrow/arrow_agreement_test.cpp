// Random tables, read back by an independent reader.
#include <boost/test/unit_test.hpp>

#include "independent_reader.hpp"
#include "random_table.hpp"
#include "tickreel/arrow/file_writer.hpp"

BOOST_AUTO_TEST_SUITE(encoders_arrow_tests)
BOOST_AUTO_TEST_SUITE(agreement_test)

using namespace tickreel;

BOOST_AUTO_TEST_CASE(a_reader_finds_every_value, *test::with_apache_arrow) {
  auto random = test::seeded_random("random Arrow tables");
  const test::scratch_folder folder;
  const std::string file = folder / "t.arrow";
  for (int round = 0; round < 12; ++round) {
    const codec_id codec = round % 2 == 0 ? codec_id::none : codec_id::zstd;
    if (!is_available(codec)) continue;
    const test::random_table table =
        test::write_random_table<arrow::file_writer>(random, codec, {"Int64", "Float64", "Utf8"});
    test::write_file(file, table.file);
    const std::vector<std::string> found = test::read_arrow(file);
    BOOST_TEST_CONTEXT("round " << round) {
      BOOST_TEST_REQUIRE(found.size() == table.lines.size());
      for (std::size_t at = 0; at < found.size(); ++at) BOOST_TEST_REQUIRE(found[at] == table.lines[at]);
    }
  }
}

// More columns than a scan of a file has, with names that are no identifiers.
BOOST_AUTO_TEST_CASE(a_table_may_have_ten_thousand_columns, *test::with_apache_arrow) {
  const test::scratch_folder folder;
  const std::string file = folder / "t.arrow";
  std::vector<columns::column> described;
  std::vector<columns::column_values> values;
  std::string head;
  for (int at = 0; at < 10'000; ++at) {
    described.push_back({"\"' .\\" + std::to_string(at), columns::column_type::integer, "m/s²", "direction"});
    values.emplace_back(columns::column_type::integer);
    values.back().add(std::int64_t{at});
    head += (at == 0 ? "" : "\t") + described.back().name + ":Int64";
  }
  byte_vector out;
  auto writer = arrow::file_writer::create(described, {}, {.codec = codec_id::none}, out);
  BOOST_REQUIRE(writer);
  BOOST_REQUIRE(writer->add_group(values, out));
  BOOST_REQUIRE(writer->finish(out));
  test::write_file(file, out);
  const std::vector<std::string> found = test::read_arrow(file);
  BOOST_TEST_REQUIRE(found.size() == 3u + 20'000u);
  BOOST_TEST((found[1] == head));
  BOOST_TEST(found[2].starts_with("i:0\ti:1\t"));
  BOOST_TEST(found[2].ends_with("\ti:9999"));
  BOOST_TEST(found[3] == "\"' .\\0.tickreel.unit=m/s²");
  BOOST_TEST(found.back() == "\"' .\\9999.tickreel.meaning=direction");
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
