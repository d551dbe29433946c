// Random tables, read back by an independent reader.
#include <boost/test/unit_test.hpp>

#include "independent_reader.hpp"
#include "random_table.hpp"
#include "tickreel/parquet/file_writer.hpp"

BOOST_AUTO_TEST_SUITE(encoders_parquet_tests)
BOOST_AUTO_TEST_SUITE(agreement_test)

using namespace tickreel;

BOOST_AUTO_TEST_CASE(a_reader_finds_every_value, *test::with_hyparquet) {
  auto random = test::seeded_random("random Parquet tables");
  const test::scratch_folder folder;
  const std::string file = folder / "t.parquet";
  for (int round = 0; round < 12; ++round) {
    constexpr codec_id codecs[] = {codec_id::none, codec_id::gzip, codec_id::zstd};
    const codec_id codec = codecs[round % 3];
    if (!is_available(codec)) continue;
    const test::random_table table =
        test::write_random_table<parquet::file_writer>(random, codec, {"INT64", "DOUBLE", "BYTE_ARRAY"});
    test::write_file(file, table.file);
    const std::vector<std::string> found = test::read_parquet(file);
    BOOST_TEST_CONTEXT("round " << round) {
      BOOST_TEST_REQUIRE(found.size() == table.lines.size());
      for (std::size_t at = 0; at < found.size(); ++at) BOOST_TEST_REQUIRE(found[at] == table.lines[at]);
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
