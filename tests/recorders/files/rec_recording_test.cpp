// .rec files as the program uses them: printed, checked, written, converted to text and back, and recorded.
#include <algorithm>
#include <boost/test/unit_test.hpp>

#include "file_bytes.hpp"
#include "quick_summary_check.hpp"
#include "random.hpp"
#include "scratch_folder.hpp"
#include "shared_data.hpp"
#include "tickreel/files/conversion.hpp"
#include "tickreel/files/format.hpp"
#include "tickreel/files/rec_sink.hpp"
#include "tickreel/files/recording.hpp"
#include "tickreel/files/recover.hpp"
#include "tickreel/io/filesystem_path.hpp"
#include "tickreel/record/recorder.hpp"
#include "tickreel/samp_rec/encoder.hpp"
#include "tickreel/samp_rec/legacy.hpp"
#include "tickreel/samp_rec/reader.hpp"
#include "tickreel/samp_rec/writer.hpp"

BOOST_AUTO_TEST_SUITE(files_rec_tests)
BOOST_AUTO_TEST_SUITE(rec_recording_test)

using namespace tickreel;
using namespace tickreel::files;
using samp_rec::on_foot_block;
using samp_rec::vehicle_block;

namespace {

template <class T>
T taken(result<T>&& outcome) {
  if (!outcome) BOOST_FAIL(describe(outcome.error()));
  return std::move(*outcome);
}

std::vector<std::filesystem::path> real_files() {
  return test::shared_files("rec", ".rec");
}

template <class Block>
std::vector<Block> walk(std::size_t count) {
  std::vector<Block> out(count);
  for (std::size_t i = 0; i < count; ++i) {
    out[i].time_ms = static_cast<std::uint32_t>(100 + i * 40);
    out[i].position_m = {static_cast<float>(i) * 0.06f, -5, 3};
    out[i].rotation = samp_rec::from_heading_degrees(270);
    out[i].velocity_m_per_20ms = samp_rec::velocity_from_m_per_s(1.5, 0, 0);
  }
  return out;
}

template <class Block>
byte_vector walk_file(std::size_t count) {
  return samp_rec::to_bytes(std::span<const Block>(walk<Block>(count)));
}

conversion_report convert_to(const std::filesystem::path& input, const std::filesystem::path& output) {
  const auto how = taken(find_conversion(input, format_of_name(output)));
  BOOST_REQUIRE_MESSAGE(how != nullptr, input << " -> " << output);
  return taken(how->run(input, output, {}));
}

// Through either text and back to the same bytes.
void comes_back(const std::filesystem::path& file, const test::scratch_folder& folder) {
  const byte_vector before = test::read_file(file);
  for (const char* kind : {"csv", "ndjson"}) {
    BOOST_TEST_CONTEXT(file.filename().string() << " by " << kind) {
      const std::string text = folder / (std::string("text.") + kind), again = folder / "again.rec";
      const auto there = convert_to(file, text);
      const auto back = convert_to(text, again);
      BOOST_TEST((test::read_file(again) == before));
      BOOST_TEST(there.ticks == back.ticks);
      BOOST_TEST(back.bytes == before.size());
      std::filesystem::remove(text);
      std::filesystem::remove(again);
    }
  }
}

error refusal(const std::string& text, const char* name, const test::scratch_folder& folder) {
  test::write_file(folder / name, as_bytes(text));
  const auto how = taken(find_conversion(folder / name, "rec"));
  BOOST_REQUIRE(how != nullptr);
  const auto made = how->run(folder / name, folder / "refused.rec", {});
  BOOST_REQUIRE(!made);
  BOOST_TEST(!std::filesystem::exists(folder / "refused.rec"));
  return made.error();
}

}  // namespace

BOOST_AUTO_TEST_SUITE(rec_files)

BOOST_AUTO_TEST_CASE(real_files_are_printed_and_round_trip_through_text) {
  test::scratch_folder folder;
  for (const auto& path : real_files()) {
    auto opened = taken(open(path));
    BOOST_TEST(opened->format() == "rec");
    const summary facts = taken(opened->summarise());
    BOOST_TEST(facts.bytes == std::filesystem::file_size(path));
    BOOST_TEST((facts.health == health::whole));
    BOOST_REQUIRE(opened->rewind());
    std::uint64_t ticks = 0;
    while (taken(opened->next())) BOOST_REQUIRE(opened->position().tick == ticks++);
    BOOST_TEST(ticks == facts.ticks);
    BOOST_TEST(taken(opened->verify()).ok());
    comes_back(path, folder);
  }
}

BOOST_AUTO_TEST_CASE(any_bits_round_trip_through_text) {
  auto random = test::seeded_random("rec_text_any_bits");
  test::scratch_folder folder;
  for (int round = 0; round < 6; ++round) {
    // Valid at its ends, so that its layout is detected; random bytes between.
    byte_vector file = round % 2 == 0 ? walk_file<vehicle_block>(100) : walk_file<on_foot_block>(100);
    const std::size_t each = round % 2 == 0 ? 67 : 72;
    for (std::size_t i = 8 + 20 * each; i < 8 + 80 * each; ++i) file[i] = static_cast<std::byte>(random());
    // -0, an infinity, a NaN with a payload, and a signalling one.
    const std::uint32_t odd[] = {0x80000000u, 0xFF800000u, 0x7FC12345u, 0x7F800001u, 1u};
    for (std::size_t i = 0; i < std::size(odd); ++i) {
      byte_writer to(mutable_byte_span(file).subspan(8 + (30 + i) * each + (round % 2 == 0 ? 28 : 10), 4));
      to.u32(odd[i]);
    }
    if (round >= 2) file.resize(file.size() + 1 + random() % (each - 1), std::byte{0xAB});
    test::write_file(folder / "odd.rec", file);
    comes_back(folder / "odd.rec", folder);
  }
  for (const std::uint32_t kind : {0u, 1u, 2u}) {
    byte_vector empty(8);
    byte_writer to(empty);
    to.u32(1000);
    to.u32(kind);
    test::write_file(folder / "empty.rec", empty);
    comes_back(folder / "empty.rec", folder);
  }
}

BOOST_AUTO_TEST_CASE(texts_edited_by_users) {
  test::scratch_folder folder;
  test::write_file(folder / "walk.rec", walk_file<on_foot_block>(3));
  (void)convert_to(folder / "walk.rec", folder / "walk.csv");
  std::string text = test::read_text(folder / "walk.csv");
  BOOST_TEST(
      text.starts_with("time_ms,left_right,up_down,keys,position_x,position_y,position_z,rotation_w,"));
  // Windows line ends, an additional first column, quotes, comments.
  std::string edited = "\xEF\xBB\xBF# by hand\r\n";
  bool first = true;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = text.find('\n', at);
    edited += (first ? "note," : "\"hello\",") + text.substr(at, end - at) + "\r\n";
    first = false;
    at = end + 1;
  }
  test::write_file(folder / "edited.csv", as_bytes(edited));
  (void)convert_to(folder / "edited.csv", folder / "edited.rec");
  BOOST_TEST((test::read_file(folder / "edited.rec") == walk_file<on_foot_block>(3)));

  const error missing = refusal(text.substr(0, text.rfind(',')), "bad.csv", folder);
  BOOST_TEST((missing.code == error_code::malformed));
  BOOST_TEST(missing.values[0] == 4);
  BOOST_TEST(missing.offset > 0u);
  BOOST_TEST((refusal("a,b\n1,2\n", "bad.csv", folder).code == error_code::malformed));
  BOOST_TEST((refusal("", "bad.csv", folder).code == error_code::malformed));
  std::string large = text;
  large.replace(large.find("\n100,") + 1, 3, "4294967296");
  BOOST_TEST((refusal(large, "bad.csv", folder).code == error_code::malformed));

  (void)convert_to(folder / "walk.rec", folder / "walk.ndjson");
  const std::string lines = test::read_text(folder / "walk.ndjson");
  BOOST_TEST(lines.starts_with("{\"tick\":0,\"time_ms\":100,\"left_right\":0,"));
  BOOST_TEST((refusal(lines + "[]\n", "bad.ndjson", folder).code == error_code::bad_json));
  BOOST_TEST((refusal("{\"tick\":0}\n", "bad.ndjson", folder).code == error_code::malformed));
  std::string short_tuple = lines;
  short_tuple.replace(short_tuple.find("\"velocity\":["), 12, "\"velocity\":[0,");
  BOOST_TEST((refusal(short_tuple, "bad.ndjson", folder).code == error_code::malformed));
}

BOOST_AUTO_TEST_CASE(cat_output_is_accepted_by_convert) {
  test::scratch_folder folder;
  test::write_file(folder / "walk.rec", walk_file<vehicle_block>(50));
  auto opened = taken(open(folder / "walk.rec"));
  std::string lines;
  while (taken(opened->next())) {
    std::string state;
    opened->append_state(state);
    lines += "{\"tick\":" + std::to_string(opened->position().tick) +
             ",\"time_ms\":" + std::to_string(opened->position().time_ms) + "," + state + "}\n";
  }
  (void)convert_to(folder / "walk.rec", folder / "walk.ndjson");
  BOOST_TEST(test::read_text(folder / "walk.ndjson") == lines);
}

BOOST_AUTO_TEST_CASE(seeking) {
  test::scratch_folder folder;
  test::write_file(folder / "walk.rec", walk_file<on_foot_block>(10'000));
  auto opened = taken(open(folder / "walk.rec"));
  for (const std::uint64_t tick : {9'999u, 0u, 5'000u}) {
    BOOST_REQUIRE(opened->seek(moment::at_tick(tick)));
    BOOST_REQUIRE(taken(opened->next()));
    BOOST_TEST(opened->position().tick == tick);
    BOOST_TEST(opened->position().offset == 8 + tick * 72);
  }
  BOOST_REQUIRE(opened->seek(moment::at_time(2)));
  BOOST_REQUIRE(taken(opened->next()));
  BOOST_TEST(opened->position().time_ms == 2020);
  BOOST_TEST((opened->seek(moment::at_tick(10'000)).error().code == error_code::out_of_range));
  // Without a game clock, the clock is the time.
  BOOST_REQUIRE(opened->seek(moment::at_clock(2)));
  BOOST_REQUIRE(taken(opened->next()));
  BOOST_TEST(opened->position().time_ms == 2020);
}

BOOST_AUTO_TEST_CASE(truncated_files_are_recovered) {
  test::scratch_folder folder;
  const byte_vector whole = walk_file<vehicle_block>(30);
  for (std::size_t size = 8 + 67; size <= whole.size(); size += 13) {
    test::write_file(folder / "cut.rec", byte_span(whole).first(size));
    const std::size_t blocks = (size - 8) / 67, rest = (size - 8) % 67;
    const summary facts = taken(taken(open(folder / "cut.rec"))->summarise());
    BOOST_TEST(facts.ticks == blocks);
    BOOST_TEST((facts.health == (rest == 0 ? health::whole : health::incomplete)));
    const auto report = taken(recover(folder / "cut.rec", folder / "saved.rec", {.overwrite = true}));
    BOOST_TEST(report.ticks == blocks);
    BOOST_TEST(report.lost.size() == (rest == 0 ? 0u : 1u));
    const byte_vector saved = test::read_file(folder / "saved.rec");
    BOOST_TEST(
        (saved == byte_vector(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(8 + blocks * 67))));
  }
  BOOST_TEST(filesystem_path(*recovered_name(folder / "cut.rec")).filename() == "cut.recovered.rec");
}

template <class Block>
void damaged_values_are_left_out() {
  test::scratch_folder folder;
  std::vector<Block> blocks = walk<Block>(30);
  std::vector<Block> sound;
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    // The time of a damaged block may be damaged, too: it must not shift the others.
    if (i == 5) blocks[i].time_ms = 0xFFFFFFFF;
    if (i == 5) blocks[i].position_m.y = std::numeric_limits<float>::quiet_NaN();
    if (i == 9) blocks[i].velocity_m_per_20ms.z = -std::numeric_limits<float>::infinity();
    if (i == 29) blocks[i].rotation.w = std::numeric_limits<float>::infinity();
    if (i != 5 && i != 9 && i != 29) sound.push_back(blocks[i]);
  }
  const auto file_of = [](const std::vector<Block>& each) {
    byte_vector bytes = samp_rec::to_bytes(std::span<const Block>(walk<Block>(each.size())));
    for (std::size_t i = 0; i < each.size(); ++i) {
      byte_writer block(mutable_byte_span(bytes).subspan(8 + i * Block::wire_bytes, Block::wire_bytes));
      write(block, each[i]);
    }
    return bytes;
  };
  test::write_file(folder / "odd.rec", file_of(blocks));
  const auto report = taken(recover(folder / "odd.rec", folder / "saved.rec"));
  BOOST_TEST(report.ticks == 27u);
  BOOST_TEST(report.lost_ticks == 3u);
  BOOST_REQUIRE(report.lost.size() == 1u);
  BOOST_TEST(report.lost[0] ==
             "3 blocks whose position, rotation or velocity is not a number, the first at offset " +
                 std::to_string(8 + 5 * Block::wire_bytes) + ": left out");
  BOOST_TEST((test::read_file(folder / "saved.rec") == file_of(sound)));
  BOOST_TEST(taken(taken(open(folder / "saved.rec"))->verify()).ok());
}

BOOST_AUTO_TEST_CASE(recovery_leaves_out_blocks_that_no_player_can_apply) {
  damaged_values_are_left_out<vehicle_block>();
  damaged_values_are_left_out<on_foot_block>();
}

// Its first bytes may also be those of a game that another format's cache holds.
BOOST_AUTO_TEST_CASE(old_files_without_header_are_detected) {
  const samp_rec::vector3 forward{-0.0998f, 0.9938f, 0.0499f};
  const samp_rec::vector3 right{0.9950f, 0.0992f, 0.0150f};
  for (const std::uint32_t first_time_ms : {0u, 31u, 500u}) {
    for (const std::size_t blocks : {20u, 900u}) {
      byte_vector file(blocks * samp_rec::legacy_vehicle_block::wire_bytes);
      byte_writer to(file);
      for (std::size_t at = 0; at < blocks; ++at) {
        samp_rec::legacy_vehicle_block block;
        block.time_ms = first_time_ms + static_cast<std::uint32_t>(at) * 60;
        block.vehicle_id = 1282;
        block.right = right;
        block.forward = forward;
        block.position_m = {101.3f, 202.7f, 13.1f};
        block.vehicle_health = 1000;
        block.driver_health = 95;
        write(to, block);
      }
      const auto found = files::detect(
          files::probe{byte_span(file).first(std::min<std::size_t>(file.size(), 65'536)), file.size()});
      BOOST_REQUIRE((found != nullptr));
      BOOST_TEST(found->name == "rec", first_time_ms << ' ' << blocks);
      const auto opened = files::open(byte_span(file));
      BOOST_REQUIRE_MESSAGE(opened.has_value(), (opened ? std::string() : describe(opened.error())));
      std::size_t ticks = 0;
      for (; (*opened)->next().value(); ++ticks) continue;
      BOOST_TEST(ticks == blocks);
    }
  }
}

BOOST_AUTO_TEST_CASE(errors_are_reported) {
  test::scratch_folder folder;
  auto blocks = walk<vehicle_block>(60);
  blocks[20].position_m.x = std::nanf("");
  blocks[30].time_ms -= 1000;
  test::write_file(folder / "bad.rec", samp_rec::to_bytes(std::span<const vehicle_block>(blocks)));
  auto opened = taken(open(folder / "bad.rec"));
  BOOST_TEST((taken(opened->summarise()).health == health::damaged));
  const verification found = taken(opened->verify());
  BOOST_TEST(!found.ok());
  const auto at = [&](std::uint64_t offset) {
    return std::any_of(found.findings.begin(), found.findings.end(), [&](const finding& each) {
      return each.level == severity::error && each.offset == offset;
    });
  };
  BOOST_TEST(at(8 + 20 * 67));
  BOOST_TEST(at(8 + 30 * 67));
  // A header of our dialect, with other contents after it.
  byte_vector noise = walk_file<vehicle_block>(60);
  std::fill(noise.begin() + 8, noise.end(), std::byte{0xFF});
  test::write_file(folder / "noise.rec", noise);
  const auto refused = open(folder / "noise.rec");
  BOOST_REQUIRE(!refused);
  BOOST_TEST(describe(refused.error()).find("block layout not recognised") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_recorders_file_is_valid_at_any_moment) {
  test::scratch_folder folder;
  const auto blocks = walk<on_foot_block>(500);
  rec_sink_counters counters;
  std::vector<std::unique_ptr<reel::sink>> sinks;
  sinks.push_back(taken(rec_sink::create(folder / "live.rec", on_foot_block::kind, false, &counters)));
  BOOST_TEST((rec_sink::create(folder / "live.rec", on_foot_block::kind).error().code == error_code::in_use ||
              rec_sink::create(folder / "live.rec", on_foot_block::kind).error().code ==
                  error_code::already_exists));
  using encoder = samp_rec::encoder<on_foot_block>;
  auto live = taken(tickreel::recorder<encoder>::open(std::move(sinks), encoder{},
                                                      {.mode = threading::pumped, .seal_frames = 7}));
  std::size_t seen = 0;
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    on_foot_block block = blocks[i];
    BOOST_REQUIRE(live.push(block));
    if (i == 250) {
      block.time_ms -= 1;  // no game plays such a block
      BOOST_REQUIRE(live.push(block));
    }
    (void)live.pump();
    if (i % 50 != 0) continue;
    const auto now = taken(samp_rec::read_recording(test::read_file(folder / "live.rec")));
    BOOST_TEST(now.shape.tail_bytes == 0u);
    BOOST_TEST(now.on_foot.size() >= seen);
    BOOST_TEST(now.on_foot.size() + 7 > i);
    seen = now.on_foot.size();
  }
  BOOST_TEST(taken(live.close()).nothing_lost());
  BOOST_TEST(
      (test::read_file(folder / "live.rec") == samp_rec::to_bytes(std::span<const on_foot_block>(blocks))));
  BOOST_TEST(counters.blocks == 500u);
  BOOST_TEST(counters.refused == 1u);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_CASE(a_quick_summary_equals_the_full_one) {
  test::scratch_folder folder;
  for (const auto& file : real_files()) {
    test::check_quick_summary(file);
    const byte_vector bytes = test::read_file(file);
    const auto cut = folder.path() / "cut.rec";
    test::write_file(cut, byte_span(bytes).first(bytes.size() - 3));
    test::check_quick_summary(cut);
    BOOST_TEST(name(test::looked_at(cut, true).health) == "incomplete");
  }
  // Time that goes back is no negative duration.
  std::vector<samp_rec::on_foot_block> blocks(20);
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    blocks[i].time_ms = static_cast<std::uint32_t>(i < 10 ? 5000 + i * 40 : i * 40);
  }
  const auto back = folder.path() / "back.rec";
  test::write_file(back, samp_rec::to_bytes(std::span<const samp_rec::on_foot_block>(blocks)));
  test::check_quick_summary(back);
  BOOST_TEST(test::looked_at(back, true).duration_ms == 0);
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
