// tickreel query --library: events from the index are exactly those of the files.
#include "mixed_season.hpp"

BOOST_AUTO_TEST_SUITE(cli_query_tests)
BOOST_AUTO_TEST_SUITE(query_index_test)

namespace {

using namespace tickreel;
using namespace tickreel::test;
using access = library::connection::access;

std::string some_statement(std::mt19937_64& random) {
  const auto one_of = [&](std::initializer_list<const char*> all) {
    return std::string(std::data(all)[random() % all.size()]);
  };
  const auto number = [&](std::uint64_t most) { return std::to_string(random() % most); };
  const auto restriction = [&]() -> std::string {
    switch (random() % 6) {
      case 0:
        return "type = " +
               one_of({"'throw'", "'indexed_bell'", "'pause_event'", "'chat'", "'none'", "'THROW'"});
      case 1:
        return "tick " + one_of({"<", ">", ">=", "<=", "="}) + number(200);
      case 2:
        return "time_ms " + one_of({"<", ">", ">=", "<="}) + number(6000);
      case 3:
        return "type IN ('throw', 'stun', 'indexed_bell')";
      case 4:
        return "recording LIKE '%" + one_of({"reel", "butter", "cut-%", "SC2Replay"}) + "'";
      default:
        return "\"player.name\" IS NOT NULL";
    }
  };
  std::string sql = "SELECT " + one_of({"*", "recording, count(*) AS n", "tick, time_ms, type", "type, event",
                                        "\"player.name\" AS player, speed, count, tick"});
  const bool is_grouped = sql.ends_with(" n");
  sql += " FROM events";
  if (random() % 5 != 0) sql += " WHERE " + restriction();
  if (sql.find("WHERE") != std::string::npos && random() % 2 == 0) {
    sql += one_of({" AND ", " OR "}) + restriction();
  }
  if (is_grouped) return sql + " GROUP BY recording";
  return random() % 3 == 0 ? sql + " ORDER BY type, tick" : sql;
}

}  // namespace

BOOST_AUTO_TEST_CASE(events_of_the_index_are_those_of_the_files) {
  auto random = seeded_random("events of the index");
  const mixed_season of(random);
  of.scan();
  const std::size_t quick = of.from_index();
  BOOST_TEST(quick > 5u);
  for (int each = 0; each < 12; ++each) of.compare(some_statement(random));
  of.compare(
      "SELECT a.tick, b.tick AS next FROM events a JOIN events b ON b.recording = a.recording "
      "AND b.tick BETWEEN a.tick AND a.tick + 30 AND b.type = 'throw' WHERE a.type = 'stun'");
  // A thorough scan stores those of all formats.
  of.scan({"--thorough", "--everything"});
  BOOST_TEST(of.from_index() > quick);
  for (int each = 0; each < 25; ++each) of.compare(some_statement(random));
}

#ifndef _WIN32
BOOST_AUTO_TEST_CASE(events_of_the_index_are_those_of_the_objects) {
  auto random = seeded_random("events of objects");
  mixed_season of(random);
  of.scan();
  const std::size_t of_files = of.from_index();
  std::filesystem::remove(of.index);
  of.move_to_store();
  of.scan();
  const std::size_t before = of.from_index();
  BOOST_TEST(before == of_files);
  for (int each = 0; each < 3; ++each) of.compare(some_statement(random));
  // Nothing but the list is fetched.
  const std::uint64_t requests = of.s3->requests();
  const outcome said = run_query("SELECT count(*) FROM events", {of.address + "/match.butter"},
                                 {"--library", "--db", of.index});
  BOOST_TEST(said.code == 0, said.err);
  BOOST_TEST(of.s3->requests() == requests + 1);

  const std::string all = "SELECT * FROM events";
  // Another content of the same size; another one; a removed one; a new one; one under the name of another.
  auto other = short_match();
  other.seed = 99;
  const std::filesystem::path season = of.season;
  byte_vector changed = read_file(season / "match.butter");
  changed[changed.size() / 2] ^= std::byte{1};
  of.s3->put("season/match.butter", std::string(as_text(changed)));
  std::filesystem::remove(season / "match.reel");
  write_match(season / "match.reel", {}, other);
  of.put("match.reel");
  of.s3->remove("season/plain.echoreplay");
  write_match(season / "late.butter", {}, other);
  of.put("late.butter");
  of.compare(all);
  BOOST_TEST(of.from_index() == before - 3);
  of.scan();
  of.compare(all);
  BOOST_TEST(of.from_index() == before - 1);
  // The index of another store: same addresses, other objects.
  of.s3->change("season/late.butter",
                [&](auto& object) { object.content = text_of_file(season / "match.reel"); });
  of.compare(all);
  of.s3->lists_tags = false;
  BOOST_TEST(of.from_index() == 0u);
  of.compare(all);
  of.s3->lists_tags = true;
  of.scan({"--thorough", "--everything"});
  BOOST_TEST(of.from_index() > before);
  for (int each = 0; each < 3; ++each) of.compare(some_statement(random));
}
#endif

BOOST_AUTO_TEST_CASE(changed_removed_and_late_files_are_read) {
  auto random = seeded_random("changed files");
  const mixed_season of(random);
  of.scan({"--thorough"});
  const std::size_t before = of.from_index();
  const std::string all = "SELECT * FROM events";
  // The same name and size, another content.
  const auto target = std::filesystem::path(of.season) / "match.reel";
  const auto time = std::filesystem::last_write_time(target);
  auto other = short_match();
  other.seed = 99;
  std::filesystem::remove(target);
  write_match(target, {}, other);
  std::filesystem::last_write_time(target, time + std::chrono::seconds(1));
  of.compare(all);
  // Only its time.
  change_time(std::filesystem::path(of.season) / "match.butter");
  of.compare(all);
  BOOST_TEST(of.from_index() == before - 2);
  std::filesystem::remove(std::filesystem::path(of.season) / "plain.echoreplay");
  write_match(std::filesystem::path(of.season) / "late.butter");
  of.compare(all);
  BOOST_TEST(of.from_index() == before - 3);
  // A name that now means another file, and another name of one that is indexed.
  std::filesystem::rename(std::filesystem::path(of.season) / "bells.reel",
                          std::filesystem::path(of.season) / "lines.reel");
  of.compare(all);
  of.scan({"--thorough"});
  of.compare(all);
  BOOST_TEST(of.from_index() == before - 1);
}

BOOST_AUTO_TEST_CASE(an_older_index_is_scanned_again) {
  auto random = seeded_random("older index");
  const mixed_season of(random);
  of.scan();
  const std::size_t before = of.from_index();
  {
    auto index = taken(library::connection::open(of.index, access::read_write));
    BOOST_REQUIRE(
        index.run("DROP TABLE events; DROP TABLE kept_columns; ALTER TABLE files DROP COLUMN events; PRAGMA "
                  "user_version = 6"));
  }
  const outcome older = of.with_index("SELECT count(*) FROM events");
  BOOST_TEST(older.code == 1);
  BOOST_TEST(older.says("index version 6 needs an upgrade to 8"), older.err);
  // The migration alone stores nothing.
  BOOST_TEST(run({"library", "find", "--db", of.index}).code == 0);
  BOOST_TEST(of.from_index() == 0u);
  of.compare("SELECT * FROM events");
  of.scan();
  BOOST_TEST(of.from_index() == before);
}

// Contents that no scan writes. None changes the rows.
BOOST_AUTO_TEST_CASE(events_of_a_damaged_index_are_read_from_the_files) {
  auto random = seeded_random("damaged index");
  const mixed_season of(random);
  of.scan();
  const byte_vector sound = read_file(of.index);
  for (const char* const damage :
       {"UPDATE events SET lines = x''", "UPDATE events SET lines = x'03' || randomblob(50)",
        "UPDATE events SET lines = substr(lines, 1, length(lines) - 3)",
        "UPDATE events SET places = x'ffffffff'", "UPDATE events SET places = places || x'00'",
        "UPDATE events SET count = count + 1", "UPDATE events SET count = -1",
        "UPDATE files SET events = events + 1 WHERE events IS NOT NULL", "UPDATE files SET events = -1",
        "DELETE FROM events WHERE type = 'throw'"}) {
    {
      auto index = taken(library::connection::open(of.index, access::read_write));
      BOOST_REQUIRE(index.run(damage));
    }
    of.compare("SELECT * FROM events");
    write_file(of.index, sound);
  }
}

#ifndef _WIN32
BOOST_AUTO_TEST_CASE(an_index_without_the_right_to_write_gives_events) {
  auto random = seeded_random("write-protected index");
  const mixed_season of(random);
  of.scan();
  const std::size_t before = of.from_index();
  std::filesystem::permissions(of.index, std::filesystem::perms::owner_read);
  BOOST_TEST(of.from_index() == before);
  of.compare("SELECT * FROM events WHERE type = 'throw'");
}
#endif

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
