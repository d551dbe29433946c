// Every kind of damage at every record of a reel: returned ticks equal the recorded ones, no returned tick depends on a missing
// one, and returned plus reported missing ticks add up to the recorded ticks.
#include <boost/test/unit_test.hpp>
#include <map>

#include "random.hpp"
#include "random_reel.hpp"
#include "reel_damage.hpp"
#include "scratch_folder.hpp"
#include "shared_data.hpp"
#include "tickreel/reel/frame_stream.hpp"
#include "tickreel/reel/recover.hpp"

BOOST_AUTO_TEST_SUITE(sdk_reel_tests)
BOOST_AUTO_TEST_SUITE(damage_test)

namespace {

using namespace tickreel;
using namespace tickreel::test;

struct written_frame {
  byte_vector bytes;
  frame_kind kind = frame_kind::delta;
  std::uint64_t before = 0;  // the tick that a delta depends on
};

struct written_ticks {
  std::map<std::uint64_t, written_frame> frames;
  std::uint64_t ticks = 0;  // in chunks and gaps
  std::uint64_t events = 0;
};

written_ticks ticks_of(const written_reel& written) {
  written_ticks all;
  std::uint64_t before = 0;
  for (const written_record& each : written.records) {
    if (each.info.kind == reel::record_kind::event && !each.info.repeats()) ++all.events;
    if (each.info.kind == reel::record_kind::gap) all.ticks += each.info.frames;
    if (each.info.kind != reel::record_kind::chunk) continue;
    all.ticks += each.info.frames;
    reel::record chunk{each.info, each.payload};
    reel::frame_cursor frames(chunk);
    reel::frame one;
    while (*frames.next(one)) {
      all.frames[one.stamp.tick] = {{one.bytes.begin(), one.bytes.end()}, one.kind, before};
      before = one.stamp.tick;
    }
  }
  return all;
}

struct seen {
  std::vector<std::uint64_t> ticks;  // of the frames
  std::uint64_t frames = 0;
  std::uint64_t reported_ticks = 0;  // reported as lost by the iterator and by gap records
  std::uint64_t unknown = 0;         // losses with an unknown count
  std::uint64_t losses = 0;
};

// Every returned tick equals the recorded one and was decoded on the same baseline.
seen look_at(reel::reader& reader, const written_ticks& written) {
  seen all;
  reel::frame_stream walk(reader);
  reel::item next;
  std::optional<std::uint64_t> last;
  for (;;) {
    const auto more = walk.next(next);
    BOOST_REQUIRE(more);
    if (!*more) break;
    if (next.kind == reel::item_kind::loss) {
      BOOST_REQUIRE(!next.lost.sentence().empty());
      BOOST_REQUIRE(next.lost.first.tick <= next.lost.last.tick);
    }
    if (next.kind != reel::item_kind::frame) continue;
    const auto expected = written.frames.find(next.frame.stamp.tick);
    BOOST_REQUIRE((expected != written.frames.end()));
    BOOST_REQUIRE((byte_vector(next.frame.bytes.begin(), next.frame.bytes.end()) == expected->second.bytes));
    BOOST_REQUIRE((next.frame.kind == expected->second.kind));
    if (next.frame.kind == frame_kind::delta) {
      BOOST_REQUIRE(last.has_value());
      BOOST_REQUIRE(*last == expected->second.before);
    }
    last = next.frame.stamp.tick;
    ++all.frames;
    all.ticks.push_back(next.frame.stamp.tick);
  }
  all.reported_ticks = walk.totals().ticks + walk.totals().gap_ticks;
  all.unknown = walk.totals().unknown;
  all.losses = walk.totals().losses;
  return all;
}

byte_vector with_exchanged(byte_span reel, const record_place& a, const record_place& b) {
  byte_vector out;
  const auto add = [&](std::size_t from, std::size_t to) {
    out.insert(out.end(), reel.begin() + static_cast<std::ptrdiff_t>(from),
               reel.begin() + static_cast<std::ptrdiff_t>(to));
  };
  add(0, a.offset);
  add(b.offset, b.offset + b.bytes);
  add(a.offset + a.bytes, b.offset);
  add(a.offset, a.offset + a.bytes);
  add(b.offset + b.bytes, reel.size());
  return out;
}

// Version 1 has no tick count: without an index that lists the missing records, only consecutive tick numbers show a loss.
bool may_be_unknown(const written_reel& written, const reel_damage& damage, std::uint16_t version,
                    bool closed) {
  if (closed) return false;
  return version == 1 || damage.record + 1 >= written.records.size();
}

void check_every_damage(std::uint16_t version, bool closed, const char* what) {
  auto random = seeded_random(what);
  const scratch_folder folder;
  const std::string path = folder / "damaged.reel";
  const std::string copy = folder / "copy.reel";
  const std::string copy_again = folder / "again.reel";
  for (int round = 0; round < 6; ++round) {
    const codec_options codec{.codec = round % 2 == 0 ? codec_id::zstd : codec_id::none};
    const written_reel written = random_reel(random, 14, closed, codec, version);
    const written_reel other = random_reel(random, 5, true, codec, version);
    const written_ticks ticks = ticks_of(written);
    const std::vector<record_place> places = places_of(written.bytes);
    BOOST_REQUIRE(places.size() == written.records.size() + (closed ? 2 : 0));
    for (const reel_damage& damage : every_damage(places.size())) {
      BOOST_TEST_CONTEXT("version " << version << (closed ? ", closed" : ", killed") << ", round " << round
                                    << ": " << damage.name() << " at record " << damage.record) {
        const auto damaged = apply(damage, written.bytes, places, other.bytes, random);
        if (!damaged) continue;
        const bool unknown_is_fair = may_be_unknown(written, damage, version, closed);
        std::vector<std::uint64_t> shown;
        for (const bool verify : {false, true}) {
          auto reader = reel::reader::from_memory(*damaged, {}, verify);
          BOOST_REQUIRE(reader);
          const seen all = look_at(*reader, ticks);
          // The result is the same whichever way the table of contents was built.
          if (verify) BOOST_REQUIRE((all.ticks == shown));
          shown = all.ticks;
          if (all.unknown == 0) {
            // A missing last record of a reel without an end leaves no trace.
            const bool no_trace = !closed && damage.cuts_the_last(places.size());
            if (!no_trace) BOOST_REQUIRE(all.frames + all.reported_ticks == ticks.ticks);
          } else {
            BOOST_REQUIRE(unknown_is_fair);
          }
        }
        // The recovered reel reports the same losses; a second recovery does not change it.
        write_file(path, *damaged);
        auto before = reel::reader::from_memory(*damaged, {}, true);
        const seen from_damaged = look_at(*before, ticks);
        const auto report = reel::recover_into(path, copy, {.overwrite = true});
        BOOST_REQUIRE(report);
        BOOST_REQUIRE(report->losses.size() == from_damaged.losses);
        auto recovered = reel::reader::open(copy, {}, true);
        BOOST_REQUIRE(recovered);
        BOOST_REQUIRE((recovered->contents().end == reel::reel_end::closed));
        const seen from_copy = look_at(*recovered, ticks);
        BOOST_REQUIRE((from_copy.ticks == shown));
        BOOST_REQUIRE(from_copy.reported_ticks == from_damaged.reported_ticks);
        BOOST_REQUIRE(from_copy.losses == 0u);
        BOOST_REQUIRE(reel::recover_into(copy, copy_again, {.overwrite = true}));
        BOOST_REQUIRE((read_file(copy) == read_file(copy_again)));
        // Recovery in place also hides no loss and reports none twice.
        BOOST_REQUIRE(reel::recover_in_place(path));
        auto in_place = reel::reader::open(path);
        BOOST_REQUIRE(in_place);
        const seen there = look_at(*in_place, ticks);
        if (from_damaged.unknown == 0) {
          BOOST_REQUIRE(there.frames + there.reported_ticks ==
                        from_damaged.frames + from_damaged.reported_ticks);
        }
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(of_a_killed_recorders_reel) {
  check_every_damage(2, false, "damage killed");
}
BOOST_AUTO_TEST_CASE(of_a_closed_reel) {
  check_every_damage(2, true, "damage closed");
}
BOOST_AUTO_TEST_CASE(of_a_killed_recorders_reel_of_version_1) {
  check_every_damage(1, false, "damage killed 1");
}
BOOST_AUTO_TEST_CASE(of_a_closed_reel_of_version_1) {
  check_every_damage(1, true, "damage closed 1");
}

// Records of any kind in exchanged order: each is identified by its sequence, and nothing is lost.
BOOST_AUTO_TEST_CASE(exchanged_records_cost_nothing) {
  auto random = seeded_random("damage exchanged");
  const scratch_folder folder;
  const std::string path = folder / "exchanged.reel";
  const std::string copy = folder / "copy.reel";
  for (const bool closed : {false, true}) {
    for (const std::uint16_t version : {std::uint16_t{1}, reel::format_version}) {
      const written_reel written = random_reel(random, 12, closed, {}, version);
      const written_ticks ticks = ticks_of(written);
      const std::vector<record_place> places = places_of(written.bytes);
      for (std::size_t a = 0; a < places.size(); ++a) {
        for (std::size_t b = a + 1; b < places.size(); ++b) {
          BOOST_TEST_CONTEXT("version " << version << (closed ? ", closed" : ", killed") << ": records " << a
                                        << " and " << b) {
            const byte_vector exchanged = with_exchanged(written.bytes, places[a], places[b]);
            for (const bool verify : {false, true}) {
              auto reader = reel::reader::from_memory(exchanged, {}, verify);
              BOOST_REQUIRE(reader);
              const seen all = look_at(*reader, ticks);
              BOOST_REQUIRE(all.frames == ticks.frames.size());
              BOOST_REQUIRE(all.losses == 0u);
            }
            write_file(path, exchanged);
            const auto report = reel::recover_into(path, copy, {.overwrite = true});
            BOOST_REQUIRE(report);
            BOOST_REQUIRE(report->losses.empty());
            auto recovered = reel::reader::open(copy);
            BOOST_REQUIRE(recovered);
            BOOST_REQUIRE(recovered->contents().from_index);
            BOOST_REQUIRE(look_at(*recovered, ticks).frames == ticks.frames.size());
            BOOST_REQUIRE(reel::recover_in_place(path));
            auto in_place = reel::reader::open(path);
            BOOST_REQUIRE(in_place);
            BOOST_REQUIRE(look_at(*in_place, ticks).frames == ticks.frames.size());
          }
        }
      }
    }
  }
}

// Version 1 without an index: consecutive tick numbers reveal the loss; without them it is undetectable.
BOOST_AUTO_TEST_CASE(gaps_in_tick_numbers_reveal_losses_in_version_1) {
  for (const std::uint64_t stride : {1u, 5u}) {
    byte_vector bytes;
    reel::header head;
    head.version = 1;
    auto writer = writer_to(bytes, head);
    BOOST_REQUIRE(writer);
    std::vector<reel::record_info> written;
    for (std::uint64_t chunk = 0; chunk < 4; ++chunk) {
      byte_vector payload(64);
      byte_writer to(payload);
      for (int i = 0; i < 10; ++i) {
        write_leb128(to, i == 0 ? 0 : stride);
        write_leb128(to, 0);
        write_leb128(to, i == 0 ? 1 : 0);
      }
      payload.resize(to.size());
      reel::record_info about;
      about.flags = reel::starts_with_keyframe;
      about.frames = 10;
      about.first_tick = chunk * 10 * stride;
      about.last_tick = about.first_tick + 9 * stride;
      const auto done = writer->append(about, payload);
      BOOST_REQUIRE(done);
      written.push_back(*done);
    }
    bytes[static_cast<std::size_t>(written[1].offset) + 20] ^= std::byte{1};
    auto reader = reel::reader::from_memory(bytes);
    BOOST_REQUIRE(reader);
    reel::frame_stream walk(*reader);
    reel::frame frame;
    while (walk.next(frame).value()) {}
    BOOST_TEST_REQUIRE(walk.skipped_losses().size() == 1u);
    const reel::loss& hole = walk.skipped_losses()[0];
    BOOST_TEST(!hole.exact);
    BOOST_TEST(hole.ticks == (stride == 1 ? 10u : 0u));
    BOOST_TEST(hole.first.tick == 9 * stride + 1);
    BOOST_TEST(hole.last.tick == 20 * stride - 1);
  }
}

// Three chunks of two ticks each. The second one lasts `us`, and each of its frames has `frame_bytes`.
byte_vector three_chunks(std::int64_t us, std::size_t frame_bytes) {
  byte_vector bytes;
  auto writer = writer_to(bytes, {});
  BOOST_REQUIRE(writer);
  for (std::uint64_t chunk = 0; chunk < 3; ++chunk) {
    const std::size_t size = chunk == 1 ? frame_bytes : 1;
    byte_vector payload(64);
    byte_writer to(payload);
    for (std::uint64_t frame = 0; frame < 2; ++frame) {
      write_leb128(to, frame);
      write_leb128(to, 0);
      write_leb128(to, size * 2 + 1);
      to.bytes(byte_vector(size));
    }
    payload.resize(to.size());
    reel::record_info about;
    about.flags = reel::starts_with_keyframe;
    about.frames = 2;
    about.first_tick = chunk * 2;
    about.last_tick = about.first_tick + 1;
    if (chunk == 1) about.last_time_us = us;
    BOOST_REQUIRE(writer->append(about, payload));
  }
  BOOST_REQUIRE(writer->finish());
  return bytes;
}

// After a failed sync the disk may have an older write: a whole record with the sequence of another one.
BOOST_AUTO_TEST_CASE(an_older_record_in_the_place_of_a_listed_one_is_damage) {
  const byte_vector now = three_chunks(20, 4);
  const record_place place = places_of(now)[1];
  for (const std::size_t frame_bytes : {4u, 3u}) {
    const byte_vector before = three_chunks(10, frame_bytes);
    const record_place older = places_of(before)[1];
    BOOST_REQUIRE(older.offset == place.offset);
    byte_vector bytes = now;
    std::copy_n(before.begin() + static_cast<std::ptrdiff_t>(older.offset), older.bytes,
                bytes.begin() + static_cast<std::ptrdiff_t>(place.offset));
    for (const bool scans : {false, true}) {
      auto reader = reel::reader::from_memory(bytes, {}, scans);
      BOOST_REQUIRE(reader);
      BOOST_TEST(reader->contents().from_index == !scans);
      reel::record record;
      BOOST_TEST((reader->read(1, record).error().code == error_code::checksum_mismatch));
      reel::frame_stream walk(*reader);
      reel::frame frame;
      std::vector<std::uint64_t> ticks;
      while (walk.next(frame).value()) ticks.push_back(frame.stamp.tick);
      const std::vector<std::uint64_t> expected = {0, 1, 4, 5};
      BOOST_TEST(ticks == expected, boost::test_tools::per_element());
      BOOST_TEST(walk.totals().missing_ticks() == 2u);
      BOOST_TEST(walk.totals().unknown == 0u);
    }
  }
}

}  // namespace

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
