#include <boost/test/unit_test.hpp>
#include <map>

#include "random.hpp"
#include "tickreel/fleet/message.hpp"
#include "tickreel/fleet/nats_url.hpp"
#include "tickreel/fleet/publish.hpp"
#include "tickreel/fleet/status.hpp"
#include "tickreel/text/utf8.hpp"

BOOST_AUTO_TEST_SUITE(fleet_tests)
BOOST_AUTO_TEST_SUITE(message_test)

using namespace tickreel;
using namespace tickreel::fleet;

namespace {

const char* const odd_names[] = {"a b", "a.b", "*",  ">",      "=",    "=20", "Zürich – 決勝", "$JS",
                                 "..",  "/",   "\\", "STATUS", "a\nb", "\"",  "\xff\xfe",      "-_-"};

result<message_head> read(const header_fields& fields) {
  return read_fields([&](const char* name) -> std::string_view {
    for (const auto& [key, value] : fields) {
      if (key == name) return value;
    }
    return {};
  });
}

}  // namespace

BOOST_AUTO_TEST_CASE(any_name_round_trips_through_a_token) {
  auto random = test::seeded_random("tokens");
  std::vector<std::string> names(std::begin(odd_names), std::end(odd_names));
  for (int each = 0; each < 500; ++each) {
    std::string name(1 + random() % 40, ' ');
    for (char& one : name) one = static_cast<char>(random());
    names.push_back(name);
  }
  std::map<std::string, std::string> seen;
  for (const std::string& name : names) {
    const auto token = to_token(name);
    BOOST_REQUIRE(token);
    for (const char one : *token) {
      BOOST_REQUIRE(
          (std::isalnum(static_cast<unsigned char>(one)) || one == '-' || one == '_' || one == '='));
    }
    BOOST_TEST((from_token(*token) == name));
    BOOST_TEST(seen.try_emplace(*token, name).first->second == name);
    const auto subjects = subjects_of({name, "m." + name});
    BOOST_REQUIRE(subjects);
    for (const std::string& subject :
         {subjects->records, subjects->status, subjects->archived, subjects->work}) {
      BOOST_TEST((match_of_subject(subject) == match_name{name, "m." + name}));
    }
  }
  BOOST_TEST(!to_token(""));
  BOOST_TEST((to_token(std::string(max_token_bytes + 1, 'a')).error().code == error_code::over_limit));
  for (const char* wrong : {"", "=", "=2", "=2g", "=41", "a b", "=2e"}) BOOST_TEST(!from_token(wrong));
  BOOST_TEST(!match_of_subject("tickreel.a"));
  BOOST_TEST(!match_of_subject("tickreel.a.b.c"));
}

BOOST_AUTO_TEST_CASE(a_head_round_trips_through_its_fields) {
  auto random = test::seeded_random("heads");
  for (int each = 0; each < 300; ++each) {
    message_head head;
    head.reel = "0123456789abcdef0123456789abcdef";
    if (random() % 5 != 0) {
      head.sequence = static_cast<std::uint32_t>(random());
      head.kind = static_cast<reel::record_kind>(1 + random() % 12);
      head.flags = static_cast<std::uint16_t>(random() % 4);
      head.first_tick = random();
      head.last_tick = random();
    } else {
      head.confirmed = random() % 100;
    }
    if (random() % 3 == 0) {
      head.parts = 2 + static_cast<std::uint32_t>(random() % 6);
      head.part = static_cast<std::uint32_t>(random() % head.parts);
    }
    head.sent_at_us = static_cast<std::int64_t>(random() >> 2);
    const auto back = read(to_fields(head));
    BOOST_REQUIRE(back);
    BOOST_TEST(back->reel == head.reel);
    BOOST_TEST((back->sequence == head.sequence));
    if (head.sequence) BOOST_TEST((back->kind == head.kind));
    BOOST_TEST(back->flags == head.flags);
    BOOST_TEST(back->first_tick == head.first_tick);
    BOOST_TEST(back->last_tick == head.last_tick);
    BOOST_TEST(back->part == head.part);
    BOOST_TEST(back->parts == head.parts);
    BOOST_TEST(back->sent_at_us == head.sent_at_us);
    BOOST_TEST(back->confirmed == head.confirmed);
    BOOST_TEST(back->is_entry() == head.is_entry());
  }
  BOOST_TEST(!read({}));
  BOOST_TEST(!read({{"Tickreel-Reel", "0123456789ABCDEF0123456789abcdef"}, {"Tickreel-Kind", "header"}}));
}

BOOST_AUTO_TEST_CASE(addresses) {
  const auto url = read_nats_url("nats://a:1,b:2/my%20league/a%2Fb");
  BOOST_REQUIRE(url);
  BOOST_TEST(url->servers == "nats://a:1,nats://b:2");
  BOOST_TEST(url->league == "my league");
  BOOST_TEST(url->match == "a/b");
  BOOST_TEST(to_text(*url) == "nats://a:1,b:2/my%20league/a%2Fb");
  for (const char* right : {"nats://h", "tls://h:4222/", "nats://h/league", "nats://[::1]:4222/l/m"}) {
    BOOST_TEST(read_nats_url(right).has_value(), right);
  }
  for (const char* wrong : {"",
                            "http://h",
                            "nats://",
                            "nats:///a/b",
                            "nats://user:secret@h",
                            "nats://h/a/b/c",
                            "nats://h//m",
                            "nats://h/%zz",
                            "nats://h/%2",
                            "nats://a,,b",
                            "nats://h h/l",
                            "nats://h/a?x=1",
                            "nats://h:0",
                            "nats://h:65536",
                            "nats://h:x",
                            "nats://h:",
                            "nats://:1",
                            "nats://::1:1",
                            "nats://[::1",
                            "nats://[]:1",
                            "nats://[::1]x"}) {
    BOOST_TEST(!read_nats_url(wrong).has_value(), wrong);
  }
}

BOOST_AUTO_TEST_CASE(a_status_round_trips) {
  const std::string id = "0123456789abcdef0123456789abcdef";
  match_status status;
  for (const char* name : odd_names) {
    status.name = {name, name};
    status.reel = id;
    status.ticks = ~std::uint64_t{0};
    status.lag_seconds = 1.5;
    status.last_error = "\"\\";
    status.keyframe_sequence = 7;
    const auto back = read_status(as_bytes(to_json(status)));
    BOOST_REQUIRE(back);
    BOOST_TEST((back->name == status.name));
    BOOST_TEST(back->ticks == status.ticks);
    BOOST_TEST(back->lag_seconds == 1.5);
    BOOST_TEST(back->last_error == status.last_error);
    BOOST_TEST(back->keyframe_sequence == 7u);
    // An archiver computes subjects and keys from these.
    const auto work = read_work(as_bytes(to_json(archive_work{status.name, id})));
    BOOST_REQUIRE(work);
    BOOST_TEST((work->name == status.name));
    archived_reel archived;
    archived.name = status.name;
    archived.reel = id;
    const auto archived_back = read_archived(as_bytes(to_json(archived)));
    BOOST_REQUIRE(archived_back);
    BOOST_TEST((archived_back->name == status.name));
  }
  for (const char* wrong : {"", "[]", "{}", "{\"league\":1}", "{\"reel\":\"r\"}"}) {
    BOOST_TEST(!read_status(as_bytes(wrong)));
    BOOST_TEST(!read_work(as_bytes(wrong)));
    BOOST_TEST(!read_archived(as_bytes(wrong)));
  }
  BOOST_TEST(!read_status({}));  // its bytes are at a null pointer
  // Archivers name files by the id.
  for (const std::string& wrong :
       {std::string("r"), "../../" + id, id + "/", id.substr(1), std::string(32, 'A')}) {
    status.reel = wrong;
    BOOST_TEST(!read_status(as_bytes(to_json(status))));
    BOOST_TEST(!read_work(as_bytes(to_json(archive_work{status.name, wrong}))));
    archived_reel archived;
    archived.name = status.name;
    archived.reel = wrong;
    BOOST_TEST(!read_archived(as_bytes(to_json(archived))));
  }
  status.reel = id;
  // Fields that another version omits keep their values.
  BOOST_TEST(
      read_status(as_bytes(R"({"league":"l","match":"m","ticks":"x","reel":")" + id + "\"}")).has_value());
  // Version 0.2 has other names for the lag.
  const auto older = read_status(as_bytes(
      R"({"league":"l","match":"m","told_at_us":5,"behind_records":2,"behind_bytes":30,"behind_seconds":1.5,"reel":")" +
      id + "\"}"));
  BOOST_REQUIRE(older);
  BOOST_TEST(older->reported_at_us == 5);
  BOOST_TEST(older->lag_records == 2u);
  BOOST_TEST(older->lag_bytes == 30u);
  BOOST_TEST(older->lag_seconds == 1.5);
  const std::string page = to_prometheus({{.reported = status}}, status.reported_at_us);
  BOOST_TEST(page.find("# TYPE tickreel_match_lag_seconds gauge") != std::string::npos);
  BOOST_TEST(page.find("tickreel_match_records_total{") != std::string::npos);
  // Prometheus rejects a whole page if one label is not UTF-8.
  match_status odd = status;
  odd.name = {"l\"\\\n", "\xff\xc3\xa9\xed\xa0\x80"};
  odd.host = "\xc3";
  const std::string odd_page = to_prometheus({{.reported = odd}}, odd.reported_at_us);
  BOOST_TEST(text::is_utf8(odd_page));
  BOOST_TEST(odd_page.find("{league=\"l\\\"\\\\\\n\",match=\"=FF\xc3\xa9=ED=A0=80\",host=\"=C3\"}") !=
                 std::string::npos,
             odd_page);
  // The lines of a finished match disappear after a while.
  const std::string later =
      to_prometheus({{.reported = status}}, status.reported_at_us + silence_is_shown_us + 1);
  BOOST_TEST(later.find("tickreel_match_records_total{") == std::string::npos);
  BOOST_TEST(later.find("tickreel_settled_matches 1\n") != std::string::npos);
  BOOST_TEST(to_json(std::vector<fleet_match>{{.reported = status}}).ends_with("\"silent\":false}]"));
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
