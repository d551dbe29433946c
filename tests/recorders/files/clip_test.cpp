// Clips of recordings: in every format that supports clips, their ticks equal those of the original.
#include <algorithm>
#include <map>
#include <random>

#include "file_bytes.hpp"
#include "fixtures.hpp"
#include "random.hpp"
#include "reel_damage.hpp"
#include "tickreel/butter/file.hpp"
#include "tickreel/files/conversion.hpp"
#include "tickreel/files/range.hpp"
#include "tickreel/reel/reader.hpp"
#include "tickreel/samp_rec/writer.hpp"
#include "tickreel/tickreel.hpp"

BOOST_AUTO_TEST_SUITE(files_clips_tests)
BOOST_AUTO_TEST_SUITE(clip_test)

namespace cut_world {
struct unit {
  float x = 0;
};
TICKREEL_DESCRIBE(unit, x);
struct world {
  tickreel::entities<unit, 3> units;
  std::int32_t score = 0;
};
TICKREEL_DESCRIBE(world, units, score);
}  // namespace cut_world

namespace {

using namespace tickreel;
using namespace tickreel::test;
using files::moment;
using files::tick_range;

struct seen_tick {
  files::tick_position at;
  std::optional<double> clock;
  std::string state;
};

std::vector<seen_tick> all_seen(const std::filesystem::path& path) {
  const auto from = open_recording(path);
  std::vector<seen_tick> all;
  for (;;) {
    const auto more = from->next();
    BOOST_REQUIRE_MESSAGE(more, path << ": " << (more ? "" : describe(more.error())));
    if (!*more) return all;
    all.push_back({from->position(), from->game_clock(), {}});
    from->append_state(all.back().state);
  }
}

struct clip_outcome {
  files::cut_place cut;
  std::vector<std::string> lost;
};

// As the program clips.
result<clip_outcome> clip(const std::filesystem::path& from, const std::filesystem::path& to,
                          const tick_range& range) {
  const auto how = files::find_conversion(from, files::format_of_name(to), true);
  if (!how) return fail(how.error());
  if (*how != nullptr) {
    files::conversion_options options;
    options.range = range;
    options.overwrite = true;
    const auto done = (*how)->run(from, to, options);
    if (!done) return fail(done.error());
    return clip_outcome{done->cut.value(), done->lost};
  }
  files::convert_options options;
  options.range = range;
  options.overwrite = true;
  const auto done = files::convert(file_path(from), to, options);
  if (!done) return fail(done.error());
  return clip_outcome{done->cut.value(), files::sentences(done->losses)};
}

void write_walk(const std::filesystem::path& path) {
  std::vector<samp_rec::on_foot_block> blocks(200);
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    blocks[i].time_ms = static_cast<std::uint32_t>(100 + i * 40);
    blocks[i].position_m = {static_cast<float>(i) * 0.06f, -5, 3};
  }
  write_file(path, samp_rec::to_bytes(std::span<const samp_rec::on_foot_block>(blocks)));
}

void write_world(const std::filesystem::path& path) {
  recorder_options options;
  options.ticks_per_second = 50;
  options.mode = threading::pumped;
  options.seal_interval_ms = 1'000'000;
  options.seal_frames = 20;
  auto out = record<cut_world::world>(path.string(), options);
  BOOST_REQUIRE(out);
  cut_world::world now;
  const auto walker = now.units.add({});
  for (int tick = 0; tick < 200; ++tick) {
    now.score = tick * 7;
    now.units.find(*walker)->x = static_cast<float>(tick) * 0.5f;
    BOOST_REQUIRE(out->push(now));
    out->pump();
  }
  BOOST_REQUIRE(out->close());
}

struct recordings {
  scratch_folder folder;
  std::vector<std::filesystem::path> paths;
  recordings() {
    echo_vr::simulation_options match = short_match(true);
    match.match_seconds = 12;
    const auto path = [&](const char* name) { return folder.path() / name; };
    files::convert_options often;
    often.keyframe_interval_ticks = 40;
    write_match(path("m.butter"), often, match);
    write_match(path("m.echoreplay"), {}, match);
    write_match(path("frames.reel"), often, match);
    BOOST_REQUIRE(files::convert(path("m.echoreplay"), path("words.reel")));
    write_walk(path("walk.rec"));
    write_world(path("world.reel"));
    for (const char* name :
         {"m.butter", "m.echoreplay", "frames.reel", "words.reel", "walk.rec", "world.reel"}) {
      paths.push_back(path(name));
    }
  }
};

// The meaning of a range, tick by tick.
std::pair<std::size_t, std::size_t> wanted(const std::vector<seen_tick>& all, const tick_range& range) {
  std::size_t first = 0;
  bool above = false;
  if (range.from && range.from->unit == moment::by::clock) {
    while (first < all.size() && (!above || *all[first].clock > range.from->seconds + 1e-4)) {
      above = above || *all[first].clock > range.from->seconds + 1e-4;
      if (!above && first == 0 && *all[0].clock >= range.from->seconds - 1e-4) break;
      ++first;
    }
  } else if (range.from) {
    while (first < all.size() &&
           files::is_before(*range.from, all[first].at.tick, all[first].at.time_ms, {})) {
      ++first;
    }
  }
  std::size_t end = first;
  while (end < all.size() &&
         !(range.to && files::is_after(*range.to, all[end].at.tick, all[end].at.time_ms, all[end].clock))) {
    ++end;
  }
  return {first, end};
}

void check_clip(const std::vector<seen_tick>& all, const std::filesystem::path& from,
                const std::filesystem::path& to, const tick_range& range) {
  const auto [first, end] = wanted(all, range);
  const auto made = clip(from, to, range);
  if (first >= end) {
    BOOST_REQUIRE(!made);
    BOOST_TEST((made.error().code == error_code::out_of_range));
    return;
  }
  BOOST_REQUIRE_MESSAGE(made, (made ? "" : describe(made.error())));
  BOOST_TEST(made->lost.empty());
  const auto part = all_seen(to);
  const std::uint64_t ahead = made->cut.lead_in_ticks;
  BOOST_REQUIRE(part.size() == end - first + ahead);
  BOOST_TEST(part.front().at.keyframe);
  const std::string known[] = {part[ahead].state, part.back().state};
  BOOST_TEST((known[0] == all[first].state && known[1] == all[end - 1].state));
  for (std::size_t i = 0; i < part.size(); ++i) {
    BOOST_REQUIRE_MESSAGE(part[i].state == all[first - ahead + i].state,
                          "tick " << i << " of " << part.size());
    const std::int64_t since = part[i].at.time_ms - part[0].at.time_ms;
    BOOST_REQUIRE(since == all[first - ahead + i].at.time_ms - all[first - ahead].at.time_ms);
  }
  BOOST_TEST(made->cut.first_ms <= all[first].at.time_ms);
  BOOST_TEST(made->cut.last_ms == all[end - 1].at.time_ms);
  const auto checked = open_recording(to)->verify();
  BOOST_REQUIRE(checked);
  BOOST_TEST(checked->ok());
}

}  // namespace

BOOST_FIXTURE_TEST_CASE(random_clips_equal_the_same_range_of_the_original, recordings) {
  auto random = seeded_random("parts");
  for (const auto& path : paths) {
    const auto all = all_seen(path);
    const bool has_clock = all.front().clock.has_value();
    for (int round = 0; round < 12; ++round) {
      const auto pick = [&] { return std::uniform_int_distribution<std::size_t>(0, all.size() - 1)(random); };
      std::size_t one = pick(), other = pick();
      if (one > other) std::swap(one, other);
      const int unit = std::uniform_int_distribution<int>(0, has_clock ? 2 : 1)(random);
      const auto place = [&](const seen_tick& at) {
        return unit == 0   ? moment::at_tick(at.at.tick)
               : unit == 1 ? moment::at_time(static_cast<double>(at.at.time_ms) / 1000)
                           : moment::at_clock(*at.clock);
      };
      tick_range range{place(all[one]), place(all[other])};
      if (round == 0) range.to.reset();
      if (round == 1) range.from.reset();
      BOOST_TEST_CONTEXT(path << " unit " << unit << ", ticks " << one << " to " << other) {
        check_clip(all, path, folder.path() / ("part" + path.extension().string()), range);
      }
    }
  }
}

BOOST_FIXTURE_TEST_CASE(a_clip_of_another_format_begins_with_its_first_tick, recordings) {
  const auto all = all_seen(folder.path() / "m.echoreplay");
  const tick_range range{moment::at_tick(50), moment::at_tick(99)};
  for (const char* name : {"part.butter", "part.reel", "part.echoreplay"}) {
    const auto made = clip(folder.path() / "m.echoreplay", folder.path() / name, range);
    BOOST_REQUIRE(made);
    const auto part = all_seen(folder.path() / name);
    BOOST_TEST(part.size() == 50u);
    BOOST_TEST(part.front().at.keyframe);
    BOOST_TEST(made->cut.lead_in_ticks == 0u);
    BOOST_TEST(made->cut.first_tick.value() == 50u);
    // Times are unchanged.
    BOOST_TEST(all_ticks(folder.path() / name).front().recorded_time_ms ==
               all_ticks(folder.path() / "m.echoreplay")[50].recorded_time_ms);
  }
  const auto reel = open_recording(folder.path() / "part.reel")->summarise();
  BOOST_TEST(
      std::ranges::any_of(reel->facts, [](const auto& each) { return each.key == "metadata.cut_from"; }));
}

BOOST_FIXTURE_TEST_CASE(a_range_without_ticks_is_reported, recordings) {
  for (const auto& path : paths) {
    const auto target = folder.path() / ("none" + path.extension().string());
    const auto made = clip(path, target, {moment::at_time(5000), moment::at_time(6000)});
    BOOST_REQUIRE(!made);
    BOOST_TEST((made.error().code == error_code::out_of_range));
    BOOST_TEST(!std::filesystem::exists(target));
  }
  const auto made = clip(folder.path() / "world.reel", folder.path() / "none.reel",
                         {moment::at_clock(510), moment::at_clock(480)});
  BOOST_REQUIRE(!made);
  BOOST_TEST(describe(made.error()).find("no game clock") != std::string::npos);
}

std::vector<reel::record_info> chunks_of(const std::filesystem::path& path) {
  const auto source = reel::reader::open(file_path(path));
  BOOST_REQUIRE(source);
  std::vector<reel::record_info> chunks;
  for (const auto& each : source->contents().records) {
    if (each.kind == reel::record_kind::chunk) chunks.push_back(each);
  }
  return chunks;
}

void write_damaged(const std::filesystem::path& from, const reel::record_info& hurt,
                   const std::filesystem::path& to) {
  byte_vector bytes = read_file(from);
  bytes[static_cast<std::size_t>(hurt.offset + hurt.bytes - 12)] ^= std::byte{0x55};
  write_file(to, bytes);
}

// A chunk in the middle is damaged; clips of other chunks do not report it.
BOOST_FIXTURE_TEST_CASE(losses_are_reported_for_the_affected_clip, recordings) {
  for (const char* name : {"frames.reel", "words.reel", "world.reel"}) {
    BOOST_TEST_CONTEXT(name) {
      const auto path = folder.path() / name;
      const auto chunks = chunks_of(path);
      BOOST_REQUIRE(chunks.size() >= 4);
      const reel::record_info& hurt = chunks[chunks.size() / 2];
      const auto damaged = folder.path() / "damaged.reel";
      write_damaged(path, hurt, damaged);
      const auto target = folder.path() / "part.reel";
      const std::uint64_t first = hurt.first_tick, last = hurt.last_tick;
      for (const auto& [from, to, loss_expected] :
           {std::tuple(std::uint64_t{0}, first - 1, false), std::tuple(first - 5, first, true),
            std::tuple(last, last + 5, true), std::tuple(last + 1, last + 9, false),
            std::tuple(first - 2, last + 2, true)}) {
        BOOST_TEST_CONTEXT("ticks " << from << " to " << to) {
          const auto made = clip(damaged, target, {moment::at_tick(from), moment::at_tick(to)});
          BOOST_REQUIRE_MESSAGE(made, (made ? "" : describe(made.error())));
          BOOST_TEST(!made->lost.empty() == loss_expected);
        }
      }
      const auto inside = clip(damaged, target, {moment::at_tick(first + 1), moment::at_tick(last - 1)});
      BOOST_REQUIRE(!inside);
      BOOST_TEST((inside.error().code == error_code::out_of_range));
    }
  }
}

// The last chunk is damaged: a range that ends after it contains its ticks, whatever unit its end has.
BOOST_FIXTURE_TEST_CASE(losses_at_the_end_are_in_every_range_that_reaches_it, recordings) {
  for (const char* name : {"frames.reel", "words.reel", "world.reel"}) {
    BOOST_TEST_CONTEXT(name) {
      const auto path = folder.path() / name;
      const reel::record_info last = chunks_of(path).back();
      const auto damaged = folder.path() / "damaged.reel";
      write_damaged(path, last, damaged);
      const auto target = folder.path() / "part.reel";
      const auto whole = clip(damaged, target, {moment::at_tick(1), std::nullopt});
      BOOST_REQUIRE(whole);
      BOOST_REQUIRE(!whole->lost.empty());
      std::vector<moment> ends = {moment::at_tick(last.last_tick), moment::at_tick(1'000'000),
                                  moment::at_time(100'000)};
      if (all_seen(damaged).back().clock) ends.push_back(moment::at_clock(0));
      for (const moment& end : ends) {
        const auto part = clip(damaged, target, {moment::at_tick(1), end});
        BOOST_REQUIRE(part);
        BOOST_TEST(part->lost == whole->lost, boost::test_tools::per_element());
      }
    }
  }
}

// Complete chunks are copied without recompression, unless another compression is requested.
BOOST_AUTO_TEST_CASE(complete_chunks_of_a_butter_are_copied_unchanged) {
  const scratch_folder folder;
  const auto whole = folder.path() / "whole.butter";
  files::convert_options often;
  often.keyframe_interval_ticks = 30;
  write_match(whole, often, short_match(true));
  byte_vector whole_bytes = read_file(whole);
  const auto source = butter::reader::open(whole_bytes).value();
  // Each with a time in its gzip header, which recompression would not write.
  for (std::size_t chunk = 0; chunk < source.chunk_count(); ++chunk) {
    whole_bytes[static_cast<std::size_t>(source.chunk_offset(chunk)) + 4] = std::byte{7};
  }
  write_file(whole, as_text(whole_bytes));
  const auto stored = [](const butter::reader& of, const byte_vector& bytes, std::size_t chunk) {
    return byte_span(bytes).subspan(static_cast<std::size_t>(of.chunk_offset(chunk)), of.chunk_bytes(chunk));
  };
  files::convert_options options;
  options.range.from = moment::at_tick(45);
  options.range.to = moment::at_tick(170);
  for (const bool recompressed : {false, true}) {
    const auto part = folder.path() / (recompressed ? "recompressed.butter" : "part.butter");
    if (recompressed) options.codec = codec_options{.codec = codec_id::zstd};
    const auto made = files::convert(whole, part, options);
    BOOST_REQUIRE(made);
    BOOST_TEST(made->kept_frames);
    BOOST_REQUIRE(made->cut);
    const std::size_t first = 45 - made->cut->lead_in_ticks;
    BOOST_TEST(made->ticks == 171 - first);
    const byte_vector part_bytes = read_file(part);
    const auto clip = butter::reader::open(part_bytes).value();
    std::size_t same = 0;
    for (std::size_t chunk = 0; chunk < clip.chunk_count(); ++chunk) {
      for (std::size_t each = 0; each < source.chunk_count(); ++each) {
        const bool is_same =
            std::ranges::equal(stored(clip, part_bytes, chunk), stored(source, whole_bytes, each));
        same += is_same ? 1u : 0u;
      }
    }
    // Three or four are inside.
    if (recompressed) BOOST_TEST(same == 0u);
    if (!recompressed) BOOST_TEST(same >= 3u);
    const auto all = all_ticks(whole);
    const auto of_part = all_ticks(part);
    BOOST_REQUIRE(of_part.size() == 171 - first);
    BOOST_TEST(of_part.front().recorded_time_ms == all[first].recorded_time_ms);
    BOOST_TEST(of_part.back().recorded_time_ms == all[170].recorded_time_ms);
  }
}

BOOST_AUTO_TEST_CASE(complete_blocks_of_columns_are_copied_unchanged) {
  const scratch_folder folder;
  const auto whole = folder.path() / "whole.reel";
  const auto part = folder.path() / "part.reel";
  write_world(whole);  // 20 ticks a chunk
  files::conversion_options options;
  options.range.from = moment::at_tick(45);
  options.range.to = moment::at_tick(170);
  const auto how = files::find_conversion(whole, files::format_of_name(part), true);
  BOOST_REQUIRE(how);
  BOOST_REQUIRE(*how != nullptr);
  BOOST_REQUIRE((*how)->run(whole, part, options));
  const auto chunks = [](const std::filesystem::path& path) {
    std::map<std::uint64_t, std::pair<std::uint64_t, byte_vector>>
        found;  // by first tick: the last, and its bytes
    auto reel = reel::reader::open(path).value();
    for (std::size_t number = 0; number < reel.contents().records.size(); ++number) {
      const reel::record_info& info = reel.contents().records[number];
      if (info.kind != reel::record_kind::chunk) continue;
      byte_vector bytes;
      BOOST_REQUIRE(reel.read_stored(number, bytes));
      // Without its head, which contains its number.
      bytes.erase(bytes.begin(), bytes.end() - static_cast<std::ptrdiff_t>(info.stored_bytes) - 8);
      bytes.resize(info.stored_bytes);
      found[info.first_tick] = {info.last_tick, bytes};
    }
    return found;
  };
  const auto of_whole = chunks(whole);
  const auto of_part = chunks(part);
  BOOST_TEST(of_part.size() == 7u);
  for (const std::uint64_t inside : {60u, 80u, 100u, 120u, 140u}) {
    BOOST_REQUIRE(of_part.count(inside) == 1);
    BOOST_TEST((of_part.at(inside) == of_whole.at(inside)), "the chunk of tick " << inside);
  }
  BOOST_TEST(of_part.begin()->first == 45u);
  BOOST_TEST(of_part.rbegin()->second.first == 170u);
}

BOOST_AUTO_TEST_CASE(a_range_is_interpreted_as_documented_or_rejected) {
  tick_range range;
  const auto reads = [&](const char* from, const char* to) {
    return files::read_range(from, to, range).empty();
  };
  BOOST_REQUIRE(reads("08:30", "08:00"));
  BOOST_TEST((range.from->unit == moment::by::clock && range.from->seconds == 510));
  BOOST_REQUIRE(reads("01:00", "01:30"));
  BOOST_TEST((range.from->unit == moment::by::time && range.to->seconds == 90));
  BOOST_REQUIRE(reads("1m30s", "00:02:00"));
  BOOST_TEST((range.from->seconds == 90 && range.to->unit == moment::by::time && range.to->seconds == 120));
  BOOST_REQUIRE(reads("tick:1200", ""));
  BOOST_TEST((range.from->unit == moment::by::tick && range.from->tick == 1200 && !range.to));
  BOOST_REQUIRE(reads("clock:08:30", "clock:480"));
  BOOST_TEST((range.from->unit == moment::by::clock && range.to->seconds == 480));
  for (const auto& [from, to] :
       std::vector<std::pair<const char*, const char*>>{{"08:30", ""},
                                                        {"", "08:30"},
                                                        {"08:30", "08:30"},
                                                        {"08:30", "90s"},
                                                        {"x", ""},
                                                        {"2m", "90s"},
                                                        {"tick:9", "tick:8"},
                                                        {"clock:480", "clock:510"}}) {
    BOOST_TEST(!reads(from, to), from << " to " << to);
  }
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
