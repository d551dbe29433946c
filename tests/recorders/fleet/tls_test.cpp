// TLS and ways in, at a real broker, as they are told by the environment.
#include <boost/test/unit_test.hpp>

#include "certificates.hpp"
#include "delivered.hpp"
#include "random.hpp"

using namespace tickreel;
using namespace tickreel::fleet;
using namespace tickreel::test;

namespace {

// What stands in the environment while it lives.
class told_environment {
 public:
  explicit told_environment(const std::vector<std::pair<std::string, std::string>>& all) {
    for (const auto& [name, value] : all) {
      ::setenv(name.c_str(), value.c_str(), 1);
      names_.push_back(name);
    }
  }
  told_environment(const told_environment&) = delete;
  told_environment& operator=(const told_environment&) = delete;
  ~told_environment() {
    for (const std::string& each : names_) ::unsetenv(each.c_str());
  }

 private:
  std::vector<std::string> names_;
};

result<broker> connect_as(const std::vector<std::pair<std::string, std::string>>& environment,
                          const std::string& address) {
  const told_environment told(environment);
  const auto options = broker_options_from_environment();
  BOOST_REQUIRE(options);
  return broker::connect(*read_nats_url(address), *options);
}

error_code refused(const std::vector<std::pair<std::string, std::string>>& environment,
                   const std::string& address) {
  const auto connected = connect_as(environment, address);
  BOOST_REQUIRE(!connected);
  BOOST_TEST_MESSAGE(describe(connected.error()));
  BOOST_TEST(describe(connected.error()).find("secret") == std::string::npos);
  return connected.error().code;
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_reel_goes_over_tls_and_nobody_else_is_trusted) {
  if (!can_start_broker() || !can_make_certificates()) return;
  auto random = seeded_random("tls");
  scratch_folder folder;
  const authority own(folder / "own");
  const authority other(folder / "other");
  own.sign("server", "DNS:localhost");
  write_file(folder / "token", as_bytes("a secret token\n"));
  const nats_server server(folder.path(), {"--tls", "--tlscert", own / "server.pem", "--tlskey",
                                           own / "server.key", "--auth", "a secret token"});
  const std::string port = std::to_string(server.port());
  const std::string address = "tls://localhost:" + port;
  const std::pair<std::string, std::string> ca = {"TICKREEL_NATS_CA", own / "ca.pem"};
  const std::pair<std::string, std::string> token = {"TICKREEL_NATS_TOKEN_FILE", folder / "token"};
  BOOST_TEST(connect_as({ca, token}, address).has_value());
  BOOST_TEST(connect_as({ca, {"TICKREEL_NATS_TOKEN", "a secret token"}}, address).has_value());
  BOOST_TEST((refused({ca}, address) == error_code::permission_denied));
  BOOST_TEST(
      (refused({ca, {"TICKREEL_NATS_TOKEN", "another secret"}}, address) == error_code::permission_denied));
  // The system's authorities do not know it; another authority neither; it is not for another host.
  BOOST_TEST((refused({token}, address) == error_code::permission_denied));
  BOOST_TEST(
      (refused({token, {"TICKREEL_NATS_CA", other / "ca.pem"}}, address) == error_code::permission_denied));
  BOOST_TEST((refused({ca, token}, "tls://127.0.0.1:" + port) == error_code::permission_denied));
  // Without TLS nothing is told to a server that wants it.
  BOOST_TEST((refused({token}, "nats://localhost:" + port) == error_code::permission_denied));
  // A file that calls itself a certificate and is none.
  write_file(folder / "none", as_bytes("-----BEGIN CERTIFICATE-----\nnone\n-----END CERTIFICATE-----\n"));
  BOOST_TEST(
      (refused({token, {"TICKREEL_NATS_CA", folder / "none"}}, address) == error_code::invalid_argument));

  const told_environment told({ca, token});
  const auto in = broker_options_from_environment();
  BOOST_REQUIRE(in);
  const auto made = random_reel(random, 100, true);
  write_file(folder / "match.reel", made.bytes);
  auto publish = quick_options();
  publish.broker.ca_file = in->ca_file;
  publish.broker.token = in->token;
  BOOST_REQUIRE(publish_reel(*read_nats_url(address + "/league"), folder / "match.reel", publish));
  auto follow = quick_follow();
  follow.broker.ca_file = in->ca_file;
  follow.broker.token = in->token;
  BOOST_TEST((followed(*read_nats_url(address + "/league/match"), folder / "came", follow) == made.bytes));
}

BOOST_AUTO_TEST_CASE(a_certificate_may_name_a_number) {
  if (!can_start_broker() || !can_make_certificates()) return;
  scratch_folder folder;
  const authority own(folder / "own");
  own.sign("server", "IP:127.0.0.1");
  const nats_server server(folder.path(),
                           {"--tls", "--tlscert", own / "server.pem", "--tlskey", own / "server.key"});
  const std::string port = std::to_string(server.port());
  const std::vector<std::pair<std::string, std::string>> ca = {{"TICKREEL_NATS_CA", own / "ca.pem"}};
  BOOST_TEST(connect_as(ca, "tls://127.0.0.1:" + port).has_value());
  BOOST_TEST((refused(ca, "tls://localhost:" + port) == error_code::permission_denied));
}

BOOST_AUTO_TEST_CASE(a_broker_that_asks_for_certificates) {
  if (!can_start_broker() || !can_make_certificates()) return;
  scratch_folder folder;
  const authority own(folder / "own");
  const authority other(folder / "other");
  own.sign("server", "DNS:localhost");
  own.sign("recorder");
  other.sign("recorder");
  const nats_server server(folder.path(), {"--tls", "--tlscert", own / "server.pem", "--tlskey",
                                           own / "server.key", "--tlsverify", "--tlscacert", own / "ca.pem"});
  const std::string address = "tls://localhost:" + std::to_string(server.port());
  const auto as = [](const authority& of) {
    return std::vector<std::pair<std::string, std::string>>{{"TICKREEL_NATS_CERT", of / "recorder.pem"},
                                                            {"TICKREEL_NATS_KEY", of / "recorder.key"}};
  };
  auto right = as(own);
  auto wrong = as(other);
  for (auto* each : {&right, &wrong}) each->emplace_back("TICKREEL_NATS_CA", own / "ca.pem");
  BOOST_TEST(connect_as(right, address).has_value());
  BOOST_TEST(!connect_as(wrong, address).has_value());
  BOOST_TEST(!connect_as({{"TICKREEL_NATS_CA", own / "ca.pem"}}, address).has_value());
}

BOOST_AUTO_TEST_CASE(a_broker_that_has_no_tls_is_not_talked_to_without) {
  if (!can_start_broker()) return;
  scratch_folder folder;
  const nats_server server(folder.path());
  const auto connected = broker::connect(*read_nats_url("tls://localhost:" + std::to_string(server.port())));
  BOOST_REQUIRE(!connected);
  BOOST_TEST((connected.error().code == error_code::connection_refused));
}
