// With an independent S3 server, over HTTP. It checks no signatures; the published examples do.
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <boost/test/unit_test.hpp>
#include <filesystem>
#include <random>

#include "certificates.hpp"
#include "scratch_folder.hpp"
#include "tickreel/store/object_store.hpp"

extern char** environ;

BOOST_AUTO_TEST_SUITE(recorders_store_tests)
BOOST_AUTO_TEST_SUITE(s3rver_test)

using namespace tickreel;

namespace {

class s3rver {
 public:
  // With `tls`, a certificate for 127.0.0.1, over HTTPS.
  explicit s3rver(const std::filesystem::path& folder, const std::string& tls = "") {
    int ends[2] = {-1, -1};
    BOOST_REQUIRE(::pipe(ends) == 0);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, ends[1], 1);
    posix_spawn_file_actions_addclose(&actions, ends[0]);
    std::vector<std::string> words = {"node",      program(), "-d", folder.string(),      "-a",
                                      "127.0.0.1", "-p",      "0",  "--configure-bucket", "bucket"};
    if (!tls.empty()) words.insert(words.end(), {"--cert", tls + ".pem", "--key", tls + ".key"});
    std::vector<char*> arguments;
    for (std::string& each : words) arguments.push_back(each.data());
    arguments.push_back(nullptr);
    BOOST_REQUIRE(::posix_spawnp(&process_, "node", &actions, nullptr, arguments.data(), environ) == 0);
    posix_spawn_file_actions_destroy(&actions);
    ::close(ends[1]);
    output_ = ends[0];
    // "S3rver listening on 127.0.0.1:4568"
    const std::string mark = "listening on ";
    std::string said;
    char letter = 0;
    while (::read(output_, &letter, 1) == 1) {
      said += letter;
      if (letter == '\n' && said.find(mark) != std::string::npos) break;
    }
    const std::size_t at = said.find(mark);
    BOOST_REQUIRE(at != std::string::npos);
    endpoint_ = (tls.empty() ? "http://" : "https://") + said.substr(at + mark.size());
    endpoint_.pop_back();
  }
  s3rver(const s3rver&) = delete;
  s3rver& operator=(const s3rver&) = delete;
  ~s3rver() {
    ::kill(process_, SIGKILL);
    ::waitpid(process_, nullptr, 0);
    ::close(output_);
  }
  [[nodiscard]] const std::string& endpoint() const { return endpoint_; }

  static std::string program() { return TICKREEL_S3RVER "/node_modules/s3rver/bin/s3rver.js"; }

 private:
  pid_t process_ = -1;
  int output_ = -1;
  std::string endpoint_;
};

const auto with_s3rver = test::needed(
    [] {
      return std::filesystem::exists(s3rver::program()) ? nullptr
                                                        : "no s3rver; scripts/bootstrap --fleet installs it";
    },
    "TICKREEL_REQUIRE_FLEET");

}  // namespace

BOOST_AUTO_TEST_CASE(an_independent_store_keeps_objects, *with_s3rver) {
  const test::scratch_folder folder;
  const s3rver server(folder.path());
  ::setenv("AWS_ENDPOINT_URL", server.endpoint().c_str(), 1);
  ::setenv("AWS_ACCESS_KEY_ID", "S3RVER", 1);
  ::setenv("AWS_SECRET_ACCESS_KEY", "S3RVER", 1);
  for (const char* each : {"AWS_SESSION_TOKEN", "TICKREEL_S3_STYLE"}) ::unsetenv(each);
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
  ::setenv("AWS_ENDPOINT_URL", server.endpoint().c_str(), 1);
  ::setenv("AWS_ACCESS_KEY_ID", "S3RVER", 1);
  ::setenv("AWS_SECRET_ACCESS_KEY", "S3RVER", 1);
  for (const char* each : {"AWS_SESSION_TOKEN", "TICKREEL_S3_STYLE"}) ::unsetenv(each);
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
