// A .creds file at a real broker with an operator, as hosted brokers have. The test creates the file: keys in the notation of
// NATS, and signed tokens.
#include <sodium.h>

#include <array>
#include <boost/test/unit_test.hpp>
#include <cstdlib>

#include "delivered.hpp"

BOOST_AUTO_TEST_SUITE(fleet_broker_tests)
BOOST_AUTO_TEST_SUITE(creds_test)

using namespace tickreel;
using namespace tickreel::fleet;
using namespace tickreel::test;

namespace {

std::string base32(const std::string& bytes) {
  std::string out;
  unsigned held = 0;
  int bits = 0;
  for (const char each : bytes) {
    held = held << 8 | static_cast<unsigned char>(each);
    for (bits += 8; bits >= 5; bits -= 5) out += "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"[held >> (bits - 5) & 31];
  }
  if (bits > 0) out += "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"[held << (5 - bits) & 31];
  return out;
}

std::string base64(const std::string& bytes) {
  std::string out(sodium_base64_encoded_len(bytes.size(), sodium_base64_VARIANT_URLSAFE_NO_PADDING), '\0');
  sodium_bin2base64(out.data(), out.size(), reinterpret_cast<const unsigned char*>(bytes.data()),
                    bytes.size(), sodium_base64_VARIANT_URLSAFE_NO_PADDING);
  out.resize(out.find('\0'));
  return out;
}

// With its checksum (CRC-16, XMODEM) at the end.
std::string summed(std::string bytes) {
  unsigned sum = 0;
  for (const char each : bytes) {
    sum ^= static_cast<unsigned>(static_cast<unsigned char>(each)) << 8;
    for (int bit = 0; bit < 8; ++bit)
      sum = (sum & 0x8000u) != 0 ? (sum << 1 ^ 0x1021u) & 0xFFFFu : sum << 1 & 0xFFFFu;
  }
  bytes += static_cast<char>(sum & 0xFFu);
  bytes += static_cast<char>(sum >> 8);
  return base32(bytes);
}

constexpr unsigned of_operator = 14u << 3;
constexpr unsigned of_account = 0u;
constexpr unsigned of_user = 20u << 3;

class key {
 public:
  explicit key(unsigned kind) : kind_(kind) {
    BOOST_REQUIRE(sodium_init() >= 0);
    crypto_sign_keypair(public_.data(), secret_.data());
  }
  [[nodiscard]] std::string name() const {
    return summed(static_cast<char>(kind_) + std::string(public_.begin(), public_.end()));
  }
  [[nodiscard]] std::string seed() const {
    const std::string prefix = {static_cast<char>(18u << 3 | kind_ >> 5),
                                static_cast<char>((kind_ & 31u) << 3)};
    return summed(prefix + std::string(secret_.begin(), secret_.begin() + 32));
  }
  // A token in which this key certifies the other one.
  [[nodiscard]] std::string says(const key& of, const std::string& what) const {
    const std::string text =
        base64(R"({"typ":"JWT","alg":"ed25519-nkey"})") + '.' +
        base64(R"({"jti":"1","iat":1700000000,"name":"test","iss":")" + name() + R"(","sub":")" + of.name() +
               R"(","nats":{)" + what + R"(,"version":2}})");
    std::string sign(crypto_sign_BYTES, '\0');
    crypto_sign_detached(reinterpret_cast<unsigned char*>(sign.data()), nullptr,
                         reinterpret_cast<const unsigned char*>(text.data()), text.size(), secret_.data());
    return text + '.' + base64(sign);
  }

 private:
  unsigned kind_;
  std::array<unsigned char, crypto_sign_PUBLICKEYBYTES> public_{};
  std::array<unsigned char, crypto_sign_SECRETKEYBYTES> secret_{};
};

std::string creds_of(const key& user, const std::string& token) {
  return "-----BEGIN NATS USER JWT-----\n" + token +
         "\n------END NATS USER JWT------\n\n-----BEGIN USER NKEY SEED-----\n" + user.seed() +
         "\n------END USER NKEY SEED------\n";
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_user_with_a_creds_file, *with_broker) {
  scratch_folder folder;
  const key us(of_operator);
  const key system(of_account);
  const key league(of_account);
  const key recorder(of_user);
  const auto connection_limit = [](const std::string& most) {
    return R"("limits":{"subs":-1,"data":-1,"payload":-1,"imports":-1,"exports":-1,"wildcards":true,"conn":)" +
           most + R"(,"leaf":-1)";
  };
  const std::string limits = connection_limit("-1");
  const key small(of_account);
  const std::string stored = R"(,"mem_storage":-1,"disk_storage":-1,"streams":-1,"consumer":-1)";
  const std::string account = R"(},"default_permissions":{"pub":{},"sub":{}},"type":"account")";
  const std::string user = R"("pub":{},"sub":{},"subs":-1,"data":-1,"payload":-1,"type":"user")";
  write_file(folder / "nats.conf",
             as_bytes("operator: " + us.says(us, R"("type":"operator")") +
                      "\nsystem_account: " + system.name() + "\nresolver: MEMORY\nresolver_preload: {\n  " +
                      system.name() + ": " + us.says(system, limits + account) + "\n  " + league.name() +
                      ": " + us.says(league, limits + stored + account) + "\n  " + small.name() + ": " +
                      us.says(small, connection_limit("1") + stored + account) + "\n}\n"));
  const nats_server server(folder.path(), {"-c", folder / "nats.conf"});
  write_file(folder / "right.creds", as_bytes(creds_of(recorder, league.says(recorder, user))));
  // Signed by an account that the operator does not know; and with a key that does not match the token.
  const key other(of_account);
  const key thief(of_user);
  write_file(folder / "foreign.creds", as_bytes(creds_of(recorder, other.says(recorder, user))));
  write_file(folder / "stolen.creds", as_bytes(creds_of(thief, league.says(recorder, user))));
  const auto connected = [&](const std::string& file) {
    ::setenv("TICKREEL_NATS_CREDS", (folder / file).c_str(), 1);
    const auto options = broker_options_from_environment();
    ::unsetenv("TICKREEL_NATS_CREDS");
    BOOST_REQUIRE(options);
    return connected_to(server.url(), *options);
  };
  auto in = connected("right.creds");
  BOOST_REQUIRE_MESSAGE(in.has_value(), (in ? "" : describe(in.error())));
  BOOST_REQUIRE(in->ensure_stream({.name = "TICKREEL_L_league", .subjects = {"tickreel.league.>"}}));
  // Each login has another challenge, which must not matter.
  for (int i = 0; i < 600; ++i) BOOST_REQUIRE(connected("right.creds"));
  BOOST_TEST(in->publish("tickreel.league.match", as_bytes("of the recorder")).has_value());
  for (const char* const each : {"foreign.creds", "stolen.creds"}) {
    BOOST_TEST_CONTEXT(each) {
      const auto out = connected(each);
      BOOST_REQUIRE(!out);
      BOOST_TEST_MESSAGE(describe(out.error()));
      BOOST_TEST(describe(out.error()).find(recorder.seed()) == std::string::npos);
    }
  }
  // A file that looks like credentials and contains none.
  write_file(folder / "none.creds",
             as_bytes("-----BEGIN NATS USER JWT-----\nnone\n------END NATS USER JWT------\n\n"
                      "-----BEGIN USER NKEY SEED-----\nnone\n------END USER NKEY SEED------\n"));
  const auto unusable = connected("none.creds");
  BOOST_REQUIRE(!unusable);
  BOOST_TEST((unusable.error().code == error_code::invalid_argument));
  BOOST_TEST(describe(unusable.error()).find("TICKREEL_NATS_CREDS") != std::string::npos);
  // Of an account with a limit of one connection: the credentials are not reported as wrong.
  const key busy(of_user);
  write_file(folder / "busy.creds", as_bytes(creds_of(busy, small.says(busy, user))));
  {
    const auto first = connected("busy.creds");
    BOOST_REQUIRE(first);
    std::string said;
    BOOST_TEST(eventually([&] {
      const auto second = connected("busy.creds");
      BOOST_REQUIRE(!second);
      said = describe(second.error());
      BOOST_REQUIRE_MESSAGE(is_transient(second.error()), said);
      return said.find("connection limit") != std::string::npos;
    }));
    BOOST_TEST(said.find("TICKREEL_NATS") == std::string::npos, said);
  }
  BOOST_TEST(eventually([&] { return connected("busy.creds").has_value(); }));
  BOOST_TEST((connected_to(server.url()).error().code == error_code::permission_denied));
  // A missing file is reported as such, before connecting.
  for (const char* const each :
       {"TICKREEL_NATS_CREDS", "TICKREEL_NATS_CA", "TICKREEL_NATS_CERT", "TICKREEL_NATS_KEY"}) {
    ::setenv(each, (folder / "none").c_str(), 1);
    const auto options = broker_options_from_environment();
    ::unsetenv(each);
    BOOST_REQUIRE(!options);
    BOOST_TEST((options.error().code == error_code::not_found));
  }
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
