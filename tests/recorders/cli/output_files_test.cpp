// Names of files, and the temporary files of runs that fail or were killed.
#include <boost/test/unit_test.hpp>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "match_recordings.hpp"

BOOST_AUTO_TEST_SUITE(cli_tests)
BOOST_AUTO_TEST_SUITE(output_files_test)

using namespace match_recordings;

#ifndef _WIN32
// JSON has no bytes, and a terminal takes control characters for commands.
BOOST_FIXTURE_TEST_CASE(names_that_are_no_text_are_given_exactly_or_harmlessly, recordings) {
  const std::string odd = folder / "m\xFF\x1B[31m.butter";
  std::filesystem::copy_file(butter, odd);
  for (const char* const verb : {"info", "verify", "stats"}) {
    const outcome said = run({verb, odd, "--json"});
    BOOST_TEST(said.code == 0, said.err);
    BOOST_TEST(said.out.find("\"file_hex\":\"2f") != std::string::npos, said.out);
    BOOST_TEST(said.out.find("6dff1b5b33316d2e627574746572\"") != std::string::npos, said.out);
  }
  const outcome json = run({"convert", odd, folder / "m.reel", "--json", "--force"});
  BOOST_TEST(json.out.find("\"file_hex\"") != std::string::npos, json.out);
  BOOST_TEST(run({"info", butter, "--json"}).out.find("file_hex") == std::string::npos);
  const std::string out = folder / "o\x1B[31m.butter";
  for (const std::vector<std::string>& words : {std::vector<std::string>{"convert", odd, out, "--force"},
                                                {"recover", odd, "-o", out, "--force"},
                                                {"recompress", odd, "-o", out, "--force"}}) {
    const outcome made = run(words);
    BOOST_TEST((made.code == 0 || made.code == 3), made.err);
    BOOST_TEST(made.out.find("31m.butter") != std::string::npos, made.out);
    BOOST_TEST(made.out.find('\x1B') == std::string::npos, words[0]);
    BOOST_TEST(made.err.find('\x1B') == std::string::npos, words[0]);
  }
}
#endif

BOOST_FIXTURE_TEST_CASE(recover_names_its_output_after_the_recording_and_keeps_other_temporary_files,
                        recordings) {
  const auto old = std::filesystem::file_time_type::clock::now() - std::chrono::hours(1);
  for (const std::string left : {"x.butter.0123abcd.part", "x.butter.part"}) {
    std::filesystem::copy_file(butter, folder / left);
    const outcome made = run({"recover", folder / left, "--json", "--force"});
    BOOST_TEST((made.code == 0 || made.code == 3), made.err);
    const std::size_t name = made.out.find("x.recovered.butter\"");
    BOOST_REQUIRE_MESSAGE(name != std::string::npos && name > 0, made.out);
    BOOST_TEST((made.out[name - 1] == '/' || made.out[name - 1] == '\\'), made.out);
    BOOST_TEST(std::filesystem::exists(folder / left));
  }
  const std::string other = folder / "y.recovered.echoreplay.0123abcd.part";
  std::filesystem::copy_file(echoreplay, other);
  std::filesystem::last_write_time(other, old);
  std::filesystem::copy_file(echoreplay, folder / "y.echoreplay");
  BOOST_TEST(run({"recover", folder / "y.echoreplay", "-o", folder / "y.recovered.echoreplay"}).code == 0);
  BOOST_TEST(std::filesystem::exists(other));
}

BOOST_FIXTURE_TEST_CASE(runs_that_fail_before_they_write_remove_what_killed_ones_left, recordings) {
  const auto old = std::filesystem::file_time_type::clock::now() - std::chrono::hours(1);
  const std::string text = folder / "no.butter";
  std::ofstream(text) << "no recording";
  for (const std::vector<std::string>& words : {std::vector<std::string>{"convert", text},
                                                {"clip", text, "--from", "1s", "-o"},
                                                {"clip", butter, "--from", "5400s", "-o"},
                                                {"anonymise", text, "--salt", "x", "-o"},
                                                {"compact", text, "-o"},
                                                {"derive", text, "-o"},
                                                {"recompress", text, "-o"},
                                                {"report", text, "-o"},
                                                {"view", text, "--html"},
                                                {"npc", "edit", text},
                                                {"convert", folder / "missing.butter"}}) {
    const std::string output = folder / "out.reel";
    const std::string left = output + ".0123abcd.part";
    std::ofstream(left) << "half";
    std::filesystem::last_write_time(left, old);
    std::vector<std::string> all = words;
    all.push_back(output);
    const outcome failing = run(all);
    BOOST_TEST(failing.code == 1, words[0] << ": " << failing.out << failing.err);
    BOOST_TEST(!std::filesystem::exists(left), words[0]);
    BOOST_TEST(!std::filesystem::exists(output), words[0]);
    std::filesystem::remove(left);
  }
  const std::string kept = folder / "out.butter.0123abcd.part";
  std::ofstream(kept) << "half";
  std::filesystem::last_write_time(kept, old);
  BOOST_TEST(run({"recover", text, "-o", folder / "out.butter"}).code == 1);
  BOOST_TEST(std::filesystem::exists(kept));
}

// Up to the longest name that a file system has.
BOOST_FIXTURE_TEST_CASE(outputs_may_have_long_names, recordings) {
  for (const std::string extension : {".butter", ".echoreplay", ".reel"}) {
    const std::string name = std::string(255 - extension.size(), 'n') + extension;
    const outcome made = run({"convert", echoreplay, folder / name});
    BOOST_TEST(made.code == 0, made.err);
    BOOST_TEST(run({"verify", folder / name}).code == 0);
  }
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
