// The start and end of archives in files that are truncated or have trailing bytes.
#include "tickreel/zip/archive.hpp"

#include <boost/test/unit_test.hpp>
#include <string>

BOOST_AUTO_TEST_SUITE(encoders_zip_tests)
BOOST_AUTO_TEST_SUITE(archive_test)

namespace {

using namespace tickreel;

std::string little(std::uint64_t value, int bytes) {
  std::string out;
  for (int at = 0; at < bytes; ++at) out += static_cast<char>(value >> (8 * at) & 0xFF);
  return out;
}

// One stored entry named "a", and a comment.
std::string archive(const std::string& content, const std::string& comment = {}) {
  const std::string facts = little(0, 4) + little(0x12345678, 4) + little(content.size(), 4) +
                            little(content.size(), 4) + little(1, 2) + little(0, 2);
  const std::string local =
      "PK\x03\x04" + little(20, 2) + little(0, 2) + little(0, 2) + facts + "a" + content;
  const std::string directory = "PK\x01\x02" + little(20, 2) + little(20, 2) + little(0, 2) + little(0, 2) +
                                facts + little(0, 2) + little(0, 2) + little(0, 2) + little(0, 4) +
                                little(0, 4) + "a";
  return local + directory + "PK\x05\x06" + little(0, 4) + little(1, 2) + little(1, 2) +
         little(directory.size(), 4) + little(local.size(), 4) + little(comment.size(), 2) + comment;
}

std::optional<std::uint64_t> end_of(const std::string& file) {
  const byte_span bytes = as_bytes(file);
  const auto read = [&](std::uint64_t offset, std::size_t count) {
    if (offset >= bytes.size()) return byte_span{};
    const auto at = static_cast<std::size_t>(offset);
    return bytes.subspan(at, std::min(count, bytes.size() - at));
  };
  return zip::find_archive_end(read, bytes.size());
}

}  // namespace

BOOST_AUTO_TEST_CASE(the_end_is_found_with_any_trailing_bytes) {
  const std::string one = archive("content");
  BOOST_TEST((end_of(one) == one.size()));
  BOOST_TEST((end_of(one + "more") == one.size()));
  BOOST_TEST((end_of(one + std::string(100'000, 'x')) == one.size()));
  const std::string with_comment = archive("content", "a comment");
  BOOST_TEST((end_of(with_comment) == with_comment.size()));
  BOOST_TEST((end_of(with_comment + "more") == with_comment.size()));
}

BOOST_AUTO_TEST_CASE(of_two_equal_archives_the_first_end_is_found) {
  const std::string one = archive("first");
  BOOST_TEST((end_of(one + one) == one.size()));
  const std::string longer = one + archive("second, which is longer");
  BOOST_TEST((end_of(longer) == longer.size()));
}

BOOST_AUTO_TEST_CASE(a_file_without_end_record_has_no_end) {
  const std::string one = archive("content");
  for (std::size_t bytes = 0; bytes < one.size(); ++bytes) {
    BOOST_TEST_CONTEXT(bytes) {
      BOOST_TEST((!end_of(one.substr(0, bytes))));
    }
  }
  BOOST_TEST((!end_of("in front" + one)));
}

BOOST_AUTO_TEST_CASE(the_first_entry_is_read_without_the_directory) {
  const std::string one = archive("content");
  const auto entry = zip::read_first_entry(as_bytes(one));
  BOOST_REQUIRE(entry.has_value());
  BOOST_TEST(entry->name == "a");
  BOOST_TEST(entry->method == 0);
  BOOST_TEST(one.substr(static_cast<std::size_t>(entry->data_offset), 7) == "content");
  BOOST_REQUIRE(entry->content.has_value());
  BOOST_TEST(entry->content->stored_bytes == 7);
  BOOST_TEST(entry->content->crc32 == 0x12345678u);
  for (std::size_t bytes = 0; bytes < static_cast<std::size_t>(entry->data_offset); ++bytes) {
    BOOST_TEST((!zip::read_first_entry(as_bytes(one).first(bytes))));
  }
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
