#include "tickreel/io/whole_file.hpp"

#include <algorithm>
#include <boost/test/unit_test.hpp>

#include "file_bytes.hpp"
#include "scratch_folder.hpp"

BOOST_AUTO_TEST_SUITE(sdk_io_tests)
BOOST_AUTO_TEST_SUITE(whole_file_test)

namespace {

using namespace tickreel;
using namespace tickreel::test;

// Reports a size larger than its readable bytes, and optionally refuses reads.
class odd_system final : public system_calls {
 public:
  std::int64_t size(std::int64_t handle) override { return system_calls::size(handle) + more; }
  std::int64_t read_at(std::int64_t handle, mutable_byte_span into, std::uint64_t offset) override {
    return broken ? -5
                  : system_calls::read_at(handle, into.first(std::min<std::size_t>(into.size(), 3)), offset);
  }
  std::int64_t more = 0;
  bool broken = false;
};

BOOST_AUTO_TEST_CASE(reads_everything_up_to_the_limit) {
  const scratch_folder folder;
  const std::string path = folder / "a";
  write_file(path, as_bytes("0123456789"));
  BOOST_TEST(as_text(read_whole_file(path, 10).value()) == "0123456789");
  const auto refused = read_whole_file(path, 9);
  BOOST_REQUIRE(!refused);
  BOOST_TEST((refused.error().code == error_code::over_limit));
  BOOST_TEST(describe(refused.error()).find("larger than 9 bytes") != std::string::npos);
  BOOST_TEST((read_whole_file(folder / "none", 9).error().code == error_code::not_found));
  write_file(path, {});
  BOOST_TEST(read_whole_file(path, 0).value().empty());
}

BOOST_AUTO_TEST_CASE(short_reads_shrinking_files_and_errors) {
  const scratch_folder folder;
  const std::string path = folder / "a";
  write_file(path, as_bytes("0123456789"));
  odd_system calls;
  BOOST_TEST(as_text(read_whole_file(path, 100, calls).value()) == "0123456789");
  calls.more = 5;
  BOOST_TEST(as_text(read_whole_file(path, 100, calls).value()) == "0123456789");
  calls.broken = true;
  BOOST_TEST((read_whole_file(path, 100, calls).error().code == error_code::io_failed));
}

}  // namespace

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
