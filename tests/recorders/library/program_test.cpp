// The program as users run it, also when it is killed.
#include <boost/test/unit_test.hpp>

#ifndef _WIN32

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>
#include <chrono>

#include <csignal>
#include <cstdio>
#include <thread>

#include "library_files.hpp"
#include "random.hpp"
#include "tickreel/gamecache/recover.hpp"
#include "tickreel/library/sqlite.hpp"

BOOST_AUTO_TEST_SUITE(library_program_tests)
BOOST_AUTO_TEST_SUITE(program_test)

using namespace tickreel;
using namespace tickreel::test;
using gamecache::layout;

namespace {

struct answer {
  int code = -1;
  std::string out;
};

// The arguments are the test's own and need no quoting.
answer run(const std::string& arguments) {
  answer out;
  std::FILE* const pipe =
      ::popen((std::string(TICKREEL_PROGRAM) + " library " + arguments + " 2>&1").c_str(), "r");
  BOOST_REQUIRE(pipe != nullptr);
  char room[4096];
  while (const std::size_t count = std::fread(room, 1, sizeof room, pipe)) out.out.append(room, count);
  const int status = ::pclose(pipe);
  if (WIFEXITED(status)) out.code = WEXITSTATUS(status);
  return out;
}

bool holds(const answer& from, const std::string& text) {
  return from.out.find(text) != std::string::npos;
}

}  // namespace

BOOST_AUTO_TEST_CASE(from_scan_to_export) {
  scratch_folder scratch;
  const std::string db = " --db " + (scratch / "library.db");
  BOOST_TEST(run("find" + db).code == 1);
  write_cache(scratch / "cache", small_cache(layout::flat, 0, 6));
  write_file(scratch / "bad\n.butter", as_bytes("?"));
  answer got = run("scan " + scratch.path().string() + db);
  BOOST_TEST(got.code == 0, got.out);
  BOOST_TEST(holds(got, "2 files: 2 new"));
  BOOST_TEST(holds(got, "1 damaged"));
  got = run("scan --json " + scratch.path().string() + db);
  BOOST_TEST(holds(got, "\"unchanged\":2"));
  BOOST_TEST(run("scan " + (scratch / "nowhere") + db).code == 1);

  got = run("find --player bob --result won" + db);
  BOOST_TEST(got.code == 0);
  BOOST_TEST(holds(got, "cache#3"));
  BOOST_TEST(!holds(got, "cache#1"));
  got = run("find --damaged" + db);
  BOOST_TEST(holds(got, "bad\\x0a.butter"));
  got = run("find --player Guest2 --json" + db);
  BOOST_TEST(holds(got, "\"players\":[{\"name\":\"Alice\",\"team\":\"sentinel\",\"won\":true"));
  got = run("find --csv --limit 1" + db);
  BOOST_TEST(got.out.starts_with("started,duration_ms,format,"));
  BOOST_TEST(holds(got, "\"Alice, Bob, Guest5\""));
  BOOST_TEST(run("find --after yesterday" + db).code == 2);
  BOOST_TEST(run("find --json --csv" + db).code == 2);
  // Cells that a spreadsheet would compute; numbers stay numbers.
  got = run("find --csv --sql \"SELECT '=1+1' AS a, '@x,y' AS b, -5 AS c, '-5+x' AS d\"" + db);
  BOOST_TEST(got.out == "a,b,c,d\n'=1+1,\"'@x,y\",-5,'-5+x\n");
  got = run("find --sql 'SELECT count(*) AS n FROM games' --json" + db);
  BOOST_TEST(got.out == "{\"n\":\"7\"}\n");
  BOOST_TEST(run("find --sql 'DELETE FROM games'" + db).code == 2);

  got = run("stats" + db);
  BOOST_TEST(got.code == 0);
  BOOST_TEST(holds(got, "66.7 %"));
  BOOST_TEST(run("stats --html " + (scratch / "page.html") + db).code == 0);
  BOOST_TEST(run("stats --html " + (scratch / "page.html") + db).code == 1);
  BOOST_TEST(std::filesystem::file_size(scratch / "page.html") > 1000u);

  got = run("export --gamecache " + (scratch / "out") + " --format gamecache" + db);
  BOOST_TEST(got.code == 0, got.out);
  BOOST_TEST((read_file(scratch / "out") == read_file(scratch / "cache")));
  got = run("export --force --json --gamecache " + (scratch / "out") + db);
  BOOST_TEST(got.code == 3);
  BOOST_TEST(holds(got, "\"left_out\":{\"butter\":1}"));
  BOOST_TEST(run("import " + (scratch / "out") + db).code == 0);
  BOOST_TEST(run("import '" + (scratch / "bad\n.butter") + "'" + db).code != 0);
  BOOST_TEST(run("").code == 2);
  for (const char* verb : {"scan", "find", "stats", "export", "import", "watch"}) {
    got = run(std::string(verb) + " --help");
    BOOST_TEST(got.code == 0);
    BOOST_TEST(holds(got, "Examples:"));
  }
}

BOOST_AUTO_TEST_CASE(a_truncated_cache_gives_its_intact_games) {
  scratch_folder scratch;
  const auto cut_and_recover = [&](layout as) {
    const gamecache::contents all = small_cache(as, 3, 6);
    const byte_vector file = taken(gamecache::write(all));
    const std::size_t header = as == layout::flat ? 4 : 12;
    for (std::size_t size = file.size(); size > header; size -= std::min<std::size_t>(17, size - header)) {
      const auto found = gamecache::recover_file(byte_span(file).first(size));
      if (!found) continue;  // too little to detect its format
      std::size_t whole = 0;
      std::size_t at = header;
      for (const gamecache::item& each : all.items) {
        at += gamecache::item_size(each, all);
        if (at > size) break;
        ++whole;
      }
      BOOST_REQUIRE_EQUAL(found->cache.items.size(), whole);
      BOOST_TEST(found->stopped.has_value() == (size < file.size()));
    }
    write_file(scratch / "cut.gamecache", byte_span(file).first(file.size() - 10));
  };
  cut_and_recover(layout::flagged);
  cut_and_recover(layout::flat);
  const std::string program = TICKREEL_PROGRAM;
  const int code = std::system((program + " recover " + (scratch / "cut.gamecache") + " -o " +
                                (scratch / "saved.gamecache") + " >" + (scratch / "recover_output") + " 2>&1")
                                   .c_str());
  BOOST_TEST(WEXITSTATUS(code) == 3);
  const byte_vector recover_output = read_file(scratch / "recover_output");
  BOOST_TEST((as_text(recover_output).find("1 of 6 games lost") != std::string_view::npos),
             as_text(recover_output));
  const auto saved = gamecache::read(read_file(scratch / "saved.gamecache"));
  BOOST_REQUIRE(saved.has_value());
  BOOST_TEST(saved->items.size() == 5u);
}

BOOST_AUTO_TEST_CASE(an_endless_statement_ends_at_the_first_ctrl_c) {
  scratch_folder scratch;
  const std::string db = scratch / "library.db";
  write_cache(scratch / "cache", small_cache(layout::flat, 0, 2));
  BOOST_TEST(run("scan " + scratch.path().string() + " --db " + db).code == 0);
  const std::string endless =
      "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT count(*) FROM n";
  const pid_t child = ::fork();
  BOOST_REQUIRE(child >= 0);
  if (child == 0) {
    ::execl(TICKREEL_PROGRAM, TICKREEL_PROGRAM, "library", "find", "--sql", endless.c_str(), "--db",
            db.c_str(), nullptr);
    ::_exit(127);
  }
  // Usually it is working then. A signal before that ends it as well.
  std::this_thread::sleep_for(std::chrono::milliseconds(500));
  BOOST_REQUIRE(::kill(child, SIGINT) == 0);
  int status = 0;
  BOOST_REQUIRE(::waitpid(child, &status, 0) == child);
  BOOST_TEST((WIFSIGNALED(status) && WTERMSIG(status) == SIGINT));
}

BOOST_AUTO_TEST_CASE(errors_are_named) {
  scratch_folder scratch;
  const std::string db = " --db " + (scratch / "library.db");
  write_cache(scratch / "cache", small_cache(layout::flat, 0, 6));
  BOOST_TEST(run("scan " + scratch.path().string() + db).code == 0);
  BOOST_TEST(run("find --after 1999-12-31T20:00" + db).code == 0);
  BOOST_TEST(run("find --after 1999-12-31T20" + db).code == 2);
  const answer folder = run("find --db " + scratch.path().string());
  BOOST_TEST(folder.code == 2);
  BOOST_TEST(holds(folder, "is a folder"), folder.out);
  const std::string closed = scratch / "closed";
  std::filesystem::create_directory(closed);
  std::filesystem::permissions(closed, std::filesystem::perms::none);
  if (::access(closed.c_str(), R_OK) != 0) {  // root can read that too
    const answer got = run("scan " + scratch.path().string() + db);
    BOOST_TEST(got.code == 3);
    BOOST_TEST(holds(got, closed), got.out);
  }
  std::filesystem::permissions(closed, std::filesystem::perms::owner_all);
}

BOOST_AUTO_TEST_CASE(killed_at_any_moment) {
  auto random = seeded_random("killed_at_any_moment");
  scratch_folder scratch;
  const std::filesystem::path folder = scratch.path() / "files";
  std::filesystem::create_directories(folder);
  constexpr std::uint32_t files = 1500;
  for (std::uint32_t number = 0; number < files; ++number) {
    write_cache(folder / std::to_string(number), small_cache(layout::flat, number, 1));
  }
  const std::filesystem::path database = scratch.path() / "library.db";
  for (int round = 0; round < 12; ++round) {
    const pid_t child = ::fork();
    BOOST_REQUIRE(child >= 0);
    if (child == 0) {
      const int nowhere = ::open("/dev/null", O_WRONLY);
      ::dup2(nowhere, STDOUT_FILENO);
      ::execl(TICKREEL_PROGRAM, TICKREEL_PROGRAM, "library", "scan", folder.c_str(), "--db", database.c_str(),
              "--everything", static_cast<char*>(nullptr));
      ::_exit(127);
    }
    std::this_thread::sleep_for(std::chrono::microseconds(random() % 250'000));
    ::kill(child, SIGKILL);
    int status = 0;
    BOOST_REQUIRE(::waitpid(child, &status, 0) == child);

    auto index = taken(library::catalogue::open(database));
    auto look = taken(library::connection::open(database, library::connection::access::read_only));
    auto check = taken(look.prepare("PRAGMA integrity_check"));
    BOOST_REQUIRE(taken(check.step()));
    BOOST_TEST(check.text(0) == "ok");
    BOOST_TEST(taken(look.number("SELECT count(*) FROM pragma_foreign_key_check")) == 0);
    // Every indexed file has its game and its three players.
    const auto known = taken(look.number("SELECT count(*) FROM files"));
    BOOST_TEST(taken(look.number("SELECT count(*) FROM games")) == known);
    BOOST_TEST(taken(look.number("SELECT count(*) FROM players")) == 3 * known);
    BOOST_TEST(taken(index.find({.player = "Alice"}, [](const auto&) { return true; })) ==
               static_cast<std::uint64_t>(known));
  }
  auto index = taken(library::catalogue::open(database));
  const auto report = taken(index.scan({folder}));
  BOOST_TEST(report.added + report.unchanged == files);
  BOOST_TEST(taken(index.find({}, [](const auto&) { return true; })) == files);
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()

#else

BOOST_AUTO_TEST_SUITE(library_program_tests)
BOOST_AUTO_TEST_SUITE(program_test)
BOOST_AUTO_TEST_CASE(not_supported_on_this_system) {
  BOOST_TEST_MESSAGE("the tests of the program need POSIX");
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()

#endif
