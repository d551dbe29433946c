// Damaged .butter files and .echoreplay archives through recover(): the output verifies, and every tick in it equals the original
// or is reported as doubtful.
#include <algorithm>

#include "fixtures.hpp"
#include "random.hpp"
#include "tickreel/butter/file.hpp"
#include "tickreel/files/recover.hpp"

BOOST_AUTO_TEST_SUITE(files_tests)
BOOST_AUTO_TEST_SUITE(damaged_files_test)

namespace {

using namespace tickreel;
using namespace tickreel::test;

struct outcome {
  bool refused = false;
  files::recover_report report;
  std::vector<std::string> states;
};

// Recovers `bytes`; the output must be valid.
outcome recovered(const scratch_folder& folder, const char* name, byte_span bytes) {
  const auto path = folder.path() / (std::string("damaged") + name);
  const auto out = folder.path() / (std::string("out") + name);
  write_file(path, bytes);
  outcome got;
  auto report = files::recover(path, out, {.overwrite = true});
  if (!report) {
    got.refused = true;
    return got;
  }
  got.report = *report;
  const auto verified = open_recording(out)->verify();
  BOOST_REQUIRE(verified);
  for (const files::finding& each : verified->findings) {
    BOOST_REQUIRE_MESSAGE(each.level != files::severity::error, each.message);
  }
  BOOST_REQUIRE_EQUAL(verified->ticks, report->ticks);
  std::optional<error> ended_with;
  got.states = all_states(out, &ended_with);
  BOOST_REQUIRE(!ended_with);
  BOOST_REQUIRE_EQUAL(got.states.size(), report->ticks);
  return got;
}

bool is_part_of(const std::vector<std::string>& part, const std::vector<std::string>& whole) {
  auto at = whole.begin();
  for (const std::string& each : part) {
    at = std::find(at, whole.end(), each);
    if (at == whole.end()) return false;
    ++at;
  }
  return true;
}

byte_vector with_flipped(byte_span bytes, std::size_t bit) {
  byte_vector changed(bytes.begin(), bytes.end());
  changed[bit / 8] ^= static_cast<std::byte>(1u << bit % 8);
  return changed;
}

}  // namespace

BOOST_AUTO_TEST_CASE(flipped_bits_of_a_butter) {
  const scratch_folder folder;
  auto random = seeded_random("flips in a butter");
  for (const codec_id codec : {codec_id::gzip, codec_id::zstd}) {
    files::convert_options options;
    options.codec = codec_options{.codec = codec};
    options.keyframe_interval_ticks = 30;
    options.overwrite = true;
    const auto path = folder.path() / "whole.butter";
    write_match(path, options);
    const byte_vector whole = read_file(path);
    const std::vector<std::string> states = all_states(path);
    constexpr std::size_t head = 400;  // more than it contains here; no checksum covers it
    for (int i = 0; i < 40; ++i) {
      const std::size_t bit = head * 8 + random() % ((whole.size() - head) * 8);
      BOOST_TEST_CONTEXT(name(codec) << ", bit " << bit) {
        const outcome got = recovered(folder, ".butter", with_flipped(whole, bit));
        BOOST_REQUIRE(!got.refused);
        BOOST_REQUIRE(is_part_of(got.states, states));
        BOOST_REQUIRE_EQUAL(got.report.lost.empty(), got.states.size() == states.size());
        BOOST_REQUIRE(states.size() - got.states.size() <= 30);
        // Approximately, because only the clock indicates their number.
        const std::size_t lost = states.size() - got.states.size();
        BOOST_REQUIRE(got.report.lost_ticks <= lost + 5);
        BOOST_REQUIRE(got.report.lost_ticks + 5 >= lost);
      }
    }
  }
}

// Each is counted, and named by its own number.
BOOST_AUTO_TEST_CASE(a_butter_of_damaged_chunks_alone_counts_each_of_them) {
  const scratch_folder folder;
  files::convert_options options;
  options.keyframe_interval_ticks = 2;
  const auto path = folder.path() / "whole.butter";
  write_match(path, options);
  byte_vector bytes = read_file(path);
  const auto reader = butter::reader::open(bytes);
  BOOST_REQUIRE(reader);
  const std::size_t chunks = reader->chunk_count();
  BOOST_REQUIRE(chunks > 50u);
  for (std::size_t chunk = 0; chunk < chunks; ++chunk) {
    bytes[static_cast<std::size_t>(reader->chunk_offset(chunk))] ^= std::byte{0xFF};
  }
  write_file(path, bytes);
  auto source = files::open_echo(path, {});
  BOOST_REQUIRE(source);
  const auto tick = std::make_unique<echo::state>();
  const auto more = (*source)->next(*tick);
  BOOST_REQUIRE(more);
  BOOST_TEST(!*more);
  const files::source_losses lost = (*source)->losses();
  BOOST_TEST(lost.damaged_places == chunks);
  BOOST_REQUIRE(!lost.places.empty());
  BOOST_TEST(lost.places.front().starts_with("chunk 1 of " + std::to_string(chunks) + " is damaged"));
}

namespace {

bool says_doubtful(const std::vector<std::string>& lost) {
  return std::ranges::any_of(
      lost, [](const std::string& each) { return each.find("may have been changed") != each.npos; });
}

}  // namespace

// The checksum of an archive covers all of its text. If it is wrong the lines are kept and reported as doubtful: by the report,
// by the recovered file, and by copies of that.
BOOST_AUTO_TEST_CASE(flipped_bits_of_an_archive) {
  const scratch_folder folder;
  auto random = seeded_random("flips in an archive");
  const auto path = folder.path() / "whole.echoreplay";
  auto match = short_match();
  match.match_seconds = 1;
  write_match(path, {}, match);
  const byte_vector whole = read_file(path);
  const std::vector<std::string> states = all_states(path);
  std::vector<std::size_t> bits;
  for (std::size_t bit = 0; bit < 100 * 8; bit += 7) bits.push_back(bit);
  for (std::size_t bit = (whole.size() - 170) * 8; bit < whole.size() * 8; bit += 7) bits.push_back(bit);
  for (int i = 0; i < 60; ++i) bits.push_back(random() % (whole.size() * 8));
  std::size_t changed = 0;
  for (const std::size_t bit : bits) {
    BOOST_TEST_CONTEXT("bit " << bit << " of " << whole.size() * 8) {
      const outcome got = recovered(folder, ".echoreplay", with_flipped(whole, bit));
      if (got.refused) continue;
      const bool doubtful = says_doubtful(got.report.lost);
      if (!is_part_of(got.states, states)) {
        ++changed;
        BOOST_REQUIRE(doubtful);
      }
      if (got.states.size() < states.size()) BOOST_REQUIRE(!got.report.lost.empty());
      const auto out = folder.path() / "out.echoreplay";
      const auto again = open_recording(out);
      while (again->next().value()) {}
      BOOST_REQUIRE_EQUAL(says_doubtful(again->losses()), doubtful);
      const auto reported_summary = again->summarise();
      BOOST_REQUIRE(reported_summary);
      BOOST_REQUIRE_EQUAL(files::name(reported_summary->health), doubtful ? "recovered" : "whole");
    }
  }
  BOOST_TEST(changed > 10u);
}

BOOST_AUTO_TEST_CASE(copies_of_doubtful_lines_are_doubtful) {
  const scratch_folder folder;
  const auto path = folder.path() / "whole.echoreplay";
  write_match(path);
  byte_vector bytes = read_file(path);
  bytes[14] ^= std::byte{1};  // the checksum before the text
  const auto directory =
      std::search(bytes.begin(), bytes.end(), std::begin("PK\x01\x02"), std::end("PK\x01\x02") - 1,
                  [](std::byte a, char b) { return static_cast<char>(a) == b; });
  BOOST_REQUIRE((directory != bytes.end()));
  *(directory + 16) ^= std::byte{1};  // and the one in the directory
  const outcome got = recovered(folder, ".echoreplay", bytes);
  BOOST_REQUIRE(!got.refused);
  BOOST_TEST(says_doubtful(got.report.lost));
  BOOST_TEST((got.states == all_states(path)));
  const auto report = files::convert(folder.path() / "out.echoreplay", folder.path() / "again.echoreplay");
  BOOST_REQUIRE(report);
  BOOST_TEST(report->losses.doubtful_ticks == report->ticks);
  BOOST_TEST(files::name(open_recording(folder.path() / "again.echoreplay")->summarise()->health) ==
             "recovered");
  const auto butter = files::convert(folder.path() / "again.echoreplay", folder.path() / "again.butter");
  BOOST_REQUIRE(butter);
  BOOST_TEST(butter->losses.doubtful_ticks == butter->ticks);
}

// Without a directory, the checksum can be verified only at the end of the text.
BOOST_AUTO_TEST_CASE(lines_found_doubtful_at_the_end_stay_doubtful) {
  const scratch_folder folder;
  const auto path = folder.path() / "whole.echoreplay";
  write_match(path);
  byte_vector bytes = read_file(path);
  const std::size_t directory = as_text(bytes).find("PK\x01\x02");
  BOOST_REQUIRE(directory != std::string_view::npos);
  bytes.resize(directory);
  bytes[14] ^= std::byte{1};  // the checksum before the text
  write_file(folder.path() / "torn.echoreplay", bytes);
  const auto report = files::convert(folder.path() / "torn.echoreplay", folder.path() / "made.echoreplay");
  BOOST_REQUIRE(report);
  BOOST_TEST(report->losses.doubtful_ticks == report->ticks);
  const auto made = open_recording(folder.path() / "made.echoreplay");
  while (made->next().value()) {}
  BOOST_TEST(says_doubtful(made->losses()));
}

// Names come from the network, and the format's own programs accept any characters in them.
BOOST_AUTO_TEST_CASE(names_with_control_characters_are_read) {
  const scratch_folder folder;
  const auto path = folder.path() / "a.butter";
  for (const codec_id codec : {codec_id::none, codec_id::gzip, codec_id::zstd}) {
    files::convert_options options;
    options.codec = codec_options{.codec = codec};
    options.overwrite = true;
    write_match(path, options);
    byte_vector bytes = read_file(path);
    constexpr std::size_t client_name = 4;
    BOOST_REQUIRE(bytes[client_name] != std::byte{0});
    bytes[client_name] = std::byte{0x1B};
    write_file(path, bytes);
    BOOST_TEST(all_states(path).size() > 100u);
    const auto reported_summary = open_recording(path)->summarise();
    BOOST_REQUIRE(reported_summary);
    BOOST_TEST(reported_summary->format == "butter");
    // But a file that only begins like a .butter is not detected as one.
    auto reader = butter::reader::open(bytes);
    BOOST_REQUIRE(reader);
    bytes[static_cast<std::size_t>(reader->chunk_offset(0))] ^= std::byte{1};
    write_file(path, bytes);
    BOOST_TEST((files::open(path).error().code == error_code::not_recognised));
  }
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
