// Older indexes, newer ones, and files of other programs.
#include "schema.hpp"
#include "library_files.hpp"

BOOST_AUTO_TEST_SUITE(library_tests)
BOOST_AUTO_TEST_SUITE(schema_test)

using namespace tickreel;
using namespace tickreel::library;
using namespace tickreel::test;

namespace {

connection made(const std::filesystem::path& path, int version) {
  connection out = taken(connection::open(path, connection::access::create));
  if (version > 0) BOOST_REQUIRE(migrate(out, version).has_value());
  return out;
}

}  // namespace

BOOST_AUTO_TEST_CASE(older_ones_are_upgraded_without_loss) {
  for (int version = 1; version < schema_version; ++version) {
    scratch_folder folder;
    const auto path = folder.path() / "library.db";
    {
      connection old = made(path, version);
      BOOST_REQUIRE(old.run(
          "INSERT INTO files (id, path, bytes, modified_ns, inode, hash, format, format_version, health, "
          "reason, scanned_ms, vanished_ms) VALUES (7, x'2f61', 10, 5, 6, 9, 'gamecache', 3, 'whole', '', 1, "
          "NULL),"
          "(8, x'2f62', 10, 5, 6, 9, 'butter', 3, 'incomplete', 'early', 1, NULL),"
          "(9, x'2f63', 10, 5, 6, 9, 'rec', 1, 'whole', '', 1, NULL);"
          "INSERT INTO games (id, file, place, name, session, map, mode, result, started_ms, "
          "duration_ms, ticks) "
          "VALUES (3, 8, 0, 'n', 's', 'arena', 'm', 'blue', 99, 1000, 30);"
          "INSERT INTO players VALUES (3, 0, 'Alice', 'alice', 'blue', 1, 1, '{}')"));
    }
    const auto index = taken(catalogue::open(path));
    std::vector<game> found;
    (void)taken(index.find({.player = "Alice"}, [&](const game& each) {
      found.push_back(each);
      return true;
    }));
    BOOST_REQUIRE_EQUAL(found.size(), 1u);
    BOOST_TEST(found[0].file == "/b");
    BOOST_TEST(found[0].reason == "early");
    BOOST_TEST(found[0].started_ms.value_or(0) == 99);
    connection now = taken(connection::open(path, connection::access::read_only));
    BOOST_TEST(taken(now.number("PRAGMA user_version")) == schema_version);
    BOOST_TEST(taken(now.number("SELECT count(*) FROM recordings")) == 1);
    BOOST_TEST(taken(now.number("SELECT count(*) FROM caches")) == 0);
    BOOST_TEST(taken(now.number("SELECT count(*) FROM kept_columns")) == 0);
    // Caches that were scanned before their bytes were stored are read again.
    if (version == 1) BOOST_TEST(taken(now.number("SELECT modified_ns FROM files WHERE id = 7")) == 0);
    // So are Echo VR matches that were scanned before their events were stored. Nothing else is.
    BOOST_TEST(taken(now.number("SELECT modified_ns FROM files WHERE id = 8")) == (version < 7 ? 0 : 5));
    BOOST_TEST(taken(now.number("SELECT modified_ns FROM files WHERE id = 9")) == 5);
  }
}

BOOST_AUTO_TEST_CASE(a_failed_step_changes_nothing) {
  scratch_folder folder;
  const auto path = folder.path() / "library.db";
  {
    connection old = made(path, 1);
    // An obstacle for the second step.
    BOOST_REQUIRE(old.run("CREATE TABLE cache_items (x)"));
  }
  BOOST_TEST(!catalogue::open(path));
  connection after = taken(connection::open(path, connection::access::read_only));
  BOOST_TEST(taken(after.number("PRAGMA user_version")) == 1);
  BOOST_TEST(taken(after.number("SELECT count(*) FROM sqlite_schema WHERE name = 'caches'")) == 0);
}

BOOST_AUTO_TEST_CASE(newer_ones_are_not_touched) {
  scratch_folder folder;
  const auto path = folder.path() / "library.db";
  BOOST_REQUIRE(made(path, schema_version).run("PRAGMA user_version = 99"));
  const byte_vector before = read_file(path);
  BOOST_TEST((catalogue::open(path).error().code == error_code::unsupported_version));
  BOOST_TEST((read_file(path) == before));
}

BOOST_AUTO_TEST_CASE(files_of_other_programs_are_not_touched) {
  scratch_folder folder;
  const auto path = folder.path() / "other.db";
  BOOST_REQUIRE(made(path, 0).run("CREATE TABLE theirs (x)"));
  byte_vector before = read_file(path);
  BOOST_TEST((catalogue::open(path).error().code == error_code::malformed));
  BOOST_TEST((read_file(path) == before));
  const auto text = folder.path() / "text";
  write_file(text, as_bytes(std::string(5000, 'x')));
  before = read_file(text);
  BOOST_TEST((catalogue::open(text).error().code == error_code::malformed));
  BOOST_TEST((read_file(text) == before));
}

BOOST_AUTO_TEST_CASE(without_create_no_file_is_created) {
  scratch_folder folder;
  const auto path = folder.path() / "deep" / "library.db";
  BOOST_TEST((catalogue::open(path, false).error().code == error_code::not_found));
  BOOST_TEST(!std::filesystem::exists(folder.path() / "deep"));
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
