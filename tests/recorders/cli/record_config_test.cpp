// Options of `record echo`, from the command line and from tickreel.toml.
#include <fstream>
#ifndef _WIN32
#include <sys/stat.h>
#endif

#include "fixtures.hpp"
#include "run_program.hpp"

BOOST_AUTO_TEST_SUITE(cli_tests)
BOOST_AUTO_TEST_SUITE(record_config_test)

namespace {

using namespace tickreel::test;

struct configured {
  scratch_folder folder;
  std::string file = folder / "tickreel.toml";

  void write(const std::string& text) const { std::ofstream(file, std::ios::binary) << text; }
  // Nothing listens there; the message arrives within a tenth of a second.
  [[nodiscard]] outcome record(std::vector<std::string> more = {}) const {
    std::vector<std::string> words = {"record",     "echo", "127.0.0.1:1", "--config",    file,
                                      "--duration", "0.1",  "--out",       folder / "out"};
    words.insert(words.end(), more.begin(), more.end());
    return run(words);
  }
  void refuses(const std::string& text, const std::string& part) const {
    write(text);
    const outcome said = record();
    BOOST_TEST(said.code == 2, text);
    BOOST_TEST(said.says(part), text << ": " << said.err);
    BOOST_TEST(!std::filesystem::exists(folder / "out"), text);
  }
};

}  // namespace

BOOST_FIXTURE_TEST_CASE(a_file_sets_options_and_the_command_line_overrides_them, configured) {
  write(
      "[record.echo]\nrate = 30\nname = \"{dat}\"\nbones = false\nkeep = \"30d\"\nkeep-bytes = \"50G\"\n"
      "format = [\"butter\", \"reel\"]\n[npc]\n");
  const outcome from_file = record();
  BOOST_TEST(from_file.code == 2);
  BOOST_TEST(from_file.says("did you mean 'date'?"), from_file.err);
  BOOST_TEST(record({"--name", "{date}"}).code == 0);
  BOOST_TEST(record({"--name", "{date}", "--rate", "60", "--bones", "--format", "reel"}).code == 0);
  write("[record.echo]\nno-bones = true\nactive-only = true\nsplit-rounds = true\nduration = 0.1\n");
  BOOST_TEST(record().code == 0);
}

BOOST_FIXTURE_TEST_CASE(a_path_that_is_not_a_file_is_reported_immediately, configured) {
  std::filesystem::create_directory(file);
  BOOST_TEST(record().code == 2);
  BOOST_TEST(record().says("tickreel.toml: this is a folder"), record().err);
  std::filesystem::remove(file);
#ifndef _WIN32
  // A pipe without a writer, so that opening it would block forever; and a device without an end.
  BOOST_REQUIRE(::mkfifo(file.c_str(), 0600) == 0);
  BOOST_TEST(record().says("tickreel.toml: this is a pipe or a device"), record().err);
  std::filesystem::remove(file);
  std::filesystem::create_symlink("/dev/zero", file);
  BOOST_TEST(record().says("tickreel.toml: this is a pipe or a device"), record().err);
#endif
}

BOOST_FIXTURE_TEST_CASE(values_of_wrong_types_are_reported, configured) {
  refuses("[record.echo]\nname = [\"a\", \"b\"]\n", "toml:2:8: 'name' takes one value, not a list");
  refuses("[record.echo]\nrate = [30, 60]\n", "'rate' takes one value, not a list");
  refuses("[[record.echo]]\nrate = 30\n", "'echo' is a table of options: [echo], once");
  refuses("record = 5\n", "'record' is a table of options");
}

BOOST_FIXTURE_TEST_CASE(errors_in_a_file_are_reported_with_their_line, configured) {
  refuses("[record.echo]\nrat = 30\n", "tickreel.toml:2:1: there is no option 'rat'; did you mean 'rate'?");
  refuses("[record.ehco]\nrate = 30\n", "did you mean 'echo'?");
  refuses("[recrod]\nrate = 30\n", "did you mean 'record'?");
  refuses("rate = 30\n", "tickreel.toml:1:1: there is no [rate]");
  refuses("[record.echo]\nrate = 1000\n", "tickreel.toml:2:8: ");
  refuses("[record.echo]\nrate = nan\n", "finite");
  refuses("[record.echo]\nrate = { hz = 30 }\n", "takes a string");
  refuses("[record.echo]\nbones = \"perhaps\"\n", "true or false");
  refuses("[record.echo]\nkeep = 30\n", "tickreel.toml:2:");
  refuses("[record.echo]\nconfig = \"other.toml\"\n", "there is no option 'config'");
  refuses("[record.echo\nrate = 30\n", "tickreel.toml:1:");
  // Options of other verbs, too.
  refuses("[record.echo]\nrate = 30\n[convert]\nforse = true\n",
          "tickreel.toml:4:1: there is no option 'forse'; did you mean 'force'?");
  refuses("[npc.check]\n jsno = true\n",
          "tickreel.toml:2:2: there is no option 'jsno'; did you mean 'json'?");
  refuses("[npc]\ncheck = true\n", "tickreel.toml:2:1: 'check' is a table of options");
  refuses("\xff\xfe", "tickreel.toml:1:");
}

BOOST_FIXTURE_TEST_CASE(a_missing_or_oversized_file_is_reported, configured) {
  const outcome absent = record();
  BOOST_TEST(absent.code == 2);
  BOOST_TEST(absent.says("tickreel.toml"), absent.err);
  write(std::string((1u << 20) + 1, '\n'));
  BOOST_TEST(record().code == 2);
  BOOST_TEST(record({"--no-config"}).code == 0);
}

BOOST_FIXTURE_TEST_CASE(invalid_patterns_and_limits_are_rejected, configured) {
  const auto refused = [&](const std::vector<std::string>& more) {
    std::vector<std::string> words = {"--no-config"};
    words.insert(words.end(), more.begin(), more.end());
    return record(words);
  };
  BOOST_TEST(refused({"--name", "{orang}"}).says("did you mean 'orange'?"));
  BOOST_TEST(refused({"--name", "a/b"}).code == 2);
  for (const char* const keep : {"30", "-1d", "nan", "30 years", ""}) {
    BOOST_TEST(refused({"--keep", keep}).code == 2, keep);
  }
  for (const char* const bytes : {"-1", "fifty", "50Q", "18446744073709551616", "18446744073709551615k"})
    BOOST_TEST(refused({"--keep-bytes", bytes}).code == 2, bytes);
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
