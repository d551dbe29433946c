// Copies with copy_options::accepts and cut_options::accepts: frames that a decoder rejects, deltas that depend on them, and
// ticks that do not rise become gaps.
#include <boost/test/unit_test.hpp>
#include <optional>
#include <vector>

#include "scratch_folder.hpp"
#include "shared_data.hpp"
#include "tickreel/reel/block_chunk.hpp"
#include "tickreel/reel/cut.hpp"
#include "tickreel/reel/recover.hpp"

BOOST_AUTO_TEST_SUITE(sdk_reel_tests)
BOOST_AUTO_TEST_SUITE(checked_copy_test)

namespace {

using namespace tickreel;
using namespace tickreel::test;

using ticks = std::vector<std::uint64_t>;
using reel::loss_cause;

constexpr std::byte good{1};
constexpr std::byte bad{2};
constexpr std::uint64_t far_ahead = std::uint64_t{1} << 62;

struct one_frame {
  std::uint64_t tick = 0;
  frame_kind kind = frame_kind::delta;
  std::byte content = good;
};
one_frame key(std::uint64_t tick, std::byte content = good) {
  return {tick, frame_kind::keyframe, content};
}
one_frame delta(std::uint64_t tick, std::byte content = good) {
  return {tick, frame_kind::delta, content};
}

struct one_chunk {
  std::vector<one_frame> frames;
  std::optional<std::uint64_t> last_tick = std::nullopt;  // that its head states
};

void write_reel(const file_path& path, const std::vector<one_chunk>& chunks) {
  auto to = reel::writer::create(path, {}, {.codec = codec_id::none});
  BOOST_REQUIRE(to);
  for (const one_chunk& chunk : chunks) {
    byte_vector payload;
    frame_stamp before{chunk.frames.front().tick, 0};
    for (const one_frame& one : chunk.frames) {
      std::byte room[reel::frame_head_bytes];
      byte_writer head(room);
      reel::write_frame_head(head, before, {one.tick, 0}, one.kind, 1);
      payload.insert(payload.end(), head.written().begin(), head.written().end());
      payload.push_back(one.content);
      before.tick = one.tick;
    }
    reel::record_info about;
    about.flags = chunk.frames.front().kind == frame_kind::keyframe ? reel::starts_with_keyframe : 0;
    about.frames = static_cast<std::uint32_t>(chunk.frames.size());
    about.first_tick = chunk.frames.front().tick;
    about.last_tick = chunk.last_tick.value_or(chunk.frames.back().tick);
    BOOST_REQUIRE(to->append(about, payload));
  }
  BOOST_REQUIRE(to->finish());
}

// Rejects `bad`, and checks that a delta comes only after the frame that it depends on.
reel::frame_check decoder() {
  return [has_baseline = false](const reel::frame& one) mutable {
    if (one.kind == frame_kind::keyframe) has_baseline = true;
    BOOST_TEST(has_baseline);
    has_baseline = one.bytes.front() == good;
    return has_baseline;
  };
}

// The ticks of a reel whose chunks fit their heads and rise, and that has only gap records instead of losses.
ticks ticks_of_copy(const file_path& path, std::uint64_t& lost) {
  auto from = reel::reader::open(path);
  BOOST_REQUIRE(from);
  std::optional<std::uint64_t> last;
  for (const reel::record_info& each : from->contents().records) {
    if (each.kind != reel::record_kind::chunk) continue;
    BOOST_TEST((!last || each.first_tick > *last));
    last = each.last_tick;
  }
  ticks all;
  reel::frame_stream walk(*from);
  reel::frame one;
  while (*walk.next(one)) {
    BOOST_TEST((one.bytes.front() == good));
    all.push_back(one.stamp.tick);
  }
  BOOST_TEST(walk.totals().losses == 0u);
  lost = walk.totals().gap_ticks;
  return all;
}

struct one_loss {
  loss_cause cause;
  std::uint64_t ticks = 0;
  std::uint64_t first = 0;
  std::uint64_t last = 0;
  std::uint64_t records = 1;
};

struct one_case {
  const char* name;
  std::vector<one_chunk> chunks;
  ticks kept;
  std::vector<one_loss> losses;
};

const one_case every_case[] = {
    {"across chunks, up to a keyframe inside of one",
     {{{key(0), delta(1), delta(2)}},
      {{delta(3), delta(4, bad), delta(5)}},
      {{delta(6), delta(7)}},
      {{delta(8), key(9), delta(10)}},
      {{delta(11)}}},
     {0, 1, 2, 3, 9, 10, 11},
     {{loss_cause::damaged_frames, 1, 4, 4}, {loss_cause::missing_baseline, 4, 5, 8, 3}}},
    {"keyframes",
     {{{key(0, bad), delta(1)}},
      {{key(2), key(3, bad), key(4)}},
      {{key(5, bad)}},
      {{key(6, bad)}},
      {{key(7)}}},
     {2, 4, 7},
     {{loss_cause::damaged_frames, 1, 0, 0},
      {loss_cause::missing_baseline, 1, 1, 1},
      {loss_cause::damaged_frames, 1, 3, 3},
      {loss_cause::damaged_frames, 2, 5, 6, 2}}},
    {"the last frames",
     {{{key(0), delta(1)}}, {{delta(2, bad)}}, {{delta(3)}}},
     {0, 1},
     {{loss_cause::damaged_frames, 1, 2, 2}, {loss_cause::missing_baseline, 1, 3, 3}}},
    {"ticks that do not rise",
     {{{key(10), delta(11)}}, {{key(11), delta(12)}}, {{key(5)}}, {{key(20), key(20), key(21)}}, {{key(22)}}},
     {10, 11, 20, 21, 22},
     {{loss_cause::damaged_frames, 1, 11, 11},
      {loss_cause::missing_baseline, 1, 12, 12},
      {loss_cause::damaged_frames, 1, 5, 5},
      {loss_cause::damaged_frames, 1, 20, 20}}},
    {"ticks far ahead",
     {{{key(0), delta(1), delta(far_ahead)}},
      {{key(2), delta(3)}},
      {{key(far_ahead), delta(far_ahead + 1)}},
      {{key(far_ahead + 2)}},
      {{key(4), delta(5)}},
      {{key(6), delta(7)}}},
     {0, 1, 2, 3, 4, 5, 6, 7},
     {{loss_cause::damaged_frames, 1, far_ahead, far_ahead},
      {loss_cause::damaged_frames, 1, far_ahead, far_ahead},
      {loss_cause::missing_baseline, 1, far_ahead + 1, far_ahead + 1},
      {loss_cause::damaged_frames, 1, far_ahead + 2, far_ahead + 2}}},
    {"a head with a later last tick", {{{key(0), delta(1)}, 9}, {{key(2)}}}, {0, 1, 2}, {}},
};

}  // namespace

BOOST_AUTO_TEST_CASE(recovery_writes_gaps_for_what_a_decoder_rejects) {
  for (const one_case& each : every_case) {
    BOOST_TEST_CONTEXT(each.name) {
      const scratch_folder folder;
      write_reel(folder / "bad.reel", each.chunks);
      reel::copy_options how;
      how.accepts = decoder();
      const auto done = reel::recover_into(folder / "bad.reel", folder / "copy.reel", how);
      BOOST_REQUIRE(done);
      BOOST_TEST(done->changed);
      BOOST_TEST(done->ticks == each.kept.size());
      BOOST_REQUIRE(done->losses.size() == each.losses.size());
      std::uint64_t lost = 0;
      for (std::size_t at = 0; at < each.losses.size(); ++at) {
        const reel::loss& found = done->losses[at];
        const one_loss& wanted = each.losses[at];
        BOOST_TEST((found.cause == wanted.cause));
        BOOST_TEST(found.ticks == wanted.ticks);
        BOOST_TEST(found.first.tick == wanted.first);
        BOOST_TEST(found.last.tick == wanted.last);
        BOOST_TEST(found.records == wanted.records);
        lost += wanted.ticks;
      }
      BOOST_TEST(done->totals.ticks == lost);
      std::uint64_t in_gaps = 0;
      BOOST_TEST(ticks_of_copy(folder / "copy.reel", in_gaps) == each.kept, boost::test_tools::per_element());
      BOOST_TEST(in_gaps == lost);
      how.accepts = decoder();
      const auto again = reel::recover_into(folder / "copy.reel", folder / "again.reel", how);
      BOOST_REQUIRE(again);
      BOOST_TEST(!again->changed);
      BOOST_TEST((read_file(folder / "again.reel") == read_file(folder / "copy.reel")));
    }
  }
}

BOOST_AUTO_TEST_CASE(parts_of_a_reel_contain_what_a_decoder_accepts) {
  for (const one_case& each : every_case) {
    // Which ticks rise depends on the first one that is read.
    const bool only_all = each.name == every_case[3].name;
    for (std::uint64_t first = 0; first <= (only_all ? 0 : 12); ++first) {
      for (std::uint64_t last = only_all ? 22 : first; last <= 22; last += 2) {
        BOOST_TEST_CONTEXT(each.name << ", " << first << " to " << last) {
          const scratch_folder folder;
          write_reel(folder / "bad.reel", each.chunks);
          auto from = reel::reader::open(folder / "bad.reel");
          BOOST_REQUIRE(from);
          reel::cut_options how;
          how.first_tick = first;
          how.last_tick = last;
          how.accepts = decoder();
          std::uint64_t lost = 0;
          how.missing = [&](const reel::item& one) { lost += one.lost.ticks; };
          const auto done = reel::cut_into(*from, folder / "part.reel", how);
          ticks wanted;
          for (const std::uint64_t tick : each.kept) {
            if (tick >= first && tick <= last) wanted.push_back(tick);
          }
          if (wanted.empty()) {
            BOOST_TEST((!done && done.error().code == error_code::out_of_range));
            continue;
          }
          BOOST_REQUIRE(done);
          std::uint64_t in_gaps = 0;
          ticks found = ticks_of_copy(folder / "part.reel", in_gaps);
          std::erase_if(found, [&](std::uint64_t tick) { return tick < first; });
          BOOST_TEST(found == wanted, boost::test_tools::per_element());
          BOOST_TEST(in_gaps == lost);
        }
      }
    }
  }
}

// Frames of the writer's own reels are not decoded.
BOOST_AUTO_TEST_CASE(without_a_check_frames_are_copied_as_they_are) {
  const scratch_folder folder;
  write_reel(folder / "bad.reel", {{{key(0), delta(1, bad)}}, {{key(1)}}});
  const auto done = reel::recover_into(folder / "bad.reel", folder / "copy.reel");
  BOOST_REQUIRE(done);
  BOOST_TEST(!done->changed);
  BOOST_TEST((read_file(folder / "copy.reel") == read_file(folder / "bad.reel")));
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
