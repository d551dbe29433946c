// Errors that no retry resolves, and unusable environment variables.
#include <boost/test/unit_test.hpp>

#include "delivered.hpp"
#include "random.hpp"

BOOST_AUTO_TEST_SUITE(fleet_broker_tests)
BOOST_AUTO_TEST_SUITE(refused_test)

namespace {

using namespace tickreel;
using namespace tickreel::test;
using fleet::broker;

struct scoped_variables {
  explicit scoped_variables(std::vector<std::pair<std::string, std::string>> all) : all_(std::move(all)) {
    for (const auto& [name, value] : all_) ::setenv(name.c_str(), value.c_str(), 1);
  }
  scoped_variables(const scoped_variables&) = delete;
  scoped_variables& operator=(const scoped_variables&) = delete;
  ~scoped_variables() {
    for (const auto& [name, value] : all_) ::unsetenv(name.c_str());
  }

 private:
  std::vector<std::pair<std::string, std::string>> all_;
};

// The error of a follower when it gives up; it is pumped until then.
error refusal_of(const fleet::nats_url& match, const std::string& spool,
                 const fleet::follow_options& options) {
  auto from = fleet::follower::create(match, spool, options);
  BOOST_REQUIRE(from);
  result<std::size_t> came = 0;
  BOOST_REQUIRE(eventually([&] {
    came = from->pump(50ms);
    return !came;
  }));
  BOOST_TEST(from->counters().refused);
  BOOST_TEST(!fleet::is_transient(came.error()));
  return came.error();
}

bool says(const error& why, std::string_view text) {
  return describe(why).find(text) != std::string::npos;
}

}  // namespace

BOOST_AUTO_TEST_CASE(permanent_errors_end_a_follower, *with_broker) {
  scratch_folder folder;
  {
    const nats_server plain(folder.path(), {}, false);
    const error why = refusal_of(plain.url("l", "m"), folder / "a", quick_follow());
    BOOST_TEST((why.code == error_code::unsupported_operation));
    BOOST_TEST(says(why, "nats-server -js"));
  }
  write_file(folder / "nats.conf", as_bytes(R"(
accounts {
  full { jetstream: enabled, users: [
    { user: right, password: pass },
    { user: small, password: pass, permissions: { publish: [ "else" ], subscribe: [ "_INBOX.>" ] } } ] }
  none { users: [ { user: poor, password: pass } ] }
})"));
  const nats_server server(folder.path(), {"-c", folder / "nats.conf"});
  const auto as = [&](const std::string& user, const std::string& password, const std::string& spool) {
    auto options = quick_follow();
    options.broker.user = user;
    options.broker.password = password;
    // The broker does not answer what it refuses. It is asked again until the reason is known.
    options.broker.wait = 2s;
    return refusal_of(server.url("l", "m"), folder / spool, options);
  };
  for (const auto& [user, password] :
       {std::pair("", ""), std::pair("right", "wrong"), std::pair("nobody", "pass")}) {
    const error why = as(user, password, std::string("b") + user);
    BOOST_TEST((why.code == error_code::permission_denied));
    BOOST_TEST(says(why, "TICKREEL_NATS_USER"));
  }
  BOOST_TEST((as("poor", "pass", "c").code == error_code::unsupported_operation));
  BOOST_TEST((as("small", "pass", "d").code == error_code::permission_denied));
}

BOOST_AUTO_TEST_CASE(a_connection_that_worked_once_is_retried, *with_broker) {
  auto random = seeded_random("waited for");
  scratch_folder folder;
  nats_server server(folder.path());
  growing_reel growing(folder / "match.reel", random, nullptr);
  growing.grow(20);
  BOOST_REQUIRE(growing.writer->sync());
  BOOST_REQUIRE(fleet::publish_reel(server.url("l"), folder / "match.reel", quick_options()));
  auto from = fleet::follower::create(server.url("l", "match"), folder / "came", quick_follow());
  BOOST_REQUIRE(from);
  BOOST_REQUIRE(
      eventually([&] { return from->pump(50ms).has_value() && from->counters().reel.records >= 20; }));
  // The administrator makes a mistake at the broker, and corrects it.
  server.kill();
  server.set_more({"--auth", "a token"});
  server.start();
  BOOST_REQUIRE(eventually([&] {
    BOOST_REQUIRE(from->pump(50ms));
    const auto why = from->counters().last_error;
    return why && why->code == error_code::permission_denied;
  }));
  for (int i = 0; i < 5; ++i) BOOST_REQUIRE(from->pump(10ms));
  server.kill();
  server.set_more({});
  server.start();
  BOOST_REQUIRE(growing.writer->finish());
  BOOST_REQUIRE(fleet::publish_reel(server.url("l"), folder / "match.reel", quick_options()));
  BOOST_TEST(eventually([&] {
    BOOST_REQUIRE(from->pump(50ms));
    return from->ended();
  }));
  BOOST_TEST((read_file(folder / "came") == read_file(folder / "match.reel")));
}

BOOST_AUTO_TEST_CASE(more_replicas_than_servers_are_reported_as_such, *with_broker) {
  scratch_folder folder;
  const nats_server server(folder.path());
  auto in = connected_to(server.url());
  BOOST_REQUIRE(in);
  const auto made = in->ensure_stream({.name = "TICKREEL_L_l", .subjects = {"tickreel.l.>"}, .replicas = 3});
  BOOST_REQUIRE(!made);
  BOOST_TEST(!fleet::is_transient(made.error()));
  BOOST_TEST(says(made.error(), "replicas"));
}

// A user's rights, as a server's configuration.
namespace {

std::string rights_of_recorder(const std::string& publish, const std::string& subscribe = "") {
  return "jetstream: enabled\nauthorization { users: [ { user: recorder, password: pass, permissions: { "
         "publish: "
         "{ deny: [" +
         publish + "] }, subscribe: { deny: [" + subscribe + "] } } } ] }\n";
}

}  // namespace

BOOST_AUTO_TEST_CASE(each_missing_right_is_named, *with_broker) {
  auto random = seeded_random("rights");
  scratch_folder folder;
  const auto made = random_reel(random, 20, true);
  write_file(folder / "match.reel", made.bytes);
  struct missing {
    std::string publish;
    std::string subscribe;
    std::string said;
  };
  for (const missing& each : {
           missing{"\"tickreel.l.>\"", "", "tickreel.LEAGUE.>"},
           missing{"\"tickreel-status.>\"", "", "tickreel-status.>"},
           missing{"\"tickreel-work.>\"", "", "tickreel-work.>"},
           missing{"\"$JS.API.>\"", "", "$JS.API.>"},
           missing{"", "\"_INBOX.>\"", "_INBOX.>"},
       }) {
    BOOST_TEST_CONTEXT(each.said) {
      scratch_folder store;
      write_file(store / "nats.conf", as_bytes(rights_of_recorder(each.publish, each.subscribe)));
      const nats_server server(store.path(), {"-c", store / "nats.conf"});
      auto options = impatient_options();  // it asks again until the reason is known
      options.broker.user = "recorder";
      options.broker.password = "pass";
      std::optional<error> why;
      const auto done =
          fleet::publish_reel(server.url("l"), folder / "match.reel", options, [&](const auto& counters) {
            why = counters.trouble;
            return !why || fleet::is_transient(*why);
          });
      BOOST_TEST(!done.has_value());
      BOOST_REQUIRE(why.has_value());
      BOOST_TEST((why->code == error_code::permission_denied));
      BOOST_TEST(says(*why, each.said), describe(*why));
    }
  }
}

// The documented rights are sufficient.
BOOST_AUTO_TEST_CASE(the_documented_rights_are_sufficient, *with_broker) {
  auto random = seeded_random("enough rights");
  scratch_folder folder;
  write_file(folder / "nats.conf", as_bytes(R"(
jetstream: enabled
authorization { users: [
  { user: recorder, password: pass, permissions: { subscribe: [ "_INBOX.>" ],
    publish: [ "$JS.API.>", "tickreel.l.>", "tickreel-status.l.>", "tickreel-work.l.>" ] } },
  { user: watcher, password: pass, permissions: { subscribe: [ "_INBOX.>" ],
    publish: [ "$JS.API.>", "$JS.FC.>" ] } } ] }
)"));
  const nats_server server(folder.path(), {"-c", folder / "nats.conf"});
  const auto made = random_reel(random, 300, true);
  write_file(folder / "match.reel", made.bytes);
  auto publish = quick_options();
  publish.broker.user = "recorder";
  publish.broker.password = "pass";
  BOOST_REQUIRE(fleet::publish_reel(server.url("l"), folder / "match.reel", publish));
  auto follow = quick_follow();
  follow.broker.user = "watcher";
  follow.broker.password = "pass";
  BOOST_TEST((followed(server.url("l", "match"), folder / "came", follow) == made.bytes));
}

// Rights that are removed while a match is recorded: the broker reports this without a request. With a name that exceeds the
// limit of a report.
BOOST_AUTO_TEST_CASE(unpublishable_records_are_reported_as_such_and_stay_in_the_reel, *with_broker) {
  auto random = seeded_random("rights that go");
  scratch_folder folder;
  for (const std::string& league : {std::string("l"), std::string(170, 'l')}) {
    const std::string match = "match" + std::string(league.size(), 'm');
    scratch_folder store;
    write_file(store / "all.conf", as_bytes(rights_of_recorder("")));
    write_file(store / "none.conf", as_bytes(rights_of_recorder("\"tickreel.>\"")));
    nats_server server(store.path(), {"-c", store / "all.conf"});
    auto options = quick_options();
    options.broker.user = "recorder";
    options.broker.password = "pass";
    options.queue.confirm_timeout_ms = 600'000;  // missing confirmations do not reveal it
    const std::string path = folder / (match + ".reel");
    auto sink = fleet::publish_to(server.url(league, match), path, options);
    BOOST_REQUIRE(sink);
    const reel::queue_view view = (*sink)->view();
    growing_reel growing(path, random, std::move(*sink));
    growing.grow(20);
    BOOST_REQUIRE(eventually([&] { return view.counters().confirmed >= 20; }));
    server.kill();
    server.set_more({"-c", store / "none.conf"});
    server.start();
    growing.grow(20);
    BOOST_TEST(eventually([&] {
      const auto why = view.counters().trouble;
      return why && why->code == error_code::permission_denied && says(*why, "tickreel.LEAGUE.>");
    }));
    growing.grow(20);  // continues, whatever the broker answers
    server.kill();
    server.set_more({"-c", store / "all.conf"});
    server.start();
    BOOST_REQUIRE(growing.writer->finish());
    BOOST_TEST(view.counters().ended);
    auto follow = quick_follow();
    follow.broker.user = "recorder";
    follow.broker.password = "pass";
    BOOST_TEST((followed(server.url(league, match), folder / "came", follow) == read_file(path)));
    std::filesystem::remove(folder / "came");
  }
}

// Resolved errors are no longer reported.
BOOST_AUTO_TEST_CASE(a_resolved_error_leaves_the_status, *with_broker) {
  auto random = seeded_random("status");
  scratch_folder folder;
  nats_server server(folder.path());
  auto sink = fleet::publish_to(server.url("l"), folder / "match.reel", quick_options());
  BOOST_REQUIRE(sink);
  const reel::queue_view view = (*sink)->view();
  growing_reel growing(folder / "match.reel", random, std::move(*sink));
  growing.grow(5);
  const auto arrived = [&] { return view.counters().lag_records == 0 && view.counters().connected; };
  BOOST_REQUIRE(eventually(arrived));
  server.kill();
  growing.grow(5);
  BOOST_REQUIRE(eventually([&] { return view.counters().trouble.has_value(); }));
  server.start();
  growing.grow(5);
  BOOST_REQUIRE(eventually(arrived));
  BOOST_TEST(view.counters().last_error.has_value());
  const auto reported = [&]() -> std::optional<fleet::match_status> {
    auto in = connected_to(server.url());
    if (!in) return std::nullopt;
    const auto last = in->last(fleet::status_stream, "tickreel-status.l.match");
    if (!last || !*last) return std::nullopt;
    const auto status = fleet::read_status((*last)->body());
    return status ? std::optional(*status) : std::nullopt;
  };
  BOOST_TEST(eventually([&] {
    const auto status = reported();
    return status && status->retried != 0 && status->records >= 15 && status->last_error.empty();
  }));
  BOOST_REQUIRE(growing.writer->finish());
  const auto ended = reported();
  BOOST_REQUIRE(ended);
  BOOST_TEST(ended->state == "ended");
  BOOST_TEST(ended->last_error == "");
}

BOOST_AUTO_TEST_CASE(an_unusable_variable_is_named) {
  scratch_folder folder;
  write_file(folder / "text", as_bytes("no certificate\n"));
  write_file(folder / "empty", as_bytes("\n"));
  write_file(folder / "zero", as_bytes(std::string_view("to\0ken", 6)));
  write_file(folder / "pem", as_bytes("-----BEGIN CERTIFICATE-----\n-----END CERTIFICATE-----\n"));
  using variables = std::vector<std::pair<std::string, std::string>>;
  struct wrong {
    variables reported;
    std::string named;
  };
  std::vector<wrong> all = {
      {{{"TICKREEL_NATS_TOKEN_FILE", folder / "empty"}}, "TICKREEL_NATS_TOKEN_FILE"},
      {{{"TICKREEL_NATS_TOKEN_FILE", folder / "zero"}}, "TICKREEL_NATS_TOKEN_FILE"},
      {{{"TICKREEL_NATS_USER", "me"}, {"TICKREEL_NATS_PASSWORD_FILE", folder / "empty"}},
       "TICKREEL_NATS_PASSWORD_FILE"},
      {{{"TICKREEL_NATS_TOKEN", "a"}, {"TICKREEL_NATS_TOKEN_FILE", folder / "text"}},
       "TICKREEL_NATS_TOKEN_FILE"},
      {{{"TICKREEL_NATS_PASSWORD", "a"}}, "TICKREEL_NATS_USER"},
      {{{"TICKREEL_NATS_CERT", folder / "pem"}}, "TICKREEL_NATS_KEY"},
      {{{"TICKREEL_NATS_CERT", folder / "pem"}, {"TICKREEL_NATS_KEY", folder / "pem"}}, "TICKREEL_NATS_KEY"},
      {{{"TICKREEL_NATS_TOKEN", "a"}, {"TICKREEL_NATS_USER", "b"}}, "TICKREEL_NATS_CREDS"},
  };
  for (const char* const name : {"TICKREEL_NATS_CREDS", "TICKREEL_NATS_CA", "TICKREEL_NATS_CERT",
                                 "TICKREEL_NATS_KEY", "TICKREEL_NATS_TOKEN_FILE"}) {
    all.push_back({{{name, folder / "none"}}, name});
    all.push_back({{{name, folder.path().string()}}, name});
    if (name != std::string_view("TICKREEL_NATS_TOKEN_FILE"))
      all.push_back({{{name, folder / "text"}}, name});
  }
  for (const wrong& each : all) {
    const scoped_variables reported(each.reported);
    const auto options = fleet::broker_options_from_environment();
    BOOST_TEST_CONTEXT(each.reported[0].first << "=" << each.reported[0].second) {
      BOOST_REQUIRE(!options);
      BOOST_TEST(says(options.error(), each.named), describe(options.error()));
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
