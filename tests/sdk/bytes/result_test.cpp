#include "tickreel/result.hpp"

#include <boost/test/unit_test.hpp>
#include <cerrno>
#include <set>
#include <string>

#include "tickreel/counted.hpp"

BOOST_AUTO_TEST_SUITE(sdk_bytes_tests)
BOOST_AUTO_TEST_SUITE(result_test)

using namespace tickreel;

namespace {

constexpr error_code every_code[] = {
    error_code::truncated,
    error_code::bad_magic,
    error_code::unsupported_version,
    error_code::unsupported_codec,
    error_code::malformed,
    error_code::over_limit,
    error_code::checksum_mismatch,
    error_code::corrupt_compression,
    error_code::missing_keyframe,
    error_code::bad_json,
    error_code::not_recognised,
    error_code::invalid_argument,
    error_code::buffer_too_small,
    error_code::wrong_state,
    error_code::out_of_range,
    error_code::already_exists,
    error_code::unsupported_operation,
    error_code::not_found,
    error_code::permission_denied,
    error_code::no_space,
    error_code::io_failed,
    error_code::in_use,
    error_code::out_of_memory,
    error_code::connection_refused,
    error_code::connection_lost,
    error_code::timed_out,
    error_code::bad_answer,
    error_code::address_in_use,
    error_code::name_not_resolved,
    error_code::interrupted,
};

}  // namespace

BOOST_AUTO_TEST_CASE(every_code_has_a_name_and_a_sentence_of_its_own) {
  std::set<std::string_view> names;
  std::set<std::string_view> sentences;
  for (const error_code code : every_code) {
    BOOST_TEST(name(code) != "unknown");
    BOOST_TEST(sentence(code) != "unknown error");
    names.insert(name(code));
    sentences.insert(sentence(code));
  }
  BOOST_TEST(names.size() == std::size(every_code));
  BOOST_TEST(sentences.size() == std::size(every_code));
  BOOST_TEST(name(static_cast<error_code>(9999)) == "unknown");
  BOOST_TEST(sentence(static_cast<error_code>(9999)) == "unknown error");
  BOOST_TEST(name(error_code::not_recognised) == "not_recognised");
}

BOOST_AUTO_TEST_CASE(describe_gives_cause_place_and_reason) {
  BOOST_TEST(describe(error{error_code::truncated}) == "the input ends early");
  BOOST_TEST(describe(error{error_code::truncated, 123}) == "the input ends early at offset 123");
  BOOST_TEST(describe(error{error_code::truncated, 0, "chunk table"}) ==
             "the input ends early at offset 0: chunk table");
  BOOST_TEST(describe(error{error_code::truncated, error::no_offset, nullptr}) == "the input ends early");
}

BOOST_AUTO_TEST_CASE(describe_fills_each_pair_of_braces_with_the_next_value) {
  BOOST_TEST(describe(fail(error_code::malformed, 7, "chunk {} of {}", 4, 9).value()) ==
             "a value contradicts the format at offset 7: chunk 4 of 9");
  BOOST_TEST(describe(fail(error_code::malformed, 7, "{}", -3).value()) ==
             "a value contradicts the format at offset 7: -3");
  BOOST_TEST(describe(fail(error_code::malformed, 7, "{}{} and {}", 1, 2).value()) ==
             "a value contradicts the format at offset 7: 12 and {}");
  BOOST_TEST(describe(fail(error_code::malformed, 7, "no braces", 1, 2).value()) ==
             "a value contradicts the format at offset 7: no braces");
}

BOOST_AUTO_TEST_CASE(system_errors_are_mapped_to_error_codes) {
  const std::pair<int, error_code> expected[] = {
      {ENOENT, error_code::not_found},         {EEXIST, error_code::already_exists},
      {EACCES, error_code::permission_denied}, {ENOSPC, error_code::no_space},
      {ENOMEM, error_code::out_of_memory},     {ECONNREFUSED, error_code::connection_refused},
      {EPIPE, error_code::connection_lost},    {ETIMEDOUT, error_code::timed_out},
      {EINTR, error_code::interrupted},        {EIO, error_code::io_failed},
  };
  for (const auto& [number, code] : expected) {
    const error made = from_system_error(number, "writing");
    BOOST_TEST((made.code == code));
    BOOST_TEST(made.system_error == number);
  }
  const std::string text = describe(from_system_error(ENOSPC, "writing"));
  BOOST_TEST(text.starts_with("the disk is full: writing ("));
}

BOOST_AUTO_TEST_CASE(an_error_is_propagated_unchanged) {
  const result<int> first = fail(error_code::over_limit, 12, "{} bytes", 99);
  const result<std::string> second = fail(first.error());
  BOOST_REQUIRE(!second);
  BOOST_TEST(describe(second.error()) == describe(first.error()));
}

BOOST_AUTO_TEST_CASE(a_count_of_one_has_a_singular_noun) {
  BOOST_TEST(counted(0, "tick") == "0 ticks");
  BOOST_TEST(counted(1, "tick") == "1 tick");
  BOOST_TEST(counted(2, "tick") == "2 ticks");
  BOOST_TEST(counted(1, "match", "matches") == "1 match");
  BOOST_TEST(counted(UINT64_MAX, "match", "matches") == "18446744073709551615 matches");
  const auto text_of = [](const char* detail, std::int64_t first, std::int64_t second = 0) {
    return describe({error_code::malformed, error::no_offset, detail, {first, second}, 0});
  };
  BOOST_TEST(text_of("{} tick{s}", 1) == "a value contradicts the format: 1 tick");
  BOOST_TEST(text_of("{} tick{s}", 0) == "a value contradicts the format: 0 ticks");
  BOOST_TEST(text_of("{} item{s} in {} byte{s}", 2, 1).ends_with(": 2 items in 1 byte"));
  BOOST_TEST(text_of("{} item{s} in {} byte{s}", 1, 2).ends_with(": 1 item in 2 bytes"));
  // Neither is replaced without a value.
  BOOST_TEST(text_of("{s}{}{}{}", 1, 2).ends_with(": {s}12{}"));
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
