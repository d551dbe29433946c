// Containers: records in zstd frames and without compression, the seek table, cuts and damage.
#include "tickreel/tape/container.hpp"

#include <algorithm>
#include <boost/test/unit_test.hpp>

#include "tickreel/codec/codec.hpp"
#include "tickreel/tape/wire.hpp"

BOOST_AUTO_TEST_SUITE(encoders_tape_tests)
BOOST_AUTO_TEST_SUITE(container_test)

namespace {

using namespace tickreel;

tape::read_function reads_of(byte_span file) {
  return [file](std::uint64_t offset, std::size_t count) -> result<byte_span> {
    if (offset >= file.size()) return byte_span{};
    const byte_span rest = file.subspan(static_cast<std::size_t>(offset));
    return rest.first(std::min(count, rest.size()));
  };
}

byte_vector records(std::initializer_list<std::string_view> texts) {
  byte_vector out;
  tape::message_writer to(out);
  for (const std::string_view each : texts) {
    const std::size_t begin = to.begin_record();
    out.insert(out.end(), as_bytes(each).begin(), as_bytes(each).end());
    to.end(begin);
  }
  return out;
}

// One zstd frame for each list, and the table if wanted.
byte_vector blocks(const std::vector<byte_vector>& contents, bool with_table) {
  auto packer = compressor::create({.codec = codec_id::zstd});
  BOOST_REQUIRE(packer);
  byte_vector out;
  std::vector<tape::block_sizes> sizes;
  for (const byte_vector& each : contents) {
    byte_vector packed;
    BOOST_REQUIRE(packer->compress(each, packed));
    sizes.push_back({static_cast<std::uint32_t>(packed.size()), static_cast<std::uint32_t>(each.size())});
    out.insert(out.end(), packed.begin(), packed.end());
  }
  if (with_table) tape::append_seek_table(sizes, out);
  return out;
}

struct content {
  std::vector<std::string> records;
  std::optional<error> problem;
  std::vector<bool> begins;
};
content read_all(byte_span file) {
  content out;
  auto reader = tape::record_reader::open(reads_of(file), file.size());
  BOOST_REQUIRE(reader);
  for (;;) {
    byte_span record;
    const auto more = reader->next(record);
    if (!more) out.problem = more.error();
    if (!more || !*more) return out;
    out.records.emplace_back(as_text(record));
    out.begins.push_back(reader->begins_block());
  }
}

}  // namespace

BOOST_AUTO_TEST_CASE(records_are_read_in_every_wrapping) {
  const std::vector<std::string> want = {"head", "one", "two", "end"};
  const byte_vector all = records({"head", "one", "two", "end"});
  BOOST_TEST(read_all(all).records == want);
  BOOST_TEST(read_all(blocks({all}, false)).records == want);
  const content in_blocks =
      read_all(blocks({records({"head"}), records({"one", "two"}), records({"end"})}, true));
  BOOST_TEST(in_blocks.records == want);
  BOOST_TEST((in_blocks.begins == std::vector{true, true, false, true}));
  BOOST_TEST(!in_blocks.problem.has_value());
}

BOOST_AUTO_TEST_CASE(a_large_stream_is_read_in_steps) {
  // More than what is verified before its records are returned.
  byte_vector all;
  const std::string text(1u << 20, 'x');
  for (int i = 0; i < 20; ++i) {
    const byte_vector one = records({text});
    all.insert(all.end(), one.begin(), one.end());
  }
  const content read = read_all(blocks({all}, false));
  BOOST_TEST(read.records.size() == 20u);
  BOOST_TEST(read.records.back().size() == text.size());
  BOOST_TEST(!read.problem.has_value());
}

BOOST_AUTO_TEST_CASE(a_file_cut_at_any_byte_gives_its_whole_records) {
  const byte_vector plain = records({"head", "one", "two", "end"});
  const byte_vector packed = blocks({records({"head"}), records({"one", "two"}), records({"end"})}, true);
  for (const byte_vector* file : {&plain, &packed}) {
    std::size_t most = 0;
    for (std::size_t size = 4; size < file->size(); ++size) {
      const content read = read_all(byte_span(*file).first(size));
      BOOST_TEST(read.records.size() >= most);
      most = std::max(most, read.records.size());
      if (read.problem) BOOST_TEST((read.problem->code == error_code::truncated), "cut at " << size);
    }
    BOOST_TEST(most >= 3u);
  }
}

BOOST_AUTO_TEST_CASE(nothing_of_a_damaged_block_is_returned) {
  const byte_vector head = records({"head"});
  byte_vector file = blocks({head, records({"one", "two"})}, false);
  file.back() ^= std::byte{1};  // in the checksum
  const content read = read_all(file);
  BOOST_TEST(read.records == std::vector<std::string>{"head"});
  BOOST_REQUIRE(read.problem.has_value());
  BOOST_TEST((read.problem->code == error_code::checksum_mismatch));
  BOOST_TEST(read.problem->offset == blocks({head}, false).size());
}

BOOST_AUTO_TEST_CASE(reading_resumes_at_an_entry) {
  const std::vector<std::string> texts = {"head", "one", "two", "three", "four", "end"};
  const byte_vector plain = records({"head", "one", "two", "three", "four", "end"});
  const byte_vector in_blocks = blocks(
      {records({"head"}), records({"one", "two"}), records({"three", "four"}), records({"end"})}, true);
  for (const byte_vector& file : {plain, in_blocks}) {
    const bool is_plain = file == plain;
    auto reader = tape::record_reader::open(reads_of(file), file.size());
    BOOST_REQUIRE(reader);
    auto table = tape::read_seek_table(reads_of(file), file.size());
    BOOST_REQUIRE(table);
    reader->check_sizes(std::move(*table));
    std::vector<std::optional<tape::record_reader::entry>> entries;
    byte_span record;
    while (reader->next(record).value()) entries.push_back(reader->last_entry());
    BOOST_REQUIRE(entries.size() == texts.size());
    for (std::size_t from = texts.size(); from-- > 0;) {
      BOOST_TEST(entries[from].has_value() == (is_plain || (from != 2 && from != 4)));
      if (!entries[from]) continue;
      reader->seek(*entries[from]);
      for (std::size_t i = from; i < texts.size(); ++i) {
        BOOST_REQUIRE(reader->next(record).value());
        BOOST_TEST(as_text(record) == texts[i]);
      }
      BOOST_TEST(!reader->next(record).value());
      BOOST_TEST(!reader->sizes_are_wrong());
    }
  }
}

BOOST_AUTO_TEST_CASE(lengths_beyond_the_limit_are_rejected) {
  byte_vector lies;
  tape::message_writer(lies).varint(std::uint64_t{256} << 20);
  const content read = read_all(lies);
  BOOST_REQUIRE(read.problem.has_value());
  BOOST_TEST((read.problem->code == error_code::over_limit));
  const byte_vector endless(20, std::byte{0xFF});
  BOOST_TEST((read_all(endless).problem->code == error_code::malformed));
}

BOOST_AUTO_TEST_CASE(a_seek_table_is_checked) {
  const byte_vector file = blocks({records({"head"}), records({"one"})}, true);
  const auto table = tape::read_seek_table(reads_of(file), file.size());
  BOOST_REQUIRE(table);
  BOOST_TEST(table->size() == 2u);
  const byte_vector without = blocks({records({"head"})}, false);
  BOOST_TEST(tape::read_seek_table(reads_of(without), without.size())->empty());
  // Every byte of the table matters, except the decoded sizes, which are compared while reading.
  const std::size_t begin = file.size() - (8 + 2 * 8 + 9);
  for (std::size_t at = begin; at < file.size(); ++at) {
    byte_vector wrong = file;
    wrong[at] ^= std::byte{0x40};
    const auto read = tape::read_seek_table(reads_of(wrong), wrong.size());
    auto reader = tape::record_reader::open(reads_of(wrong), wrong.size());
    BOOST_REQUIRE(reader);
    bool is_found = !read || read->empty();
    if (read && !read->empty()) {
      reader->check_sizes(*read);
      byte_span record;
      for (auto more = reader->next(record); more && *more; more = reader->next(record)) {}
      is_found = reader->sizes_are_wrong();
    }
    BOOST_TEST(is_found, "byte " << at - begin);
  }
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
