// Sentences about one tick, one line, one byte: small recordings of every format, whole and damaged, with every verb that prints
// text. No noun after the number 1 is a plural.
#include <boost/test/unit_test.hpp>
#include <set>

#include "lines.hpp"
#include "run_in_child.hpp"
#include "sanitized.hpp"
#include "small_recordings.hpp"
#include "wrong_plural.hpp"

BOOST_AUTO_TEST_SUITE(cli_chains_tests)
BOOST_AUTO_TEST_SUITE(one_of_each_test)

namespace {

using namespace tickreel;
using namespace tickreel::test;

void make_recordings(const scratch_folder& folder) {
  make_match(folder / "one.butter", 1, codec_id::none);
  make_match(folder / "zipped.echoreplay", 1, codec_id::gzip);
  make_match(folder / "plain.echoreplay", 1, codec_id::none);
  make_match(folder / "three.echoreplay", 3, codec_id::none);
  make_match(folder / "one.tape", 1, codec_id::zstd);
  make_match(folder / "one.nevrcap", 1, codec_id::zstd);
  make_match(folder / "one.reel", 1, codec_id::zstd);
  make_reel_with_gap(folder / "gap.reel");
  make_lamp(folder / "lamp.reel", 1);
  make_orders(folder / "one.icrep", 1, 1);
  make_orders(folder / "gap.icrep", 3, 1);
  convert(folder.path() / "gap.icrep", folder.path() / "orders.reel", "reel");
  make_short_walk(folder / "one.rec", 1);
  make_short_walk(folder / "two.rec", 2);
  make_cache_of_one(folder / "one.gamecache");
  write_file(folder / "sample.SC2Replay", sample_file());
  // One damaged line, and one reply of a game that shows no match.
  const std::string text(as_text(read_file(folder / "three.echoreplay")));
  const std::vector<std::string> lines = lines_of(text);
  BOOST_REQUIRE(lines.size() == 3u);
  const std::string time = lines[1].substr(0, lines[1].find('\t') + 1);
  write_file(folder.path() / "line.echoreplay", lines[0] + "\n" + time + "{\"err\n" + lines[2] + "\n");
  write_file(
      folder.path() / "reply.echoreplay",
      lines[0] + "\n" + time + "{\"err_code\":-6,\"err_description\":\"no match\"}\n" + lines[2] + "\n");
  std::filesystem::remove(folder / "three.echoreplay");
}

std::vector<byte_vector> variants_of(const byte_vector& whole) {
  std::vector<byte_vector> all(4, whole);
  all[1].pop_back();
  all[2].push_back(std::byte{7});
  all[3][whole.size() / 2] ^= std::byte{0x40};
  return all;
}

struct verbs_on {
  explicit verbs_on(const std::string& recording) : input(recording) {
    BOOST_REQUIRE(run_verb_in_child(messages, {"keygen", messages / "key"}).code == 0);
  }

  void check(const std::vector<std::string>& words) {
    const outcome said = run_verb_in_child(messages, words);
    std::string line;
    for (const std::string& each : words) line += ' ' + each;
    // Of ticks, only the sentences about them.
    const bool prints_ticks = words.front() == "cat" || words.front() == "seek";
    for (const std::string* const text : {&said.err, &said.out}) {
      if (text == &said.out && prints_ticks) continue;
      const std::string wrong = wrong_plural_in(*text);
      BOOST_TEST(wrong.empty(), line << ": " << wrong);
    }
    if (said.code == 0 || said.code == 3) used.insert(words.front());
  }
  // Also what the verb wrote, if it is for people.
  void check(std::vector<std::string> words, const std::string& extension) {
    const std::string output = messages / ("output" + extension);
    std::filesystem::remove(output);
    std::ranges::replace(words, std::string("OUTPUT"), output);
    check(words);
    if (extension != ".html" || !std::filesystem::exists(output)) return;
    const std::string wrong = wrong_plural_in(text_of_file(output));
    BOOST_TEST(wrong.empty(), "report " << input << ": " << wrong);
  }

  void all(const std::string& extension, const std::string& other) {
    damaged(extension);
    check({"seek", "--tick", "0", input});
    check({"diff", input, input});
    check({"diff", input, other});
    for (const char* to :
         {".butter", ".echoreplay", ".reel", ".tape", ".icrep", ".ndjson", ".rec", ".mcap"}) {
      check({"convert", input, "OUTPUT"}, to);
    }
    check({"derive", input, "-o", "OUTPUT"}, ".reel");
    check({"compact", input, "-o", "OUTPUT"}, extension);
    check({"sign", input, "--key", messages / "key", "-o", "OUTPUT"}, extension);
    check({"query", "SELECT count(*) FROM recordings", input});
    if (extension == ".rec") check({"npc", "check", input});
  }
  void damaged(const std::string& extension) {
    for (const char* verb : {"info", "verify", "cat", "events", "stats"}) check({verb, input});
    check({"report", input, "-o", "OUTPUT"}, ".html");
    check({"convert", "--json", input, "OUTPUT"}, extension);
    check({"clip", input, "--from", "tick:0", "-o", "OUTPUT"}, extension);
    check({"recover", input, "-o", "OUTPUT"}, extension);
    check({"anonymise", input, "-o", "OUTPUT"}, extension);
  }

  std::string input;
  scratch_folder messages;
  std::set<std::string> used;
};

}  // namespace

BOOST_AUTO_TEST_CASE(a_count_of_one_has_a_singular_noun) {
  const scratch_folder folder;
  make_recordings(folder);
  std::set<std::string> used;
  for (const auto& entry : std::filesystem::directory_iterator(folder.path())) {
    const byte_vector whole = read_file(entry.path());
    const std::string extension = entry.path().extension().string();
    const scratch_folder one;
    const std::string path = one / ("damaged" + extension);
    verbs_on verbs(path);
    std::vector<byte_vector> variants = variants_of(whole);
    if (is_sanitized) variants.resize(1);
    for (std::size_t each = 0; each < variants.size(); ++each) {
      write_file(path, variants[each]);
      BOOST_TEST_CONTEXT(entry.path().filename().string() << ", variant " << each) {
        each == 0 ? verbs.all(extension, entry.path().string()) : verbs.damaged(extension);
      }
    }
    const std::string index = verbs.messages / "index";
    for (const char* verb : {"scan", "find", "stats"}) {
      std::vector<std::string> words = {"library", verb, "--db", index};
      if (verb == std::string_view("scan")) words.push_back(one.path().string());
      verbs.check(words);
    }
    verbs.check({"library", "export", verbs.messages / "out.gamecache", "--db", index});
    used.merge(verbs.used);
  }
  // Each verb worked somewhere.
  for (const char* verb : {"info", "verify", "cat", "events", "stats", "seek", "diff", "report", "convert",
                           "clip", "recover", "anonymise", "derive", "compact", "sign", "query", "library"}) {
    BOOST_TEST(used.contains(verb), verb);
  }
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
