// Recovers the fullest valid file from what a crash or an interrupted transfer left.
#include "tickreel/files/recover.hpp"

#include <algorithm>

#include "fixtures.hpp"
#include "random.hpp"
#include "sanitized.hpp"
#include "tickreel/butter/file.hpp"
#include "tickreel/io/filesystem_path.hpp"

BOOST_AUTO_TEST_SUITE(files_tests)
BOOST_AUTO_TEST_SUITE(recover_test)

namespace {

using namespace tickreel;
using namespace tickreel::test;

bool begins_with(const std::vector<std::string>& whole, const std::vector<std::string>& part) {
  return part.size() <= whole.size() && std::equal(part.begin(), part.end(), whole.begin());
}

// A text that ends with a complete line does not show that there was more.
bool shows_the_cut(const byte_vector& whole, std::size_t size) {
  const auto at = [&](std::size_t place) { return static_cast<char>(whole[place]); };
  const bool archive = at(0) == 'P' && at(1) == 'K';
  const bool line_ends = at(size - 1) == '\n' || at(size) == '\r' || at(size) == '\n';
  return archive || !line_ends;
}

constexpr std::size_t cuts = is_sanitized ? 8 : 40;

// Truncates `path` at many places and recovers each; the result is a valid file with a prefix of the original, and at least what
// cat can read of the truncated one.
void check_cuts(const std::filesystem::path& path, const char* out_name) {
  const scratch_folder folder;
  const byte_vector whole = read_file(path);
  const bool text = path.extension() == ".echoreplay";
  const std::vector<std::string> states = all_states(path);
  const auto cut = folder.path() / ("cut" + path.extension().string());
  const auto out = folder.path() / out_name;
  auto random = seeded_random(out_name);
  std::size_t recovered = 0;
  std::size_t most = 0;
  for (std::size_t round = 0; round < cuts; ++round) {
    const std::size_t size = 1 + random() % (whole.size() - 1);
    BOOST_TEST_CONTEXT("cut to " << size << " of " << whole.size()) {
      write_file(cut, byte_span(whole).first(size));
      const std::size_t readable = all_states(cut).size();
      auto report = files::recover(cut, out, {.overwrite = true});
      BOOST_TEST(
          (read_file(cut) == byte_vector(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size))));
      if (!report) {
        BOOST_TEST(readable == 0u);
        continue;
      }
      ++recovered;
      BOOST_TEST(report->lost.empty() == (text && !shows_the_cut(whole, size)));
      // Reading a truncated file returns as much as recovering it.
      BOOST_TEST(report->ticks == readable);
      const auto saved = all_states(out);
      BOOST_TEST(saved.size() == report->ticks);
      BOOST_TEST(begins_with(states, saved));
      most = std::max(most, saved.size());
      auto outcome = open_recording(out)->verify();
      BOOST_REQUIRE(outcome);
      BOOST_TEST(outcome->ok());
    }
  }
  BOOST_TEST(recovered >= cuts * 3 / 4);
  BOOST_TEST(most > states.size() / 2);
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_truncated_butter) {
  const scratch_folder folder;
  for (const codec_id codec : {codec_id::none, codec_id::gzip, codec_id::zstd}) {
    files::convert_options options;
    options.codec = codec_options{.codec = codec};
    options.keyframe_interval_ticks = 40;
    options.overwrite = true;
    const auto path = folder.path() / "a.butter";
    write_match(path, options);
    check_cuts(path, "out.butter");
  }
}

BOOST_AUTO_TEST_CASE(a_truncated_echoreplay_zip_or_text) {
  const scratch_folder folder;
  for (const codec_id codec : {codec_id::none, codec_id::gzip}) {
    files::convert_options options;
    options.codec = codec_options{.codec = codec};
    options.overwrite = true;
    const auto path = folder.path() / "a.echoreplay";
    write_match(path, options);
    check_cuts(path, "out.echoreplay");
  }
}

BOOST_AUTO_TEST_CASE(a_truncated_reel) {
  const scratch_folder folder;
  files::convert_options options;
  options.keyframe_interval_ticks = 20;
  options.hold = butter::tolerances{};
  const auto path = folder.path() / "a.reel";
  write_match(path, options);
  check_cuts(path, "out.butter");
  check_cuts(path, "out.reel");
}

BOOST_AUTO_TEST_CASE(a_truncated_reel_of_columns) {
  const scratch_folder folder;
  files::convert_options options;
  options.keyframe_interval_ticks = 20;
  const auto path = folder.path() / "a.reel";
  write_match(path, options);
  check_cuts(path, "out.reel");
}

// Every reader returns exactly the valid part of a .butter.
BOOST_AUTO_TEST_CASE(ticks_after_a_damaged_chunk_of_a_butter_are_returned) {
  const scratch_folder folder;
  const auto path = folder.path() / "whole.butter";
  files::convert_options small_chunks;
  small_chunks.keyframe_interval_ticks = 30;
  write_match(path, small_chunks);
  const std::vector<std::string> truth = all_states(path);
  byte_vector bytes = read_file(path);
  auto reader = butter::reader::open(bytes);
  BOOST_REQUIRE(reader);
  const std::size_t chunks = reader->chunk_count();
  BOOST_REQUIRE(chunks >= 4u);
  std::vector<std::ptrdiff_t> ends(chunks);  // the tick after each chunk's
  for (std::ptrdiff_t tick = 1; reader->skip().value(); ++tick) ends[reader->position().chunk] = tick;
  for (const std::size_t first : {std::size_t{0}, chunks / 2, chunks - 1}) {
    for (const std::size_t count : {std::size_t{1}, std::size_t{2}}) {
      byte_vector broken = bytes;
      const std::size_t last = std::min(first + count, chunks) - 1;
      for (std::size_t chunk = first; chunk <= last; ++chunk) {
        const auto middle = reader->chunk_offset(chunk) + reader->chunk_bytes(chunk) / 2;
        broken[static_cast<std::size_t>(middle)] ^= std::byte{0x10};
      }
      const auto damaged = folder.path() / "damaged.butter";
      write_file(damaged, broken);
      BOOST_TEST_CONTEXT("chunks " << first << " to " << last << " of " << chunks) {
        std::optional<error> failure;
        const std::vector<std::string> came = all_states(damaged, &failure);
        BOOST_TEST(!failure.has_value());
        const std::ptrdiff_t before = first == 0 ? 0 : ends[first - 1];
        std::vector<std::string> expected(truth.begin(), truth.begin() + before);
        expected.insert(expected.end(), truth.begin() + ends[last], truth.end());
        BOOST_TEST((came == expected), came.size() << " instead of " << expected.size());
        auto opened = open_recording(damaged);
        while (opened->next().value()) {}
        const std::vector<std::string> losses = opened->losses();
        BOOST_REQUIRE(losses.size() == (first == 0 ? 3u : 2u));
        BOOST_TEST(losses[1].find("chunk " + std::to_string(first + 1) + " of " + std::to_string(chunks)) !=
                       std::string::npos,
                   losses[1]);
        const auto kept = files::convert(damaged, folder.path() / "kept.butter", {.overwrite = true});
        BOOST_REQUIRE(kept);
        BOOST_TEST(kept->kept_frames);
        BOOST_TEST(kept->lossy_source());
        BOOST_TEST((all_states(folder.path() / "kept.butter") == expected));
        const auto text = folder.path() / "out.echoreplay";
        const auto made = files::convert(damaged, text, {.overwrite = true});
        BOOST_REQUIRE(made);
        BOOST_TEST(made->ticks == expected.size());
        BOOST_TEST(made->lossy_source());
        BOOST_TEST(opened->events({}, [](std::string_view) { return true; }).has_value());
        BOOST_TEST(!opened->losses().empty());
        BOOST_TEST((opened->summarise().value().health == files::health::damaged));
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(damage_inside_a_butter_costs_at_most_its_chunk) {
  const scratch_folder folder;
  files::convert_options options;
  options.keyframe_interval_ticks = 40;
  const auto path = folder.path() / "a.butter";
  write_match(path, options);
  const std::size_t ticks = all_states(path).size();
  byte_vector bytes = read_file(path);
  bytes[bytes.size() / 2] ^= std::byte{0x55};
  const auto damaged = folder.path() / "damaged.butter";
  write_file(damaged, bytes);
  auto what = open_recording(damaged)->summarise();
  BOOST_REQUIRE(what);
  BOOST_TEST(files::name(what->health) == "damaged");
  auto outcome = open_recording(damaged)->verify();
  BOOST_REQUIRE(outcome);
  BOOST_TEST(!outcome->ok());
  auto report = files::recover(damaged);
  BOOST_REQUIRE(report);
  BOOST_TEST(report->output == folder.path() / "damaged.recovered.butter");
  BOOST_TEST(report->ticks >= ticks - 40);
  BOOST_TEST(report->ticks < ticks);
  BOOST_TEST(report->lost.size() == 1u);
}

BOOST_AUTO_TEST_CASE(an_intact_file_loses_nothing) {
  const scratch_folder folder;
  for (const char* name : {"a.butter", "a.echoreplay", "b.reel"}) {
    const auto path = folder.path() / name;
    write_match(path);
    auto report = files::recover(path);
    BOOST_REQUIRE_MESSAGE(report, (report ? "" : describe(report.error())));
    BOOST_TEST(report->lost.empty(), name);
    BOOST_TEST((all_states(filesystem_path(report->output)) == all_states(path)));
  }
  // Its own name, and that of another existing file, are rejected.
  BOOST_TEST((files::recover(folder.path() / "a.butter", folder.path() / "a.butter").error().code ==
              error_code::invalid_argument));
  BOOST_TEST((files::recover(folder.path() / "a.butter", folder.path() / "b.reel").error().code ==
              error_code::already_exists));
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
