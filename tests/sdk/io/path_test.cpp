#include "tickreel/io/path.hpp"

#include <boost/test/unit_test.hpp>
#include <sstream>

#include "scratch_folder.hpp"
#include "tickreel/io/file.hpp"
#include "tickreel/io/filesystem_path.hpp"
#include "tickreel/io/whole_file.hpp"
#include "tickreel/reel/reader.hpp"
#include "tickreel/reel/recover.hpp"

BOOST_AUTO_TEST_SUITE(sdk_io_tests)
BOOST_AUTO_TEST_SUITE(path_test)

namespace {

using namespace tickreel;
using namespace tickreel::test;

std::string taken(const file_path& path) {
  return path.utf8();
}

BOOST_AUTO_TEST_CASE(every_spelling_is_normalised) {
  const char* const name = "r\xC3\xA9sum\xC3\xA9.reel";
  BOOST_TEST(taken(name) == name);
  BOOST_TEST(taken(std::string(name)) == name);
  BOOST_TEST(taken(std::string_view(name)) == name);
  BOOST_TEST(taken(std::filesystem::path(u8"r\u00E9sum\u00E9.reel")) == name);
  BOOST_TEST(file_path(name) == file_path(std::filesystem::path(u8"r\u00E9sum\u00E9.reel")));
  BOOST_TEST(file_path().empty());
  std::ostringstream out;
  out << file_path(name);
  BOOST_TEST(out.str() == name);
}

BOOST_AUTO_TEST_CASE(conversion_is_reversible) {
  const std::filesystem::path path = std::filesystem::path("a folder") / u8"r\u00E9sum\u00E9.reel";
  BOOST_TEST(filesystem_path(path) == path);
}

#ifndef _WIN32
// Systems with byte paths have names that are not valid text.
BOOST_AUTO_TEST_CASE(bytes_are_unchanged) {
  const scratch_folder folder;
  const std::filesystem::path path = folder.path() / "\xFF\xFE.reel";
  auto made = file::create_new(path);
  BOOST_REQUIRE(made);
  BOOST_REQUIRE(made->append(as_bytes("x")));
  BOOST_REQUIRE(made->close());
  BOOST_TEST(std::filesystem::exists(path));
  BOOST_TEST(filesystem_path(file_path(path)) == path);
  BOOST_TEST(read_whole_file(path, 1).value().size() == 1u);
}
#endif

BOOST_AUTO_TEST_CASE(a_zero_byte_hides_nothing) {
  const scratch_folder folder;
  const std::string there = folder / "there";
  BOOST_REQUIRE(file::create_new(there));
  const file_path hidden = there + std::string("\0.reel", 6);
  const auto refused = [](const auto& outcome) {
    return !outcome && outcome.error().code == error_code::invalid_argument &&
           describe(outcome.error()).find("zero byte") != std::string::npos;
  };
  BOOST_TEST(refused(check_path(hidden)));
  BOOST_TEST(refused(file::open_for_reading(hidden)));
  BOOST_TEST(refused(file::open_for_appending(hidden)));
  BOOST_TEST(refused(file::create_new(hidden)));
  BOOST_TEST(refused(published_file::create(hidden, false)));
  BOOST_TEST(refused(published_file::create(hidden, true)));
  BOOST_TEST(refused(read_whole_file(hidden, 10)));
  BOOST_TEST(refused(reel::reader::open(hidden)));
  BOOST_TEST(refused(reel::recover_in_place(hidden)));
  BOOST_TEST((check_path("").error().code == error_code::invalid_argument));
  BOOST_TEST(check_path("x").has_value());
  BOOST_TEST(std::filesystem::file_size(there) == 0u);
}

}  // namespace

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
