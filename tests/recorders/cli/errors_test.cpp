// Errors of files and of the standard output.
#include <boost/test/unit_test.hpp>
#include <filesystem>
#include <string>
#include <string_view>

#include "lines.hpp"
#include "match_recordings.hpp"

BOOST_AUTO_TEST_SUITE(cli_tests)
BOOST_AUTO_TEST_SUITE(errors_test)

using namespace match_recordings;

BOOST_FIXTURE_TEST_CASE(errors_name_the_file_the_place_and_the_next_step, recordings) {
  const std::string strange = folder / "strange.butter";
  write_file(strange, std::string_view("this is not a recording"));
  for (const char* verb : {"info", "cat", "verify", "recover"}) {
    const outcome said = run({verb, strange});
    BOOST_TEST(said.code == 1, verb);
    BOOST_TEST(said.says("tickreel: " + strange + ": at offset 0: "), said.err);
  }
  BOOST_TEST(run({"info", strange}).says("known formats"));
  const outcome absent = run({"info", folder / "absent"});
  BOOST_TEST(absent.code == 1);
  BOOST_TEST(absent.says(folder / "absent"));
  const std::string nowhere = folder / "no/such/folder.butter";
  BOOST_TEST(run({"convert", echoreplay, nowhere}).says("tickreel: " + nowhere));
  BOOST_TEST(run({"recover", butter, "-o", nowhere}).says("tickreel: " + nowhere));
  // One of several inputs: the others are still printed.
  const outcome mixed = run({"info", "--json", strange, butter});
  BOOST_TEST(mixed.code == 1);
  BOOST_TEST(lines_of(mixed.out).size() == 1u);
  BOOST_TEST(run({"verify", folder.path().string()}).code == 1);
}

#ifndef _WIN32
BOOST_FIXTURE_TEST_CASE(a_closed_pipe_is_not_an_error, recordings) {
  const scratch_folder own;
  const std::string err = own / "err";
  const std::string code = own / "code";
  std::string line = "(";
  line += program_line({"cat", echoreplay}) + " 2> " + shell_word(err) + "; echo $? > " + shell_word(code);
  run_line(line + ") | head -n 1 > /dev/null");
  BOOST_TEST(text_of_file(code) == "0\n");
  BOOST_TEST(text_of_file(err) == "");
}

BOOST_FIXTURE_TEST_CASE(a_full_disk_is_an_error, recordings) {
  if (!std::filesystem::exists("/dev/full")) return;
  const scratch_folder own;
  const std::string err = own / "err";
  BOOST_TEST(run_line(program_line({"cat", butter}) + " > /dev/full 2> " + shell_word(err)) == 1);
  BOOST_TEST(text_of_file(err).find("standard output") != std::string::npos);
  BOOST_TEST(run_line(program_line({"info", butter}) + " > /dev/full 2> " + shell_word(err)) == 1);
}
#endif

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
