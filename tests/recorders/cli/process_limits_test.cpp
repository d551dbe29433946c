// Limits of the process, and standard streams that are closed.
#ifndef _WIN32
#include <boost/test/unit_test.hpp>
#include <filesystem>

#include "fixtures.hpp"
#include "run_program.hpp"
#include "served_game.hpp"

BOOST_AUTO_TEST_SUITE(cli_tests)
BOOST_AUTO_TEST_SUITE(process_limits_test)

namespace {

using namespace tickreel::test;

struct limited {
  const scratch_folder folder;
  std::string match = folder / "m.echoreplay";
  std::string err = folder / "err";

  limited() { write_match(match); }

  // The exit code of the program after `before` in the same shell, with `after` behind its words.
  [[nodiscard]] int run_after(const std::string& before, const std::vector<std::string>& words,
                              const std::string& after = "") {
    return run_line(before + "exec " + program_line(words) + ' ' + after + " 2> " + shell_word(err));
  }
  // One arena: without address space for an arena per thread, glibc maps each small allocation by itself, slowly.
  [[nodiscard]] int code_with(int kilobytes, const std::vector<std::string>& words) {
    return run_after("export MALLOC_ARENA_MAX=1; ulimit -v " + std::to_string(kilobytes) + "; ", words,
                     "> /dev/null");
  }
  // In KiB, to within 200.
  [[nodiscard]] int least_memory(const std::vector<std::string>& words) {
    int enough = 1'000'000;
    for (int too_little = 0; enough - too_little > 200;) {
      const int middle = (enough + too_little) / 2;
      (code_with(middle, words) == 0 ? enough : too_little) = middle;
    }
    return enough;
  }
};

BOOST_FIXTURE_TEST_CASE(a_limit_of_the_size_of_files_is_an_error, limited) {
  const std::string output = folder / "out";
  std::filesystem::create_directory(output);
  // 8 units of 512 or 1024 bytes.
  BOOST_TEST(run_after("ulimit -f 8; ", {"convert", match, output + "/x.echoreplay", "--codec", "none"}) ==
             1);
  BOOST_TEST(text_of_file(err).find("x.echoreplay") != std::string::npos);
  BOOST_TEST(text_of_file(err).find("File too large") != std::string::npos);
  BOOST_TEST(text_of_file(err).find("larger than the limit for files") != std::string::npos);
  BOOST_TEST(text_of_file(err).find("disk is full") == std::string::npos);
  BOOST_TEST(std::filesystem::is_empty(output));
}

#ifndef TICKREEL_SANITIZED  // sanitizers reserve terabytes of address space
// Whatever cannot be read with little memory, the next scan reads.
BOOST_FIXTURE_TEST_CASE(a_recording_is_not_damaged_because_memory_is_short, limited) {
  const std::string reel = folder / "m.reel";
  write_match(reel);
  const auto found = [&](const std::string& index) {
    return run({"library", "find", "--json", "--db", index}).out;
  };
  BOOST_REQUIRE(run({"library", "scan", match, reel, "--db", folder / "whole.db"}).code == 0);
  for (int kilobytes = 56'000; kilobytes < 104'000; kilobytes += 4'000) {
    const std::string index = folder / (std::to_string(kilobytes) + ".db");
    // 127: the program itself does not fit.
    const int code =
        run_after("ulimit -v " + std::to_string(kilobytes) + "; ",
                  {"library", "scan", "--threads", "1", match, reel, "--db", index}, "> /dev/null");
    BOOST_TEST((code <= 3 || code == 127), kilobytes << " KiB: " << code << ": " << text_of_file(err));
    BOOST_TEST(run({"library", "scan", match, reel, "--db", index}).code == 0);
    BOOST_TEST(found(index) == found(folder / "whole.db"), kilobytes << " KiB");
  }
}

// Wherever memory is missing: in the SDK, in a thread, or in a function that cannot fail.
BOOST_FIXTURE_TEST_CASE(a_run_without_memory_leaves_no_temporary_file, limited) {
  const std::string output = folder / "out";
  std::filesystem::create_directory(output);
  for (const char* const name : {"x.mcap", "x.butter"}) {
    const std::vector<std::string> words = {"convert", match, output + "/" + name, "--force"};
    const int enough = least_memory(words);
    std::filesystem::remove_all(output);
    std::filesystem::create_directory(output);
    int without_memory = 0;
    for (int kilobytes = enough - 6'000; kilobytes < enough; kilobytes += 200) {
      if (code_with(kilobytes, words) != 1) continue;
      without_memory += text_of_file(err).find("not enough memory") != std::string::npos ? 1 : 0;
      BOOST_TEST(std::filesystem::is_empty(output), name << " with " << kilobytes << " KiB");
    }
    BOOST_TEST(without_memory > 0);
  }
}

// The limit of a statement is named only if it is the reason.
BOOST_FIXTURE_TEST_CASE(a_statement_without_memory_names_the_reason, limited) {
  const auto sort_of = [&](const char* rows) {
    const std::string sql = std::string(
                                "WITH RECURSIVE n(i, t) AS (SELECT 1, randomblob(1000000) UNION ALL "
                                "SELECT i + 1, randomblob(1000000) FROM n LIMIT ") +
                            rows + ") SELECT count(*) FROM (SELECT t FROM n ORDER BY t LIMIT 90)";
    return std::vector<std::string>{"query", sql, match};
  };
  constexpr int kib_for_rows = 20'000;
  const int enough = least_memory(sort_of("1")) + kib_for_rows;
  BOOST_TEST(code_with(enough, sort_of("100")) == 1);
  const std::string refused = text_of_file(err);
  BOOST_TEST(refused.find("not enough memory") != std::string::npos, refused);
  BOOST_TEST(refused.find("limit of") == std::string::npos, refused);
  std::vector<std::string> limited_sort = sort_of("100");
  limited_sort.insert(limited_sort.end(), {"--memory", "20MiB"});
  BOOST_TEST(run_after("", limited_sort, "> /dev/null") == 1);
  BOOST_TEST(text_of_file(err).find("exceeds its limit of 21.0 MB") != std::string::npos, text_of_file(err));
}

// A recording that cannot be read for lack of memory is not left out of a table.
BOOST_FIXTURE_TEST_CASE(a_table_without_memory_is_whole_or_absent, limited) {
  const std::string reel = folder / "m.reel";
  write_match(reel);
  const std::string output = folder / "x.parquet";
  const std::vector<std::string> words = {"query", "players", match, reel, "-o", output, "--force"};
  BOOST_REQUIRE(run(words).code == 0);
  const std::string whole = text_of_file(output);
  int without_memory = 0;
  // Two files are read by threads whose stacks need 8 MiB each; how many run at the same time depends on the schedule.
  const int enough = least_memory(words);
  for (int kilobytes = enough - 12'000; kilobytes < enough; kilobytes += 600) {
    std::filesystem::remove(output);
    without_memory += code_with(kilobytes, words) == 1 ? 1 : 0;
    BOOST_TEST((!std::filesystem::exists(output) || text_of_file(output) == whole), kilobytes << " KiB");
  }
  BOOST_TEST(without_memory > 0);
}
#endif

// The recorder ends with the name of the file and the reason, also without a reader of standard output.
BOOST_FIXTURE_TEST_CASE(a_recorder_names_the_file_that_failed, limited) {
  const served game({"--simulate"});
  // Each file is reported when it begins to fail. On a busy machine, a second may pass without a tick, which may be reported.
  const auto is_reported = [&](const std::string& name) {
    const std::string events = text_of_file(folder / "events");
    return events.find("cannot write " + (folder / "out") + "/" + name + ": ") != std::string::npos;
  };
  int code = 0;
  for (int seconds = 1; !(is_reported("m.butter.reel") && is_reported("m.reel")) && seconds < 100;
       seconds *= 2) {
    std::filesystem::remove_all(folder / "out");
    code = run_after("ulimit -f 2; ",
                     {"record", "echo", game.address(), "--duration", std::to_string(seconds) + "s",
                      "--no-config", "--name", "m", "--format", "butter,reel", "--out", folder / "out"},
                     "> " + shell_word(folder / "events"));
  }
  BOOST_TEST(code == 1);
  BOOST_TEST(is_reported("m.butter.reel"), text_of_file(folder / "events"));
  BOOST_TEST(is_reported("m.reel"), text_of_file(folder / "events"));
  BOOST_TEST(text_of_file(err).find("/m.") != std::string::npos, text_of_file(err));
  BOOST_TEST(text_of_file(err).find("File too large") != std::string::npos, text_of_file(err));
}

// Otherwise a file, a socket or a timer of the program gets the descriptor of the closed stream, and the text.
BOOST_FIXTURE_TEST_CASE(a_closed_standard_output_stays_closed, limited) {
  BOOST_TEST(
      run_after(
          "", {"record", "echo", "127.0.0.1:1", "--duration", "0.1s", "--no-config", "--out", folder / "out"},
          ">&-") == 1);
  BOOST_TEST(text_of_file(err).find("standard output failed: Bad file descriptor") != std::string::npos);
}

}  // namespace

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
#endif
