// The bytes of an Arrow IPC file, and what is rejected because no reader could read it.
#include <boost/test/unit_test.hpp>

#include "flat_writer.hpp"
#include "hex.hpp"
#include "tickreel/arrow/file_writer.hpp"

BOOST_AUTO_TEST_SUITE(encoders_arrow_tests)
BOOST_AUTO_TEST_SUITE(arrow_writer_test)

namespace {

using namespace tickreel;
using columns::column_type;
using columns::column_values;

constexpr codec_options uncompressed{.codec = codec_id::none};

error_code code_of_create(std::vector<columns::column> all, codec_options codec = uncompressed) {
  byte_vector out;
  const auto made = arrow::file_writer::create(std::move(all), {}, codec, out);
  BOOST_REQUIRE(!made);
  BOOST_TEST(out.empty());
  return made.error().code;
}

}  // namespace

// A table of a u8 and of a text that follows it, by the rules of FlatBuffers.
BOOST_AUTO_TEST_CASE(the_bytes_of_a_flat_buffer_are_known) {
  arrow::flat_writer to;
  const auto text = to.text("ab");
  to.begin_table();
  to.member(2, std::uint8_t{7});
  to.member_at(0, text);
  byte_vector out;
  to.finish(to.end_table(), out);
  BOOST_TEST(test::to_hex(out) ==
             "140000000000000000000a000c00040000000b000a00000008000000000000070200000061620000");
}

BOOST_AUTO_TEST_CASE(the_bytes_of_a_small_file_are_known) {
  byte_vector out;
  auto writer = arrow::file_writer::create(
      {{"n", column_type::integer, "m"}, {"x", column_type::real}, {"t", column_type::text}}, {{"k", "v"}},
      uncompressed, out);
  BOOST_REQUIRE(writer);
  const std::size_t schema_bytes = out.size();
  std::vector<column_values> values;
  for (const column_type each : {column_type::integer, column_type::real, column_type::text})
    values.emplace_back(each);
  values[0].add(std::int64_t{7});
  values[0].add(std::int64_t{-1});
  values[1].add_null();
  values[1].add(0.5);
  BOOST_REQUIRE(values[2].add(std::string_view("abc")));
  values[2].add_null();
  BOOST_REQUIRE(writer->add_group(values, out));
  const std::size_t batch_end = out.size();
  BOOST_REQUIRE(writer->finish(out));
  BOOST_TEST(writer->rows() == 2u);
  const auto hex = [&](std::size_t begin, std::size_t end) {
    return test::to_hex(byte_span(out).subspan(begin, end - begin));
  };
  BOOST_TEST(hex(0, schema_bytes) ==
             "4152524f57310000ffffffff7801000014000000000000000c001a000600050008000c000c000000000104001c"
             "00000000000000000000000000000000000a000c000000080004000a0000000800000030000000010000000c00"
             "000008000c000800040008000000080000000c0000000100000076000000010000006b00000003000000940000"
             "0050000000140000001000140010000f000e000800000004001000000020000000180000000000050104000000"
             "01000000740000000400040004000000000000001000140010000f000e00080000000400100000002400000018"
             "000000000003010400000001000000780006000800060006000000000002000000000000001200180014001300"
             "12000c0000000800040012000000340000002c0000001c0000000000020104000000010000006e00000008000c"
             "000800070008000000000000014000000000000000010000000c00000008000c00080004000800000008000000"
             "0c000000010000006d0000000d0000007469636b7265656c2e756e6974000000");
  BOOST_TEST(hex(schema_bytes, batch_end) ==
             "fffffffff800000014000000000000000c0016000600050008000c000c00000000030400180000004800000000"
             "00000000000a0018000c00080004000a0000001400000088000000020000000000000000000000070000000000"
             "000000000000000000000000000000000000000000001000000000000000100000000000000001000000000000"
             "00180000000000000010000000000000002800000000000000010000000000000030000000000000000c000000"
             "000000004000000000000000030000000000000000000000030000000200000000000000000000000000000002"
             "000000000000000100000000000000020000000000000001000000000000000700000000000000ffffffffffff"
             "ffff02000000000000000000000000000000000000000000e03f01000000000000000000000003000000030000"
             "00000000006162630000000000");
  BOOST_TEST(hex(batch_end, out.size()) ==
             "ffffffff00000000100000000c001400060010000c0008000c0000000000040014000000080000003800000000"
             "00000000000000010000008801000000000000000100000000000048000000000000000000000000000a000c00"
             "0000080004000a0000000800000030000000010000000c00000008000c000800040008000000080000000c0000"
             "000100000076000000010000006b000000030000009400000050000000140000001000140010000f000e000800"
             "000004001000000020000000180000000000050104000000010000007400000004000400040000000000000010"
             "00140010000f000e00080000000400100000002400000018000000000003010400000001000000780006000800"
             "06000600000000000200000000000000120018001400130012000c0000000800040012000000340000002c0000"
             "001c0000000000020104000000010000006e00000008000c000800070008000000000000014000000000000000"
             "010000000c00000008000c000800040008000000080000000c000000010000006d0000000d0000007469636b72"
             "65656c2e756e6974000000980100004152524f5731");
}

BOOST_AUTO_TEST_CASE(a_table_without_rows_is_a_file) {
  byte_vector out;
  auto writer = arrow::file_writer::create({{"n", column_type::integer}}, {}, uncompressed, out);
  BOOST_REQUIRE(writer);
  const std::size_t before = out.size();
  const std::vector<column_values> none(1, column_values(column_type::integer));
  BOOST_REQUIRE(writer->add_group(none, out));
  BOOST_TEST(out.size() == before);
  BOOST_REQUIRE(writer->finish(out));
  BOOST_TEST(as_text(out).ends_with(arrow::magic));
}

BOOST_AUTO_TEST_CASE(tables_that_readers_reject_are_rejected) {
  BOOST_TEST((code_of_create({}) == error_code::invalid_argument));
  BOOST_TEST((code_of_create({{"a"}, {"a"}}) == error_code::invalid_argument));
  BOOST_TEST((code_of_create({{"a"}}, {.codec = codec_id::gzip}) == error_code::invalid_argument));
  BOOST_TEST((code_of_create({{"a"}}, {.codec = codec_id::lz4}) == error_code::invalid_argument));
  byte_vector out;
  auto writer = arrow::file_writer::create({{"a"}, {"b"}}, {}, uncompressed, out);
  BOOST_REQUIRE(writer);
  std::vector<column_values> values(2, column_values(column_type::text));
  values[0].add_null();
  BOOST_TEST((writer->add_group(values, out).error().code == error_code::invalid_argument));
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
