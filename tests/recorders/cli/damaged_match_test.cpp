// Truncated and changed recordings of one match: every verb reports the missing ticks.
#include <boost/test/unit_test.hpp>
#include <string>
#include <utility>
#include <vector>

#include "json_object.hpp"
#include "lines.hpp"
#include "match_recordings.hpp"
#include "tickreel/counted.hpp"

BOOST_AUTO_TEST_SUITE(cli_tests)
BOOST_AUTO_TEST_SUITE(damaged_match_test)

using namespace match_recordings;

BOOST_FIXTURE_TEST_CASE(truncated_files_are_read_with_a_reported_loss_and_recovered, recordings) {
  for (const std::string& path : all()) {
    BOOST_TEST_CONTEXT(path) {
      const std::string extension = path.substr(path.rfind('.'));
      const std::string damaged = cut(path, 0.8, "damaged" + extension);
      const outcome shown = run({"cat", damaged});
      BOOST_TEST(shown.code == 3);
      BOOST_TEST(shown.says("tickreel: " + damaged + ": "));
      dom::parser parser;
      BOOST_TEST(std::string_view(parse(parser, run({"info", damaged, "--json"}).out)["health"]) ==
                 "incomplete");
      const std::string saved =
          folder / ("saved" + extension + (extension == ".reel" ? ".butter" : extension));
      const outcome recovered = run({"recover", damaged, "-o", saved, "--json"});
      BOOST_TEST(recovered.code == 3);
      const dom::object document = parse(parser, recovered.out);
      BOOST_TEST(dom::array(document["lost"]).size() > 0u);
      BOOST_TEST(std::uint64_t(document["ticks"]) >= lines_of(shown.out).size());
      BOOST_TEST(run({"verify", saved}).code == 0);
      BOOST_TEST(run({"recover", damaged, "-o", saved}).code == 1);
      BOOST_TEST(run({"recover", damaged, "-o", saved, "--force"}).code == 3);
    }
  }
}

BOOST_FIXTURE_TEST_CASE(a_last_line_cut_in_its_bones_is_truncated, recordings) {
  const std::string whole = folder / "bones.echoreplay";
  tickreel::files::convert_options options;
  options.codec = tickreel::codec_options{.codec = tickreel::codec_id::none};
  auto match = tickreel::test::short_match(true);
  match.match_seconds = 0.2f;
  const std::size_t all = write_match(whole, options, match).ticks;
  const std::string text = text_of_file(whole);
  const std::size_t last = text.rfind('\n', text.size() - 2) + 1;
  const std::size_t bones = text.find('\t', text.find('\t', last) + 1) + 1;
  const std::string cut = folder / "cut.echoreplay";
  for (const std::size_t bytes : {bones + 1, bones + 500, text.size() - 3}) {
    write_file(cut, text.substr(0, bytes));
    const outcome shown = run({"cat", cut});
    BOOST_TEST(shown.code == 3);
    BOOST_TEST(lines_of(shown.out).size() == all);
    BOOST_TEST(shown.says("the file ends early at offset " + std::to_string(bones)), shown.err);
    dom::parser parser;
    BOOST_TEST(std::string_view(parse(parser, run({"info", cut, "--json"}).out)["health"]) == "incomplete");
    const outcome verified = run({"verify", cut});
    BOOST_TEST(verified.code == 1);
    const std::string said = "at offset " + std::to_string(bones) +
                             ": the last line is truncated: " + tickreel::counted(bytes - bones, "byte");
    BOOST_TEST(verified.out.find(said) != std::string::npos, verified.out);
    // Copies of the lines end before the bones.
    const std::string saved = folder / "saved.echoreplay";
    const std::vector<std::vector<std::string>> copies = {
        {"recover", cut, "-o", saved, "--force"},
        {"convert", cut, saved, "--force"},
        {"clip", cut, "--from", "tick:0", "-o", saved, "--force"}};
    for (const auto& words : copies) {
      BOOST_TEST(run(words).code == 3);
      BOOST_TEST(run({"verify", saved}).code == 0, words.front());
      BOOST_TEST(lines_of(run({"cat", saved}).out).size() == all);
    }
  }
}

// The table of the chunks gives the end of a .butter.
BOOST_FIXTURE_TEST_CASE(trailing_bytes_of_a_butter_are_reported, recordings) {
  const auto whole = read_file(butter);
  const std::string both = folder / "both.butter";
  for (const auto& more : {whole, tickreel::byte_vector(3000, std::byte{0x5A})}) {
    auto bytes = whole;
    bytes.insert(bytes.end(), more.begin(), more.end());
    write_file(both, bytes);
    const std::string said = std::to_string(more.size()) + " bytes after the end at offset " +
                             std::to_string(whole.size()) + " are not part of this recording";
    const outcome verified = run({"verify", both});
    BOOST_TEST(verified.code == 1);
    BOOST_TEST(verified.out.find(said) != std::string::npos, verified.out);
    const outcome info = run({"info", both});
    BOOST_TEST(info.code == 3);
    BOOST_TEST(info.out.find("damaged") != std::string::npos, info.out);
    const std::vector<std::vector<std::string>> verbs = {
        {"cat", both},
        {"convert", both, folder / "out.reel", "--force"},
        {"convert", both, folder / "out.butter", "--force"},
        {"clip", both, "--from", "tick:0", "-o", folder / "out.butter", "--force"},
        {"anonymise", both, "-o", folder / "out.butter", "--force"},
        {"recompress", both, "-o", folder / "out.butter", "--force"}};
    for (const auto& verb : verbs) {
      const outcome read = run(verb);
      BOOST_TEST(read.code == 3, verb[0] << ": " << read.err);
      BOOST_TEST((read.says(said) || read.out.find(said) != std::string::npos), verb[0] << ": " << read.err);
    }
    const outcome recovered = run({"recover", both, "-o", folder / "out.butter", "--force"});
    BOOST_TEST(recovered.code == 3);
    BOOST_TEST(recovered.out.find("at offset " + std::to_string(whole.size())) != std::string::npos,
               recovered.out);
    // What it made is whole.
    BOOST_TEST(run({"verify", folder / "out.butter"}).code == 0);
  }
}

// The header of a recording is not its content.
BOOST_FIXTURE_TEST_CASE(info_fails_if_no_tick_can_be_read, recordings) {
  auto bytes = read_file(butter);
  // From the first chunk on.
  const std::size_t begin = tickreel::as_text(bytes).find("\x1F\x8B\x08");
  BOOST_REQUIRE(begin != std::string_view::npos);
  for (std::size_t at = begin; at < bytes.size(); ++at) bytes[at] = std::byte{0x55};
  const std::string damaged = folder / "damaged.butter";
  write_file(damaged, bytes);
  const outcome said = run({"info", damaged});
  BOOST_TEST(said.code == 1);
  BOOST_TEST(said.out.find("damaged") != std::string::npos, said.out);
  BOOST_TEST(said.says("no tick can be read"), said.err);
  const std::string nonsense = folder / "nonsense.echoreplay";
  write_file(nonsense,
             std::string("2022/07/16 20:04:58.159\t{\"sessionid\":") + std::string(2000, 'x') + "\n");
  check_run({"info", nonsense}, 1, {"no tick can be read"});
}

BOOST_FIXTURE_TEST_CASE(unreadable_lines_are_reported_if_a_reel_keeps_them, recordings) {
  const std::string plain = folder / "plain.echoreplay";
  BOOST_REQUIRE(run({"convert", echoreplay, plain, "--codec", "none"}).code == 0);
  const auto bytes = read_file(plain);
  std::string text(tickreel::as_text(bytes));
  const std::size_t third = text.find('\n', text.find('\n') + 1) + 1;
  text.insert(third, "nonsense\r\n");
  write_file(plain, text);
  const std::string said =
      "1 line cannot be read, the first is line 3 at offset " + std::to_string(third) + ": ";
  for (const char* name : {"of.reel", "of.butter"}) {
    check_run({"convert", plain, folder / name}, 3, {said});
  }
  // The reel has the text, which comes back without loss.
  BOOST_TEST(run({"convert", folder / "of.reel", folder / "back.echoreplay", "--codec", "none"}).code == 0);
  BOOST_TEST((read_file(folder / "back.echoreplay") == read_file(plain)));
}

// A checksum covers the whole archive: if it is wrong, any part of the archive may have been changed.
BOOST_FIXTURE_TEST_CASE(a_part_of_doubtful_lines_is_doubtful, recordings) {
  auto bytes = read_file(echoreplay);
  bytes[14] ^= std::byte{1};  // the checksum in front of the text
  const std::size_t directory = tickreel::as_text(bytes).rfind("PK\x01\x02");
  BOOST_REQUIRE(directory != std::string_view::npos);
  bytes[directory + 16] ^= std::byte{1};  // and the one in the directory
  const std::string doubtful = folder / "doubtful.echoreplay";
  write_file(doubtful, bytes);
  for (const std::string name : {"c.echoreplay", "c.reel", "c.butter"}) {
    const std::vector<std::pair<std::vector<std::string>, std::size_t>> ranges = {
        {{"--from", "tick:0"}, ticks}, {{"--from", "tick:20", "--to", "tick:29"}, 10}};
    for (const auto& [range, count] : ranges) {
      std::vector<std::string> words = {"clip", doubtful, "-o", folder / name, "--force"};
      words.insert(words.end(), range.begin(), range.end());
      check_run(words, 3, {std::to_string(count) + " ticks may have been changed"});
      if (name == "c.butter") continue;  // which has no place for a mark
      const outcome info = run({"info", folder / name});
      BOOST_TEST(info.out.find("recovered") != std::string::npos, info.out);
      check_run({"convert", folder / name, folder / "again.butter", "--force"}, 3,
                {std::to_string(count) + " ticks may have been changed"});
    }
  }
  // The directory's checksum counts, wherever reading begins.
  for (const std::size_t place : {std::size_t{14}, directory + 16}) {
    auto once = read_file(echoreplay);
    once[place] ^= std::byte{1};
    write_file(doubtful, once);
    const int expected = place == 14 ? 0 : 1;
    BOOST_TEST(run({"cat", doubtful}).code == expected);
    const outcome part = run({"cat", doubtful, "--from", "tick:20"});
    BOOST_TEST(part.code == expected, part.err);
    BOOST_TEST(part.says("zip entry") == (expected != 0), part.err);
  }
  // Without fault nothing is said.
  BOOST_TEST(run({"cat", echoreplay, "--from", "tick:20"}).code == 0);
  BOOST_TEST(run({"clip", echoreplay, "--from", "tick:20", "-o", folder / "sound.reel"}).code == 0);
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
