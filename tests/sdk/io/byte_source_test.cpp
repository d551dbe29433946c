// Remote bytes whose source claims more than it has.
#include "tickreel/io/byte_source.hpp"

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <limits>

BOOST_AUTO_TEST_SUITE(sdk_io_tests)
BOOST_AUTO_TEST_SUITE(byte_source_test)

namespace {

using namespace tickreel;

// Has `there` bytes, each the low byte of its offset, and claims any size.
class far_bytes final : public distant_bytes {
 public:
  far_bytes(std::uint64_t there, std::uint64_t claimed) : there_(there), claimed_(claimed) {}
  [[nodiscard]] std::uint64_t size() const noexcept override { return claimed_; }
  result<std::size_t> read_at(mutable_byte_span into, std::uint64_t offset) override {
    largest_request = std::max(largest_request, into.size());
    const std::uint64_t count = offset < there_ ? std::min<std::uint64_t>(into.size(), there_ - offset) : 0;
    for (std::size_t i = 0; i < count; ++i) into[i] = static_cast<std::byte>(offset + i);
    return static_cast<std::size_t>(count);
  }
  std::size_t largest_request = 0;

 private:
  std::uint64_t there_;
  std::uint64_t claimed_;
};

constexpr std::uint64_t no_limit = std::numeric_limits<std::uint64_t>::max();
constexpr std::uint64_t MiB = std::uint64_t{1} << 20;

bool is_right(byte_span bytes, std::uint64_t offset) {
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    if (bytes[i] != static_cast<std::byte>(offset + i)) return false;
  }
  return true;
}

}  // namespace

BOOST_AUTO_TEST_CASE(an_oversized_claim_costs_only_the_available_bytes) {
  for (const std::uint64_t there : {std::uint64_t{0}, std::uint64_t{10}, MiB, 5 * MiB + 3}) {
    const auto far = std::make_shared<far_bytes>(there, std::uint64_t{1} << 60);
    const auto all = byte_source(far, "far").whole(no_limit);
    BOOST_REQUIRE(all.has_value());
    BOOST_TEST(all->size() == there);
    BOOST_TEST(is_right(all->bytes(), 0));
    BOOST_TEST(far->largest_request <= std::max<std::uint64_t>(there, MiB));
  }
}

BOOST_AUTO_TEST_CASE(a_correct_size_is_read_completely) {
  const auto far = std::make_shared<far_bytes>(7 * MiB + 1, 7 * MiB + 1);
  const byte_source from(far, "far");
  const auto all = from.whole(7 * MiB + 1);
  BOOST_REQUIRE(all.has_value());
  BOOST_TEST(all->size() == 7 * MiB + 1);
  BOOST_TEST(is_right(all->bytes(), 0));
  const auto refused = from.whole(7 * MiB);
  BOOST_REQUIRE(!refused);
  BOOST_TEST((refused.error().code == error_code::over_limit));
}

BOOST_AUTO_TEST_CASE(a_claim_beyond_the_address_space_is_rejected) {
  const auto far = std::make_shared<far_bytes>(10, no_limit);
  const auto refused = byte_source(far, "far").whole(no_limit);
  BOOST_REQUIRE(!refused);
  BOOST_TEST((refused.error().code == error_code::over_limit));
  BOOST_TEST(far->largest_request == 0u);
}

BOOST_AUTO_TEST_CASE(a_partial_read_costs_only_the_bytes_read) {
  const auto far = std::make_shared<far_bytes>(2 * MiB, std::uint64_t{1} << 60);
  byte_source from(far, "far");
  const auto part = from.view(100, std::size_t{1} << 40);
  BOOST_REQUIRE(part.has_value());
  BOOST_TEST(part->size() == 2 * MiB - 100);
  BOOST_TEST(is_right(*part, 100));
  BOOST_TEST(far->largest_request <= 2 * MiB);
  const auto less = from.view(7, 5);
  BOOST_REQUIRE(less.has_value());
  BOOST_TEST(less->size() == 5u);
  BOOST_TEST(is_right(*less, 7));
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
