// With an independent S3 server, over HTTP. It checks no signatures; the published examples do.
#include <boost/test/unit_test.hpp>
#include <random>

#include "certificates.hpp"
#include "s3rver.hpp"
#include "scratch_folder.hpp"
#include "tickreel/store/object_store.hpp"

BOOST_AUTO_TEST_SUITE(recorders_store_tests)
BOOST_AUTO_TEST_SUITE(s3rver_test)

using namespace tickreel;
using test::s3rver;
using test::with_s3rver;

BOOST_AUTO_TEST_CASE(an_independent_store_keeps_objects, *with_s3rver) {
  const test::scratch_folder folder;
  const s3rver server(folder.path());
  server.set_environment();
  store::store_options options;
  options.part_bytes = std::uint64_t{5} << 20;
  const auto opened = store::open("s3://bucket/some prefix", options);
  BOOST_REQUIRE(opened.has_value());
  BOOST_TEST((*opened)->probe().has_value());
  std::minstd_rand random(1);
  // For a range of an empty object it announces more than it sends.
  for (const std::size_t bytes : {1u, 1000u, 12u << 20}) {
    byte_vector content(bytes);
    for (std::byte& each : content) each = static_cast<std::byte>(random());
    const std::string key = "a b/\xC3\xA4+&=%/" + std::to_string(bytes);
    (void)(*opened)->discard_unfinished(key);
    const auto made = (*opened)->put(key, byte_source(content), {.read_back = true});
    BOOST_TEST(made.has_value(), (made ? "" : describe(made.error())));
    const auto head = (*opened)->head(key);
    BOOST_REQUIRE((head.has_value() && head->has_value()));
    BOOST_TEST((*head)->bytes == bytes);
    BOOST_TEST((*head)->sha256 == made->sha256);
    byte_vector some(10);
    BOOST_TEST((*opened)->read(key, bytes, some).value() == 0u);
  }
  std::size_t listed = 0;
  BOOST_TEST(
      (*opened)->list("a b/\xC3\xA4", [&](const store::object&) { return ++listed, true; }).has_value());
  BOOST_TEST(listed == 3u);
  BOOST_TEST(!(*opened)->head("none").value().has_value());
  const auto other = store::open("s3://another", options);
  BOOST_TEST(((*other)->probe().error().code == error_code::not_found));
}

BOOST_AUTO_TEST_CASE(a_store_over_https_is_trusted_by_its_certificate,
                     *with_s3rver* test::with_certificates) {
  const test::scratch_folder folder;
  const test::authority own(folder / "own");
  const test::authority other(folder / "other");
  own.sign("store", "IP:127.0.0.1");
  const s3rver server(folder.path() / "kept", own / "store");
  server.set_environment();
  store::store_options options;
  options.limits.attempts = 2;
  options.limits.first_pause = std::chrono::milliseconds(1);
  const auto probed = [&](const std::string& trusted) {
    ::setenv("AWS_CA_BUNDLE", trusted.c_str(), 1);
    const auto opened = store::open("s3://bucket", options);
    ::unsetenv("AWS_CA_BUNDLE");
    BOOST_REQUIRE(opened.has_value());
    return (*opened)->probe();
  };
  BOOST_TEST(probed(own / "ca.pem").has_value());
  const auto refused = probed(other / "ca.pem");
  BOOST_REQUIRE(!refused.has_value());
  BOOST_TEST(describe(refused.error()).find("AWS_CA_BUNDLE") != std::string::npos, describe(refused.error()));
  ::setenv("AWS_CA_BUNDLE", (own / "ca.pem").c_str(), 1);
  const auto opened = store::open("s3://bucket", options);
  ::unsetenv("AWS_CA_BUNDLE");
  const byte_vector content(100'000, std::byte{7});
  const auto put = (*opened)->put("key", byte_source(content), {.read_back = true});
  BOOST_TEST(put.has_value(), (put ? "" : describe(put.error())));
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
