// TLS and authentication at a real broker, configured by environment variables.
#include <boost/test/unit_test.hpp>

#include "certificates.hpp"
#include "delivered.hpp"
#include "random.hpp"

BOOST_AUTO_TEST_SUITE(fleet_broker_tests)
BOOST_AUTO_TEST_SUITE(tls_test)

using namespace tickreel;
using namespace tickreel::fleet;
using namespace tickreel::test;

namespace {

// Environment variables that are set while the object lives.
class scoped_environment {
 public:
  explicit scoped_environment(const std::vector<std::pair<std::string, std::string>>& all) {
    for (const auto& [name, value] : all) {
      ::setenv(name.c_str(), value.c_str(), 1);
      names_.push_back(name);
    }
  }
  scoped_environment(const scoped_environment&) = delete;
  scoped_environment& operator=(const scoped_environment&) = delete;
  ~scoped_environment() {
    for (const std::string& each : names_) ::unsetenv(each.c_str());
  }

 private:
  std::vector<std::string> names_;
};

result<broker> connect_as(const std::vector<std::pair<std::string, std::string>>& environment,
                          const std::string& address) {
  const scoped_environment guard(environment);
  const auto options = broker_options_from_environment();
  BOOST_REQUIRE(options);
  return connected_to(*read_nats_url(address), *options);
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

BOOST_AUTO_TEST_CASE(a_reel_goes_over_tls_and_no_other_server_is_trusted, *with_broker* with_certificates) {
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
  // Not trusted: unknown to the system's authorities and to another authority; issued for another host.
  BOOST_TEST((refused({token}, address) == error_code::permission_denied));
  BOOST_TEST(
      (refused({token, {"TICKREEL_NATS_CA", other / "ca.pem"}}, address) == error_code::permission_denied));
  BOOST_TEST((refused({ca, token}, "tls://127.0.0.1:" + port) == error_code::permission_denied));
  // Without TLS nothing is sent to a server that requires it.
  BOOST_TEST((refused({token}, "nats://localhost:" + port) == error_code::permission_denied));
  // A file that claims to be a certificate and is not.
  write_file(folder / "none", as_bytes("-----BEGIN CERTIFICATE-----\nnone\n-----END CERTIFICATE-----\n"));
  BOOST_TEST(
      (refused({token, {"TICKREEL_NATS_CA", folder / "none"}}, address) == error_code::invalid_argument));

  const scoped_environment guard({ca, token});
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

BOOST_AUTO_TEST_CASE(a_certificate_may_name_an_ip_address, *with_broker* with_certificates) {
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

BOOST_AUTO_TEST_CASE(a_broker_that_requires_certificates, *with_broker* with_certificates) {
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
  for (const auto& each : {wrong, {{"TICKREEL_NATS_CA", own / "ca.pem"}}}) {
    const auto connected = connect_as(each, address);
    BOOST_REQUIRE(!connected);
    const std::string said = describe(connected.error());
    BOOST_TEST(said.find("TICKREEL_NATS_CERT") != std::string::npos, said);
  }
}

BOOST_AUTO_TEST_CASE(a_broker_without_tls_is_not_used, *with_broker) {
  scratch_folder folder;
  const nats_server server(folder.path());
  const auto connected = connected_to(*read_nats_url("tls://localhost:" + std::to_string(server.port())));
  BOOST_REQUIRE(!connected);
  BOOST_TEST((connected.error().code == error_code::connection_refused));
}

BOOST_AUTO_TEST_CASE(certificate_errors_are_reported_with_whether_a_retry_helps,
                     *with_broker* with_certificates) {
  scratch_folder folder;
  const authority own(folder / "own");
  const authority other(folder / "other");
  own.sign_for_a_time("expired", "DNS:localhost", "20200101000000Z", "20210101000000Z");
  own.sign_for_a_time("early", "DNS:localhost", "20980101000000Z", "20990101000000Z");
  own.sign("elsewhere", "DNS:elsewhere.example");
  own.sign("right", "DNS:localhost");
  struct wrong {
    std::string certificate;
    std::string trusted;
    error_code code;
    std::string said;
    std::string named;  // the remedy
  };
  const std::string at_home = own / "ca.pem";
  for (const wrong& each : {
           wrong{"expired", at_home, error_code::permission_denied, "expired", "renew it"},
           wrong{"early", at_home, error_code::connection_refused, "not valid yet", "clock"},
           wrong{"elsewhere", at_home, error_code::permission_denied, "another host", "address"},
           wrong{"right", other / "ca.pem", error_code::permission_denied, "the signer", "TICKREEL_NATS_CA"},
       }) {
    BOOST_TEST_CONTEXT(each.certificate) {
      const nats_server server(folder.path(), {"--tls", "--tlscert", own / (each.certificate + ".pem"),
                                               "--tlskey", own / (each.certificate + ".key")});
      const auto connected = connect_as({{"TICKREEL_NATS_CA", each.trusted}},
                                        "tls://localhost:" + std::to_string(server.port()));
      BOOST_REQUIRE(!connected);
      const std::string said = describe(connected.error());
      BOOST_TEST((connected.error().code == each.code), said);
      BOOST_TEST(is_transient(connected.error()) == (each.certificate == "early"));
      BOOST_TEST(said.find(each.said) != std::string::npos, said);
      BOOST_TEST(said.find(each.named) != std::string::npos, said);
    }
  }
}

// A follower that never connected waits for the broker, as after a disconnection.
BOOST_AUTO_TEST_CASE(a_certificate_that_is_not_valid_yet_is_waited_for, *with_broker* with_certificates) {
  auto random = seeded_random("early");
  scratch_folder folder;
  const authority own(folder / "own");
  own.sign_for_a_time("early", "DNS:localhost", "20980101000000Z", "20990101000000Z");
  own.sign("right", "DNS:localhost");
  const auto tls = [&](const std::string& name) {
    return std::vector<std::string>{"--tls", "--tlscert", own / (name + ".pem"), "--tlskey",
                                    own / (name + ".key")};
  };
  nats_server server(folder.path(), tls("early"));
  const std::string address = "tls://localhost:" + std::to_string(server.port()) + "/league";
  auto publish = quick_options();
  auto follow = quick_follow();
  publish.broker.ca_file = follow.broker.ca_file = own / "ca.pem";
  auto from = follower::create(*read_nats_url(address + "/match"), folder / "came", follow);
  BOOST_REQUIRE(from);
  BOOST_REQUIRE(eventually([&] {
    BOOST_REQUIRE(from->pump(50ms));
    return from->counters().last_error.has_value();
  }));
  for (int i = 0; i < 5; ++i) BOOST_REQUIRE(from->pump(10ms));
  server.kill();
  server.set_more(tls("right"));
  server.start();
  const auto made = random_reel(random, 30, true);
  write_file(folder / "match.reel", made.bytes);
  BOOST_REQUIRE(publish_reel(*read_nats_url(address), folder / "match.reel", publish));
  BOOST_TEST(eventually([&] {
    BOOST_REQUIRE(from->pump(50ms));
    return from->ended();
  }));
  BOOST_TEST((read_file(folder / "came") == made.bytes));
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
