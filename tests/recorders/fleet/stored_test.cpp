// Delivered means stored: effects of foreign publishers and administrators on a match's stream.
#include <boost/test/unit_test.hpp>
#include <set>

#include "administrator.hpp"
#include "delivered.hpp"
#include "random.hpp"
#include "tickreel/fleet/status.hpp"
#include "tickreel/io/file.hpp"

BOOST_AUTO_TEST_SUITE(fleet_broker_tests)
BOOST_AUTO_TEST_SUITE(stored_test)

using namespace tickreel;
using namespace tickreel::fleet;
using namespace tickreel::test;

namespace {

publish_options comparing_options() {
  publish_options out = quick_options();
  out.compare_interval = 10ms;
  return out;
}

}  // namespace

// Such as a report that a broken connection held back.
BOOST_AUTO_TEST_CASE(a_message_that_replaces_another_one_than_it_names_is_refused, *with_broker) {
  const scratch_folder folder;
  const nats_server server(folder.path());
  auto in = connected_to(server.url());
  BOOST_REQUIRE(in);
  BOOST_REQUIRE(in->ensure_stream({.name = "reports", .subjects = {"reports.*"}}));
  const auto replace = [&](std::uint64_t last) {
    return in->publish("reports.one", as_bytes("x"), {{replaces_field, std::to_string(last)}});
  };
  BOOST_TEST((replace(7).error().code == error_code::in_use));
  const auto first = replace(0);
  BOOST_REQUIRE(first);
  BOOST_REQUIRE(in->publish("reports.two", as_bytes("x")));
  BOOST_TEST((replace(0).error().code == error_code::in_use));
  BOOST_TEST(replace(first->stream_sequence).has_value());
}

BOOST_AUTO_TEST_CASE(an_id_in_use_blocks_no_record, *with_broker) {
  auto random = seeded_random("stolen");
  scratch_folder folder;
  const nats_server server(folder.path());
  const auto made = random_reel(random, 100, true);
  const std::string path = folder / "stolen.reel";
  write_file(path, made.bytes);
  const auto subjects = subjects_of({"main", "stolen"});
  BOOST_REQUIRE(subjects);
  auto thief = connected_to(server.url());
  BOOST_REQUIRE(thief);
  BOOST_REQUIRE(thief->ensure_stream({.name = subjects->stream, .subjects = {subjects->league_subjects}}));
  const auto opened = reel::reader::from_memory(made.bytes);
  const std::string id = reel_id(opened->header_bytes(), *subjects);
  for (std::size_t each = 0; each < 100; ++each) {
    BOOST_REQUIRE(
        thief->publish(subjects->records, as_bytes("x"), {{"Nats-Msg-Id", id + "-" + std::to_string(each)}}));
  }
  BOOST_REQUIRE(publish_reel(server.url(), path, quick_options()));
  BOOST_TEST((followed(server.url("main", "stolen"), folder / "came") == made.bytes));
  // Ids of this process are useless to readers of it: the next ids do not follow from them.
  std::set<std::string> ids;
  for (std::uint64_t place = 101; const auto one = thief->at(subjects->stream, place); ++place) {
    if (!*one) break;
    ids.emplace((*one)->field("Nats-Msg-Id"));
    BOOST_TEST((*one)->field("Nats-Msg-Id").find(id) == std::string_view::npos);
  }
  BOOST_TEST(ids.size() > 100u);
}

BOOST_AUTO_TEST_CASE(a_running_recorder_detects_and_repairs_removed_records, *with_broker) {
  auto random = seeded_random("removed");
  for (const char* const what : {"some", "subject", "stream", "deleted"}) {
    BOOST_TEST_CONTEXT(what) {
      scratch_folder folder;
      const nats_server server(folder.path());
      administrator admin(server.port());
      const std::string path = folder / "live.reel";
      auto sink = publish_to(server.url(), path, comparing_options());
      BOOST_REQUIRE(sink);
      const reel::queue_view view = (*sink)->view();
      growing_reel growing(path, random, std::move(*sink));
      auto watching = follower::create(server.url("main", "live"), folder / "watched", quick_follow());
      BOOST_REQUIRE(watching);
      growing.grow(100);
      BOOST_REQUIRE(eventually([&] { return view.counters().confirmed >= 100; }));
      BOOST_REQUIRE(eventually([&] { return watching->pump(10ms) && watching->begun(); }));
      const std::string name = what;
      if (name == "some") {
        for (std::uint64_t place = 1; place < 100; place += 1 + random() % 10) {
          BOOST_TEST(admin.remove("TICKREEL_L_main", place));
        }
      }
      if (name == "subject") BOOST_TEST(admin.purge("TICKREEL_L_main", "tickreel.main.live"));
      if (name == "stream") BOOST_TEST(admin.purge("TICKREEL_L_main"));
      if (name == "deleted") BOOST_TEST(admin.delete_stream("TICKREEL_L_main"));
      BOOST_REQUIRE(eventually([&] {
        growing.grow(1);
        return view.counters().retried > 0 && view.counters().lag_records < 20;
      }));
      // Before the match ends.
      auto late = quick_follow();
      auto whole = follower::create(server.url("main", "live"), folder / "late", late);
      BOOST_REQUIRE(whole);
      BOOST_TEST(eventually([&] {
        return whole->pump(10ms) && whole->counters().reel.records >= 100 && !whole->counters().reel.missing;
      }));
      growing.grow(20);
      BOOST_REQUIRE(growing.writer->finish());
      BOOST_TEST(eventually([&] { return view.counters().ended; }));
      growing.writer.reset();
      BOOST_TEST(eventually([&] { return watching->pump(10ms) && watching->ended(); }));
      BOOST_TEST(watching->counters().reel.lost_records == 0u);
      BOOST_TEST((read_file(folder / "watched") == read_file(path)));
      BOOST_TEST((followed(server.url("main", "live"), folder / "came") == read_file(path)));
    }
  }
}

// A reader of a match knows the ids and heads of its messages, and may send them with other bodies.
BOOST_AUTO_TEST_CASE(copied_ids_with_other_bodies_are_not_accepted, *with_broker) {
  auto random = seeded_random("copied");
  scratch_folder folder;
  const nats_server server(folder.path());
  administrator admin(server.port());
  const std::string path = folder / "live.reel";
  publish_options options = quick_options();
  options.compare_interval = std::chrono::hours(1);  // only the end is compared
  auto sink = publish_to(server.url(), path, options);
  BOOST_REQUIRE(sink);
  const reel::queue_view view = (*sink)->view();
  growing_reel growing(path, random, std::move(*sink));
  growing.grow(50);
  BOOST_REQUIRE(eventually([&] { return view.counters().confirmed >= 50; }));
  auto copier = connected_to(server.url());
  BOOST_REQUIRE(copier);
  std::vector<std::pair<header_fields, std::string>> copies;
  for (std::uint64_t place = 1; const auto one = copier->at("TICKREEL_L_main", place); ++place) {
    if (!*one) break;
    header_fields fields = to_fields(*(*one)->head());
    fields.emplace_back("Nats-Msg-Id", (*one)->field("Nats-Msg-Id"));
    std::string body(as_text((*one)->body()));
    body.back() = static_cast<char>(body.back() ^ 1);
    copies.emplace_back(std::move(fields), std::move(body));
  }
  BOOST_TEST(copies.size() > 50u);
  BOOST_TEST(admin.delete_stream("TICKREEL_L_main"));
  BOOST_REQUIRE(copier->ensure_stream({.name = "TICKREEL_L_main", .subjects = {"tickreel.main.>"}}));
  for (const auto& [fields, body] : copies) {
    BOOST_REQUIRE(copier->publish("tickreel.main.live", as_bytes(body), fields));
  }
  BOOST_REQUIRE(growing.writer->finish());
  BOOST_TEST(eventually([&] { return view.counters().ended; }));
  growing.writer.reset();
  auto from = follower::create(server.url("main", "live"), folder / "came", quick_follow());
  BOOST_REQUIRE(from);
  BOOST_TEST(eventually([&] { return from->pump(50ms) && from->ended(); }));
  BOOST_TEST(from->counters().reel.lost_records == 0u);
  BOOST_TEST((read_file(folder / "came") == read_file(path)));
}

// Otherwise no archiver would ever read the match.
BOOST_AUTO_TEST_CASE(a_removed_offer_is_made_again, *with_broker) {
  auto random = seeded_random("offers");
  for (const bool whole_stream : {false, true}) {
    scratch_folder folder;
    const nats_server server(folder.path());
    administrator admin(server.port());
    const std::string path = folder / "live.reel";
    auto sink = publish_to(server.url(), path, quick_options());
    BOOST_REQUIRE(sink);
    const reel::queue_view view = (*sink)->view();
    growing_reel growing(path, random, std::move(*sink));
    growing.grow(20);
    BOOST_REQUIRE(eventually([&] { return view.counters().confirmed >= 20; }));
    const std::string work(work_stream);
    BOOST_TEST((whole_stream ? admin.delete_stream(work) : admin.purge(work)));
    BOOST_REQUIRE(growing.writer->finish());
    BOOST_TEST(eventually([&] { return view.counters().ended; }));
    growing.writer.reset();
    auto look = connected_to(server.url());
    BOOST_REQUIRE(look);
    const auto offer = look->last(work, "tickreel-work.main.live");
    BOOST_REQUIRE((offer && *offer));
    const auto read = read_work((*offer)->body());
    BOOST_REQUIRE(read);
    BOOST_TEST(read->name.match == "live");
  }
}

BOOST_AUTO_TEST_CASE(holes_are_shown_and_repaired_by_publish, *with_broker) {
  auto random = seeded_random("holes");
  scratch_folder folder;
  const nats_server server(folder.path());
  administrator admin(server.port());
  const auto made = random_reel(random, 300, true);
  const std::string path = folder / "holes.reel";
  write_file(path, made.bytes);
  BOOST_REQUIRE(publish_reel(server.url(), path, quick_options()));
  auto look = connected_to(server.url());
  BOOST_REQUIRE(look);
  const auto matches = [&] {
    auto all = read_fleet(*look, "", 0);
    BOOST_REQUIRE(all);
    BOOST_REQUIRE(all->size() == 1u);
    return all->front();
  };
  BOOST_TEST(matches().holes == 0u);
  const auto before = look->stream("TICKREEL_L_main");
  BOOST_REQUIRE(before);
  // Far from the end, and with the header.
  for (const std::uint64_t place : {1u, 2u, 5u, 6u, 7u, 100u})
    BOOST_TEST(admin.remove("TICKREEL_L_main", place));
  // A foreign message does not replace one.
  BOOST_REQUIRE(look->publish("tickreel.main.holes", as_bytes("x")));
  BOOST_TEST(matches().holes == 5u);
  BOOST_TEST(matches().reported.state == "holes");
  const auto repaired = publish_reel(server.url(), path, quick_options());
  BOOST_REQUIRE(repaired);
  BOOST_TEST(repaired->handed_over == 5u);
  BOOST_TEST(matches().holes == 0u);
  BOOST_TEST((followed(server.url("main", "holes"), folder / "came") == made.bytes));
  // All of it immediately afterwards: while the broker still remembers ids.
  BOOST_TEST(admin.purge("TICKREEL_L_main"));
  BOOST_TEST(matches().holes == repaired->counters.confirmed);
  const auto again = publish_reel(server.url(), path, quick_options());
  BOOST_REQUIRE(again);
  BOOST_TEST(again->handed_over == repaired->counters.confirmed);
  BOOST_TEST((followed(server.url("main", "holes"), folder / "again") == made.bytes));
}

BOOST_AUTO_TEST_CASE(a_stream_with_a_raised_limit_has_the_header_too, *with_broker) {
  auto random = seeded_random("raised");
  scratch_folder folder;
  const nats_server server(folder.path());
  administrator admin(server.port());
  publish_options options = comparing_options();
  options.keep_bytes = 60'000;
  const std::string other = folder / "other.reel";
  write_file(other, random_reel(random, 60, true).bytes);
  options.queue.close_wait_ms = 50;
  const auto filled = publish_reel(server.url(), other, options, [](const reel::queue_counters& counters) {
    return !counters.trouble || counters.trouble->code != error_code::no_space;
  });
  (void)filled;
  const std::string path = folder / "live.reel";
  options.queue.close_wait_ms = 60'000;
  auto sink = publish_to(server.url(), path, options);
  BOOST_REQUIRE(sink);
  const reel::queue_view view = (*sink)->view();
  growing_reel growing(path, random, std::move(*sink));
  BOOST_REQUIRE(eventually([&] {
    growing.grow(5);
    const auto reported = view.counters().last_error;
    return reported && reported->code == error_code::no_space;
  }));
  BOOST_TEST(admin.set_max_bytes("main", -1));
  BOOST_REQUIRE(growing.writer->finish());
  BOOST_TEST(eventually([&] { return view.counters().ended; }));
  growing.writer.reset();
  BOOST_TEST((followed(server.url("main", "live"), folder / "came") == read_file(path)));
}

BOOST_AUTO_TEST_CASE(status_lines_of_other_publishers_are_not_control_messages, *with_broker) {
  auto random = seeded_random("status lines");
  scratch_folder folder;
  const nats_server server(folder.path());
  administrator other(server.port());
  const std::string path = folder / "live.reel";
  auto sink = publish_to(server.url(), path, comparing_options());
  BOOST_REQUIRE(sink);
  const reel::queue_view view = (*sink)->view();
  growing_reel growing(path, random, std::move(*sink));
  growing.grow(20);
  auto watching = follower::create(server.url("main", "live"), folder / "watched", quick_follow());
  BOOST_REQUIRE(watching);
  BOOST_REQUIRE(eventually([&] { return watching->pump(10ms) && watching->begun(); }));
  for (const char* const line : {"100 Idle Heartbeat", "100 FlowControl Request", "503", "404 No Messages",
                                 "408 Request Timeout", "409 Consumer Deleted"}) {
    for (const char* const subject : {"tickreel.main.live", "tickreel-work.main.live"}) {
      other.publish_status_line(subject, line);
    }
    growing.grow(10);
  }
  BOOST_REQUIRE(growing.writer->finish());
  BOOST_TEST(eventually([&] { return view.counters().ended; }));
  growing.writer.reset();
  BOOST_TEST(eventually([&] { return watching->pump(10ms) && watching->ended(); }));
  BOOST_TEST(watching->counters().reconnects == 0u);
  BOOST_TEST((read_file(folder / "watched") == read_file(path)));
  BOOST_TEST((followed(server.url("main", "live"), folder / "came") == read_file(path)));
  // Work is assigned after them, too.
  auto archiver = connected_to(server.url());
  BOOST_REQUIRE(archiver);
  auto work = archiver->share_work(std::string(work_stream), std::string(archivers_consumer), 30s, 100);
  BOOST_REQUIRE(work);
  std::size_t came = 0;
  BOOST_TEST(eventually([&] {
    auto one = work->next(200ms);
    BOOST_REQUIRE(one);
    if (*one) BOOST_REQUIRE((*one)->acknowledge());
    came += one->has_value() ? 1u : 0u;
    return came == 7u;
  }));
  BOOST_TEST(*work->given_out() == 0u);
}

BOOST_AUTO_TEST_CASE(a_subscription_of_a_deleted_stream_fails, *with_broker) {
  scratch_folder folder;
  const nats_server server(folder.path());
  administrator admin(server.port());
  auto from = connected_to(server.url());
  BOOST_REQUIRE(from);
  BOOST_REQUIRE(from->ensure_stream({.name = "TICKREEL_L_a", .subjects = {"tickreel.a.>"}}));
  BOOST_REQUIRE(from->publish("tickreel.a.b", as_bytes("x")));
  auto reading = from->subscribe("TICKREEL_L_a", {.subject = "tickreel.a.b"});
  BOOST_REQUIRE(reading);
  BOOST_TEST((reading->next(60s) && true));
  BOOST_TEST(admin.delete_stream("TICKREEL_L_a"));
  BOOST_TEST(eventually([&] { return !reading->next(100ms); }));
}

// recorders/fleet/deploy/nats.conf unchanged, except for settings that two servers on one machine cannot share.
BOOST_AUTO_TEST_CASE(the_roles_of_the_deployed_broker_have_exactly_the_needed_rights, *with_broker) {
  auto random = seeded_random("roles");
  scratch_folder folder;
  std::string config{as_text(read_file(TICKREEL_FLEET_DEPLOY "/nats.conf"))};
  for (const char* const own : {"http: ", "store_dir: ", "port: "}) {
    const std::size_t at = config.find(own);
    BOOST_REQUIRE(at != std::string::npos);
    config.erase(at, config.find('\n', at) - at);
  }
  write_file(folder / "nats.conf", as_bytes(config));
  for (const char* const role : {"RECORDER", "WATCHER", "ARCHIVER", "ADMIN"}) {
    ::setenv((std::string(role) + "_PASSWORD").c_str(), "secret", 1);
  }
  const nats_server server(folder.path(), {"-c", folder / "nats.conf"});
  const auto as = [](const char* user) {
    broker_options out;
    out.user = user;
    out.password = "secret";
    return out;
  };
  const auto made = random_reel(random, 50, true);
  const std::string path = folder / "match.reel";
  write_file(path, made.bytes);
  publish_options recording = quick_options();
  recording.broker = as("recorder");
  BOOST_REQUIRE(publish_reel(server.url(), path, recording));
  follow_options watching = quick_follow();
  watching.broker = as("watcher");
  BOOST_TEST((followed(server.url("main", "match"), folder / "came", watching) == made.bytes));
  auto watcher = connected_to(server.url(), as("watcher"));
  BOOST_REQUIRE(watcher);
  const auto seen = read_fleet(*watcher, "", 0);
  BOOST_REQUIRE(seen);
  BOOST_TEST(seen->size() == 1u);
  // The broker does not answer a refused request, so the client waits for as long as it may. If its refusal came later, again.
  const auto refuses = [&](const char* user, const auto& request) {
    broker_options how = as(user);
    how.connect = 60s;
    how.wait = 2s;
    bool is_refused = false;
    BOOST_TEST(eventually([&] {
      auto to = broker::connect(server.url(), how);
      if (!to) return false;
      const auto outcome = request(*to);
      is_refused = !outcome && outcome.error().code == error_code::permission_denied;
      return outcome || outcome.error().code != error_code::timed_out;
    }));
    return is_refused;
  };
  const auto refuses_to_store = [&](const char* user, const char* subject) {
    return refuses(user, [&](broker& to) { return to.publish(subject, as_bytes("x")); });
  };
  const auto refuses_to_delete = [&](const char* user) {
    return refuses(user, [](broker& to) { return to.delete_stream("TICKREEL_L_main"); });
  };
  for (const char* const subject : {"tickreel.main.match", "tickreel-status.main.match",
                                    "tickreel-work.main.match", "tickreel-archived.main.match"}) {
    BOOST_TEST(refuses_to_store("watcher", subject), subject);
  }
  BOOST_TEST(refuses_to_delete("watcher"));
  BOOST_TEST(refuses_to_store("recorder", "tickreel-archived.main.match"));
  BOOST_TEST(refuses_to_delete("recorder"));
  auto archiver = connected_to(server.url(), as("archiver"));
  BOOST_REQUIRE(archiver);
  auto work = archiver->share_work(std::string(work_stream), std::string(archivers_consumer), 30s, 100);
  BOOST_REQUIRE(work);
  std::optional<message> offered;
  BOOST_TEST(eventually([&] {
    auto one = work->next(200ms);
    BOOST_REQUIRE(one);
    offered = std::move(*one);
    return offered.has_value();
  }));
  BOOST_TEST(archiver->publish("tickreel-archived.main.match", as_bytes("{}")).has_value());
  BOOST_TEST(archiver->publish("tickreel-work.main.match", as_bytes("{}")).has_value());
  BOOST_TEST(eventually([&] { return offered->still_working().has_value(); }));
  BOOST_TEST(offered->acknowledge().has_value());
  BOOST_TEST(refuses_to_store("archiver", "tickreel.main.match"));
  // Rights of the administrator only, and of archivers for their own work only.
  for (const char* const user : {"recorder", "watcher", "archiver"}) {
    administrator raw(server.port(), user, "secret");
    BOOST_TEST(raw.may_publish("$JS.API.STREAM.INFO.TICKREEL_L_main"), user);
    for (const char* const subject :
         {"$JS.API.STREAM.PURGE.TICKREEL_L_main", "$JS.API.STREAM.DELETE.TICKREEL_L_main",
          "$JS.API.STREAM.MSG.DELETE.TICKREEL_L_main", "$JS.API.STREAM.UPDATE.TICKREEL_L_main",
          "$JS.API.STREAM.RESTORE.TICKREEL_L_main", "$SYS.REQ.SERVER.PING", "other"}) {
      BOOST_TEST(!raw.may_publish(subject), std::string(user) + ' ' + subject);
    }
    const bool archives = std::string_view(user) == "archiver";
    for (const char* const subject :
         {"$JS.API.CONSUMER.CREATE.TICKREEL_WORK", "$JS.API.CONSUMER.CREATE.TICKREEL_WORK.x",
          "$JS.API.CONSUMER.DELETE.TICKREEL_WORK.archivers", "$JS.ACK.TICKREEL_WORK.archivers.1.1.1.1.1",
          "$JS.API.CONSUMER.MSG.NEXT.TICKREEL_WORK.archivers"}) {
      BOOST_TEST(raw.may_publish(subject) == archives, std::string(user) + ' ' + subject);
    }
  }
}

BOOST_AUTO_TEST_CASE(the_spool_of_a_killed_follower_is_removed_by_the_next) {
  const auto folder = std::filesystem::temp_directory_path();
  auto used = spool_file::create();
  BOOST_REQUIRE(used);
  auto held = file::create_new(used->path());
  BOOST_REQUIRE(held);
  const std::string left =
      (folder / ("tickreel-follow-left" + std::to_string(::getpid()) + ".reel")).string();
  write_file(left, as_bytes("x"));
  const auto next = spool_file::create();
  BOOST_REQUIRE(next);
  BOOST_TEST(!std::filesystem::exists(left));
  BOOST_TEST(std::filesystem::exists(used->path().utf8()));
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
