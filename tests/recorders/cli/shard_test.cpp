// --shard: every file belongs to exactly one machine, whatever other files exist.
#include <boost/test/unit_test.hpp>
#include <map>
#include <sstream>

#include "file_bytes.hpp"
#include "run_program.hpp"

BOOST_AUTO_TEST_SUITE(cli_shard_tests)
BOOST_AUTO_TEST_SUITE(shard_test)

namespace {

using namespace tickreel::test;

// Which of `shards` reads each file, from the output of verify.
std::map<std::string, int> shards_of(const std::vector<std::string>& files, int shards) {
  std::map<std::string, int> out;
  for (int number = 1; number <= shards; ++number) {
    std::vector<std::string> words = {"verify", "--shard",
                                      std::to_string(number) + '/' + std::to_string(shards)};
    words.insert(words.end(), files.begin(), files.end());
    const outcome said = run(words);
    BOOST_TEST(said.code == 0, said.err);
    std::istringstream lines(said.out);
    for (std::string line; std::getline(lines, line);) {
      if (line.starts_with(' ')) continue;
      const std::string name = std::filesystem::path(line.substr(0, line.find(": "))).filename().string();
      BOOST_TEST(out.emplace(name, number).second, name + " twice");
    }
  }
  return out;
}

}  // namespace

BOOST_AUTO_TEST_CASE(each_file_is_always_in_the_same_shard) {
  const scratch_folder folder;
  const std::filesystem::path recording = TICKREEL_KEPT_RECORDINGS "/0.1.0/recordings/match.converted.reel";
  std::vector<std::string> files;
  for (int number = 0; number < 24; ++number) {
    files.push_back(folder / ("match " + std::to_string(number) + ".reel"));
    std::filesystem::copy_file(recording, files.back());
  }
  const auto all = shards_of(files, 3);
  BOOST_TEST(all.size() == files.size());
  const std::vector<std::string> some(files.begin() + 7, files.begin() + 12);
  for (const auto& [name, shard] : shards_of(some, 3)) BOOST_TEST(all.at(name) == shard);
  for (const char* wrong : {"0/3", "4/3", "1/0", "1", "1/3x", "-1/3", "/", "1/"}) {
    BOOST_TEST(run({"verify", "--shard", wrong, files[0]}).code == 2, wrong);
  }
  // Files of another shard are not touched.
  int made = 0;
  for (const char* part : {"1/3", "2/3", "3/3"}) {
    const std::string copy = folder / (std::string("copy") + part[0] + ".reel");
    const outcome said = run({"convert", "--shard", part, files[0], copy});
    BOOST_TEST(said.code == 0);
    BOOST_TEST(
        (std::filesystem::exists(copy) || said.says(std::string("shard ") + part + ": none of 1 file")),
        said.err);
    made += std::filesystem::exists(copy) ? 1 : 0;
  }
  BOOST_TEST(made == 1);
}

BOOST_AUTO_TEST_CASE(reports_and_statistics_support_shards) {
  const scratch_folder folder;
  std::vector<std::string> files;
  for (int number = 0; number < 8; ++number) {
    files.push_back(folder / ("match " + std::to_string(number) + ".butter"));
    std::filesystem::copy_file(TICKREEL_KEPT_RECORDINGS "/0.1.0/recordings/match.gzip.butter", files.back());
  }
  const auto shards = shards_of(files, 3);
  const auto with_files = [&](std::vector<std::string> words) {
    words.insert(words.end(), files.begin(), files.end());
    return run(words);
  };
  for (int number = 1; number <= 3; ++number) {
    const std::string part = std::to_string(number) + "/3";
    const auto own = std::ranges::count_if(shards, [&](const auto& each) { return each.second == number; });
    const std::string page = folder / (std::to_string(number) + ".html");
    const outcome reported = with_files({"report", "--shard", part, "--out", page});
    BOOST_TEST(reported.code == 0, reported.err);
    BOOST_TEST(std::filesystem::exists(page) == (own != 0));
    if (own != 0) {
      BOOST_TEST(reported.out.find(": " + std::to_string(own) + (own == 1 ? " match," : " matches,")) !=
                     std::string::npos,
                 reported.out);
    }
    const outcome counted = with_files({"stats", "--csv", "--shard", part});
    BOOST_TEST(counted.code == 0, counted.err);
    // All of them are copies of one match; one shard counts one.
    std::int64_t counted_files = 0;
    for (const auto& [name, shard] : shards) {
      if (counted.out.find(name) == std::string::npos) continue;
      ++counted_files;
      BOOST_TEST(shard == number, name + " in " + part);
    }
    BOOST_TEST(counted_files == (own == 0 ? 0 : 1), part);
  }
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
