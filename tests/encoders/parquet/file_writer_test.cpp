// The bytes of a Parquet file, and what is rejected because no reader could read it.
#include "tickreel/parquet/file_writer.hpp"

#include <boost/test/unit_test.hpp>
#include <string>

#include "hex.hpp"

BOOST_AUTO_TEST_SUITE(encoders_parquet_tests)
BOOST_AUTO_TEST_SUITE(file_writer_test)

namespace {

using namespace tickreel;
using columns::column_type;
using columns::column_values;

constexpr codec_options uncompressed{.codec = codec_id::none};

error_code code_of_create(std::vector<columns::column> columns, codec_options codec = uncompressed,
                          std::vector<columns::key_value> facts = {}) {
  byte_vector out;
  const auto made = parquet::file_writer::create(std::move(columns), std::move(facts), codec, out);
  BOOST_REQUIRE(!made);
  BOOST_TEST(out.empty());
  return made.error().code;
}

}  // namespace

BOOST_AUTO_TEST_CASE(the_bytes_of_a_small_file_are_known) {
  byte_vector out;
  auto writer = parquet::file_writer::create(
      {{"n", column_type::integer}, {"x", column_type::real}, {"t", column_type::text}}, {{"k", "v"}},
      uncompressed, out);
  BOOST_REQUIRE(writer);
  std::vector<column_values> values;
  for (const column_type each : {column_type::integer, column_type::real, column_type::text})
    values.emplace_back(each);
  values[0].add(std::int64_t{7});
  values[0].add(std::int64_t{-1});
  values[1].add_null();
  values[1].add(0.5);
  values[2].add_null();
  values[2].add_null();
  BOOST_REQUIRE(writer->add_group(values, out));
  BOOST_REQUIRE(writer->finish(out));
  BOOST_TEST(writer->rows() == 2u);
  // A page header and a page per column; the footer and its size.
  const std::string pages =
      "1500152c152c15b58fbbc1091c150415001506150600000200000004010700000000000000ffffffffffffffff150015"
      "1c151c15fcc0e7d0031c15041500150615060000020000000302000000000000e03f1500150c150c15a7e9c9f90c1c15"
      "041500150615060000020000000400";
  const std::string footer =
      "1502194c4806736368656d611506001504250218016e00150a250218017800150c250218017425004c1c000000160419"
      "1c193c26081c1504192500061918016e15001604165a165a26083c3600280807000000000000001808ffffffffffffff"
      "ff00000026621c150a192500061918017815001604164a164a26623c360200000026ac011c150c192500061918017415"
      "001604163a163a26ac013c360400000016de01160400191c18016b1801760018087469636b7265656c193c1c00001c00"
      "001c000000";
  BOOST_TEST(test::to_hex(out) == "50415231" + pages + footer + "c500000050415231");
}

BOOST_AUTO_TEST_CASE(a_table_without_rows_is_a_file) {
  byte_vector out;
  auto writer = parquet::file_writer::create({{"n", column_type::integer}}, {}, uncompressed, out);
  BOOST_REQUIRE(writer);
  const std::vector<column_values> none(1, column_values(column_type::integer));
  BOOST_REQUIRE(writer->add_group(none, out));
  BOOST_TEST(out.size() == parquet::magic.size());
  BOOST_REQUIRE(writer->finish(out));
  BOOST_TEST(as_text(out).substr(out.size() - 4) == parquet::magic);
}

BOOST_AUTO_TEST_CASE(columns_that_readers_reject_are_rejected) {
  BOOST_TEST((code_of_create({}) == error_code::invalid_argument));
  BOOST_TEST((code_of_create({{"", column_type::text}}) == error_code::invalid_argument));
  BOOST_TEST((code_of_create({{"\xFF", column_type::text}}) == error_code::invalid_argument));
  BOOST_TEST(
      (code_of_create({{"a", column_type::text}, {"a", column_type::real}}) == error_code::invalid_argument));
  BOOST_TEST(
      (code_of_create({{"a", column_type::text}}, {.codec = codec_id::lz4}) == error_code::invalid_argument));
  BOOST_TEST((code_of_create({{"a", column_type::text}}, uncompressed, {{"k", "\xFF"}}) ==
              error_code::invalid_argument));
}

BOOST_AUTO_TEST_CASE(values_that_readers_reject_are_rejected) {
  byte_vector out;
  auto writer = parquet::file_writer::create({{"a", column_type::text}, {"b", column_type::text}}, {},
                                             uncompressed, out);
  BOOST_REQUIRE(writer);
  std::vector<column_values> values(2, column_values(column_type::text));
  values[0].add_null();
  BOOST_TEST((writer->add_group(values, out).error().code ==
              error_code::invalid_argument));  // other numbers of rows
  values.pop_back();
  BOOST_TEST((writer->add_group(values, out).error().code == error_code::invalid_argument));  // a column less
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
