// Lines of an .echoreplay through a reel of columns and back, byte for byte.
#include <filesystem>
#include <string>
#include <vector>

#include "fixtures.hpp"
#include "random.hpp"
#include "sanitized.hpp"
#include "shared_data.hpp"
#include "tickreel/files/edit.hpp"
#include "tickreel/files/line_comparison.hpp"
#include "tickreel/files/recover.hpp"
#include "tickreel/reel/reader.hpp"

BOOST_AUTO_TEST_SUITE(files_tests)
BOOST_AUTO_TEST_SUITE(echo_lines_test)

using namespace tickreel;
using namespace tickreel::test;

namespace {

// Through a reel, and through its compact form; the result must be `text`.
void check_text(const scratch_folder& folder, const std::filesystem::path& original,
                const std::string& text) {
  const auto reel = folder.path() / "lines.reel";
  const auto compact = folder.path() / "compact.reel";
  const auto back = folder.path() / "back.echoreplay";
  const auto made = files::convert(original, reel, {.overwrite = true});
  BOOST_REQUIRE_MESSAGE(made, (made ? "" : describe(made.error())));
  BOOST_REQUIRE(files::compact(file_path(reel), compact, {.overwrite = true}));
  for (const auto& each : {reel, compact}) {
    files::convert_options plain;
    plain.overwrite = true;
    plain.codec = codec_options{.codec = codec_id::none};
    const auto restored = files::convert(each, back, plain);
    BOOST_REQUIRE_MESSAGE(restored, (restored ? "" : describe(restored.error())));
    BOOST_TEST(restored->losses.missing_lines == 0u);
    const byte_vector bytes = read_file(back);
    BOOST_TEST((as_text(bytes) == text));
  }
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size() - 1) + 1;
    lines.push_back(text.substr(at, end - at));
    at = end;
  }
  return lines;
}

}  // namespace

BOOST_AUTO_TEST_CASE(every_shared_recording_round_trips_byte_for_byte) {
  const scratch_folder folder;
  const auto recordings = shared_data("butter");
  if (recordings.empty()) return;
  std::size_t checked = 0;
  for (const auto& each : std::filesystem::directory_iterator(recordings)) {
    if (each.path().extension() != ".echoreplay") continue;
    BOOST_TEST_CONTEXT(each.path()) {
      check_text(folder, each.path(), text_of_plain(folder, each.path()));
    }
    ++checked;
  }
  BOOST_TEST(checked > 10u);
}

// All kinds of lines in such a file, in any order.
BOOST_AUTO_TEST_CASE(hostile_lines_round_trip_byte_for_byte) {
  const scratch_folder folder;
  const auto original = folder.path() / "a.echoreplay";
  write_match(original, {}, short_match(true));
  const std::vector<std::string> lines = lines_of(text_of_plain(folder, original));
  auto random = seeded_random("hostile lines");
  const auto below = [&](std::size_t most) { return static_cast<std::size_t>(random() % most); };
  for (int round = 0; round < 12; ++round) {
    std::string text = round % 4 == 3 ? "\xEF\xBB\xBF" : "";
    for (std::size_t i = 0; i < 40; ++i) {
      std::string line = lines[i];
      const auto replace = [&](std::string_view what, std::string_view with) {
        const std::size_t at = line.find(what, below(line.size()));
        if (at != std::string::npos) line.replace(at, what.size(), with);
      };
      switch (below(16)) {
        case 0:
          replace(",", " , ");
          break;
        case 1:
          replace(".0,", ",");
          break;
        case 2:
          replace("{", "{\"jetpack\":" + std::to_string(below(9)) + ",");
          break;
        case 3:
          replace("{", "{\"jetpack\":[1,{\"a\":null,\"b\":\"\\u00e4\"}],");
          break;
        case 4:
          line = "nonsense \x01\x02\x03\n";
          break;
        case 5:
          line = "\r\n";
          break;
        case 6:
          line = "2022/07/16 20:04:58.159\t{\"err_code\":-6}\n";
          break;
        case 7:
          line.replace(line.rfind('\t'), std::string::npos, "\t{\"err_code\":0}\r\n");
          break;
        case 8:
          line.replace(line.rfind('\t'), std::string::npos, "\t\n");
          break;
        case 9:
          line.replace(line.rfind('\t'), std::string::npos, "\t {\"user_bones\":[],\"err_code\":0}\n");
          break;
        case 10:
          line.replace(line.rfind('\t'), std::string::npos, "\t{broken\n");
          break;
        case 11:
          line.replace(13, 1, ".");
          break;
        case 12:
          replace("0.", "0.000000");
          break;
        case 13:
          replace("false", "0");
          break;
        case 14:
          replace("\"team\":", "\"team\":\"twice\",\"team\":");
          break;
        default:
          break;
      }
      text += line;
    }
    // The last tick, then a line without a tick; the last line may lack its end.
    text += lines.back();
    if (round % 3 == 0) text += "\n\nnonsense\r\n";
    if (round % 3 == 1) text.resize(text.size() - 1);
    const auto hostile = folder.path() / "hostile.echoreplay";
    write_file(hostile, text);
    BOOST_TEST_CONTEXT("round " << round) {
      check_text(folder, hostile, text);
    }
  }
}

// A torn reel contains a prefix of the text: each line is unchanged. Only lines of the last block may lack values that a state
// does not contain, and their number is reported.
BOOST_AUTO_TEST_CASE(a_truncated_reel_gives_a_prefix_of_the_text) {
  const scratch_folder folder;
  const auto original = folder.path() / "a.echoreplay";
  write_match(original);
  std::vector<std::string> lines = lines_of(text_of_plain(folder, original));
  std::string text;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    lines[i].insert(lines[i].find('{') + 1, "\"jetpack\":" + std::to_string(i % 9) + ",");
    if (i % 30 > 20) lines[i].insert(lines[i].find(','), " ");
    text += lines[i];
  }
  write_file(original, text);
  const auto reel = folder.path() / "a.reel";
  files::convert_options options;
  options.keyframe_interval_ticks = 20;
  BOOST_REQUIRE(files::convert(original, reel, options));
  const byte_vector whole = read_file(reel);
  auto random = seeded_random("cut lines");
  std::size_t came_back = 0;
  std::size_t with_missing = 0;
  for (int round = 0; round < 40; ++round) {
    const std::size_t size = 1 + random() % (whole.size() - 1);
    const auto cut = folder.path() / "cut.reel";
    write_file(cut, byte_span(whole).first(size));
    files::convert_options plain;
    plain.overwrite = true;
    plain.codec = codec_options{.codec = codec_id::none};
    const auto back = folder.path() / "back.echoreplay";
    const auto made = files::convert(cut, back, plain);
    if (!made) continue;
    BOOST_TEST(made->lossy_source());
    const byte_vector bytes = read_file(back);
    const std::vector<std::string> back_lines = lines_of(std::string(as_text(bytes)));
    BOOST_REQUIRE(back_lines.size() == made->ticks);
    BOOST_REQUIRE(back_lines.size() <= lines.size());
    std::size_t different = 0;
    for (std::size_t i = 0; i < back_lines.size(); ++i) {
      if (back_lines[i] == lines[i]) continue;
      ++different;
      BOOST_TEST(i + 20 >= back_lines.size(), "cut to " << size);
    }
    BOOST_TEST(different == made->losses.missing_lines, "cut to " << size);
    ++(different == 0 ? came_back : with_missing);
  }
  BOOST_TEST(came_back + with_missing > 20u);
  BOOST_TEST(came_back > 0u);
}

BOOST_AUTO_TEST_CASE(the_first_line_that_differs_is_named) {
  const scratch_folder folder;
  const auto original = folder.path() / "a.echoreplay";
  write_match(original);
  const auto reel = folder.path() / "a.reel";
  BOOST_REQUIRE(files::convert(original, reel));
  BOOST_TEST(files::compare_lines(reel, original).value().different == 0u);
  std::vector<std::string> lines = lines_of(text_of_plain(folder, original));
  lines[7].replace(lines[7].find(','), 1, " ,");
  lines[9].pop_back();
  lines[9] += "\r\n";
  lines[11].insert(0, "\n");
  std::string text;
  for (const std::string& each : lines) text += each;
  const auto other = folder.path() / "b.echoreplay";
  write_file(other, text);
  const auto compared = files::compare_lines(reel, other).value();
  BOOST_TEST(compared.ticks == lines.size());
  BOOST_TEST(compared.different == 3u);
  BOOST_TEST(compared.first_tick == 7u);
  BOOST_TEST(compared.first.starts_with("the line of tick 7 differs from byte"), compared.first);
  const auto butter = folder.path() / "a.butter";
  write_match(butter);
  BOOST_TEST((files::compare_lines(reel, butter).error().code == error_code::unsupported_operation));
}

BOOST_AUTO_TEST_CASE(a_line_missing_on_one_side_does_not_affect_the_others) {
  const scratch_folder folder;
  const auto original = folder.path() / "a.echoreplay";
  write_match(original);
  std::vector<std::string> lines = lines_of(text_of_plain(folder, original));
  const std::size_t count = lines.size();
  lines.erase(lines.begin() + 12);
  std::string text;
  for (const std::string& each : lines) text += each;
  const auto lacking = folder.path() / "b.echoreplay";
  write_file(lacking, text);
  const auto compared = files::compare_lines(original, lacking).value();
  BOOST_TEST(compared.ticks == count);
  BOOST_TEST(compared.different == 1u);
  BOOST_TEST(compared.first == "the line of tick 12 is not in the other recording");
  BOOST_TEST(files::compare_lines(lacking, original).value().first == "the line of tick 12 is missing");
}

// The text is restored completely, but the values that readers of ticks do not get are reported, as for the text.
BOOST_AUTO_TEST_CASE(unreadable_lines_in_a_reel_are_reported) {
  const scratch_folder folder;
  const auto original = folder.path() / "a.echoreplay";
  write_match(original);
  const std::vector<std::string> lines = lines_of(text_of_plain(folder, original));
  std::string text = "\xEF\xBB\xBF\r\n" + lines[0] + "\r\n\n" + lines[1];
  const std::string torn = lines[2].substr(0, lines[2].size() / 3) + "\n";
  text += torn + "2022/07/16 20:04:58.159\t{\"err_code\":-6}\n" + lines[2] + torn + torn + lines[3];
  text += "nonsense\n";
  const auto broken = folder.path() / "broken.echoreplay";
  write_file(broken, text);
  const auto reel = folder.path() / "broken.reel";
  const auto made = files::convert(broken, reel);
  BOOST_REQUIRE(made);
  BOOST_TEST(made->losses.skipped_lines == 4u);
  BOOST_TEST(made->losses.first_skipped_line == 6u);
  const auto of_reel = files::convert(reel, folder.path() / "reel.butter");
  const auto of_text = files::convert(broken, folder.path() / "text.butter");
  BOOST_REQUIRE(of_reel);
  BOOST_REQUIRE(of_text);
  BOOST_TEST(of_text->losses.skipped_lines == 4u);
  BOOST_TEST(of_text->losses.first_skipped_line == 6u);
  BOOST_TEST(of_reel->losses.skipped_lines == of_text->losses.skipped_lines);
  BOOST_TEST(of_reel->losses.first_skipped_line == of_text->losses.first_skipped_line);
  BOOST_TEST(std::string_view(of_reel->losses.first_skipped_reason) == of_text->losses.first_skipped_reason);
  BOOST_TEST(of_reel->lossy_source());
  // A reader of the text lacks nothing.
  BOOST_TEST(!files::convert(reel, folder.path() / "back.echoreplay")->lossy_source());
  const auto opened = files::open(reel).value();
  const auto verified = opened->verify().value();
  // As for the text that it was made of.
  BOOST_TEST(!verified.ok());
  BOOST_TEST(!files::open(broken).value()->verify().value().ok());
  BOOST_TEST(verified.content_left_out);
  BOOST_TEST(files::name(opened->summarise().value().health) == "damaged");
  BOOST_TEST(files::name(files::open(broken).value()->summarise().value().health) == "damaged");
  const auto reported_losses = opened->losses();
  BOOST_REQUIRE(reported_losses.size() == 1u);
  BOOST_TEST(reported_losses[0].starts_with("4 lines cannot be read, the first is line 6: "),
             reported_losses[0]);
  // Blank lines and a byte order mark are not reported.
  write_file(broken, "\xEF\xBB\xBF\r\n" + lines[0] + "\r\n \n" + lines[1] + "\n");
  const auto other = folder.path() / "blank.reel";
  BOOST_REQUIRE(files::convert(broken, other));
  BOOST_TEST(!files::convert(other, folder.path() / "blank.butter")->lossy_source());
  BOOST_TEST(!files::open(other).value()->verify().value().content_left_out);
}

// A reel contains several copies of what later lines depend on: a flipped bit in one copy costs no line.
BOOST_AUTO_TEST_CASE(no_single_record_is_needed_by_all_lines) {
  const scratch_folder folder;
  const auto original = folder.path() / "a.echoreplay";
  write_match(original);
  const auto reel = folder.path() / "a.reel";
  files::convert_options often;
  often.keyframe_interval_ticks = 40;
  BOOST_REQUIRE(files::convert(original, reel, often));
  files::convert_options plain;
  plain.overwrite = true;
  plain.codec = codec_options{.codec = codec_id::none};
  const auto back = folder.path() / "b.echoreplay";
  const auto text_of = [&](const std::filesystem::path& from) {
    const auto made = files::convert(from, back, plain);
    BOOST_REQUIRE_MESSAGE(made, (made ? "" : describe(made.error())));
    BOOST_TEST(made->losses.missing_lines == 0u);
    const byte_vector bytes = read_file(back);
    return std::string(as_text(bytes));
  };
  const std::string text = text_of(reel);
  const byte_vector bytes = read_file(reel);
  const auto source = reel::reader::open(reel);
  BOOST_REQUIRE(source);
  auto random = seeded_random("records of lines");
  std::size_t looked = 0;
  const auto damaged = folder.path() / "damaged.reel";
  const auto saved = folder.path() / "saved.reel";
  for (const reel::record_info& each : source->contents().records) {
    if (!each.lasts() && !each.repeats()) continue;
    // Each requires several conversions: the first copies, and some of the others.
    if (++looked > (is_sanitized ? 1u : 3u) && (is_sanitized || random() % 8 != 0)) continue;
    byte_vector changed = bytes;
    changed[static_cast<std::size_t>(each.offset + random() % each.bytes)] ^= std::byte{1};
    write_file(damaged, changed);
    BOOST_TEST_CONTEXT("record " << each.sequence) {
      BOOST_TEST((text_of(damaged) == text));
      BOOST_TEST(!files::open(damaged).value()->verify().value().ok());
      BOOST_REQUIRE(files::recover(damaged, saved, {.overwrite = true}));
      BOOST_TEST((text_of(saved) == text));
      BOOST_TEST(files::open(saved).value()->verify().value().ok());
    }
  }
  BOOST_TEST(looked >= 3u);
}

// Without the shape, no lines are generated.
BOOST_AUTO_TEST_CASE(lines_without_their_shape_are_reported) {
  const scratch_folder folder;
  const auto original = folder.path() / "a.echoreplay";
  write_match(original);
  const auto reel = folder.path() / "a.reel";
  BOOST_REQUIRE(files::convert(original, reel));
  byte_vector bytes = read_file(reel);
  const auto source = reel::reader::open(reel);
  BOOST_REQUIRE(source);
  std::size_t events = 0;
  for (const reel::record_info& each : source->contents().records) {
    if (each.kind != reel::record_kind::event) continue;
    bytes[static_cast<std::size_t>(each.offset + each.bytes / 2)] ^= std::byte{1};
    ++events;
  }
  BOOST_TEST(events > 0u);
  const auto damaged = folder.path() / "damaged.reel";
  write_file(damaged, bytes);
  const auto made = files::convert(damaged, folder.path() / "b.echoreplay");
  BOOST_REQUIRE(made);
  BOOST_TEST(made->losses.missing_lines == made->ticks);
  BOOST_TEST(made->lossy_source());
  BOOST_TEST(made->ticks == all_states(original).size());
  // Two recordings that lack the same values are not reported as equal, and the user is informed.
  const auto compared = files::compare_lines(damaged, damaged).value();
  BOOST_TEST(compared.different == made->ticks);
  BOOST_TEST(compared.first == "the line of tick 0 is missing");
  const auto opened = files::open(damaged).value();
  const auto verified = opened->verify().value();
  BOOST_TEST(std::count_if(
                 verified.findings.begin(), verified.findings.end(),
                 [](const files::finding& each) { return each.message.starts_with("the lines of "); }) == 1);
  BOOST_TEST((files::open(damaged).value()->summarise().value().health == files::health::damaged));
}

// Also junk, line ends and unusual spelling, through a clip converted to a reel of rows.
BOOST_AUTO_TEST_CASE(a_clip_is_the_same_range_of_the_text) {
  const scratch_folder folder;
  const auto original = folder.path() / "a.echoreplay";
  write_match(original);
  std::vector<std::string> lines = lines_of(text_of_plain(folder, original));
  BOOST_REQUIRE(lines.size() > 60u);
  lines.resize(60);
  std::string text;
  std::string part;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    std::string& line = lines[i];
    if (i % 3 == 0) line.insert(line.find(','), " ");
    if (i % 4 == 0) line.replace(line.size() - 2, 2, "\n");
    if (i % 7 == 0) line.insert(0, "nonsense " + std::to_string(i) + "\n");
    text += line;
    if (i >= 40 && i <= 50) part += line;
  }
  const auto whole = folder.path() / "whole.echoreplay";
  write_file(whole, text);
  const auto rows = folder.path() / "rows.reel";
  BOOST_REQUIRE(files::convert(whole, rows));
  files::convert_options plain;
  plain.overwrite = true;
  plain.codec = codec_options{.codec = codec_id::none};
  files::convert_options of_part;
  of_part.overwrite = true;
  of_part.range.from = files::moment::at_tick(40);
  of_part.range.to = files::moment::at_tick(50);
  for (const auto& source : {whole, rows}) {
    BOOST_TEST_CONTEXT(source) {
      const auto cut = folder.path() / "part.reel";
      const auto made = files::convert(source, cut, of_part);
      BOOST_REQUIRE_MESSAGE(made, (made ? "" : describe(made.error())));
      BOOST_TEST(made->ticks == 11u);
      const auto back = folder.path() / "back.echoreplay";
      BOOST_REQUIRE(files::convert(cut, back, plain));
      const byte_vector bytes = read_file(back);
      BOOST_TEST((as_text(bytes) == part));
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
