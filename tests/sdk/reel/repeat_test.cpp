// A reel contains several copies of lasting events; readers return each once, whichever single record is damaged.
#include <boost/test/unit_test.hpp>
#include <map>

#include "random.hpp"
#include "random_reel.hpp"
#include "scratch_folder.hpp"
#include "shared_data.hpp"
#include "tickreel/reel/cut.hpp"
#include "tickreel/reel/frame_stream.hpp"
#include "tickreel/reel/recover.hpp"
#include "tickreel/reel/stored_record.hpp"

BOOST_AUTO_TEST_SUITE(sdk_reel_tests)
BOOST_AUTO_TEST_SUITE(repeat_test)

namespace {

using namespace tickreel;
using namespace tickreel::test;

constexpr std::uint32_t lasting_type = 7;
constexpr std::uint32_t other_type = 8;

struct made_reel {
  byte_vector bytes;
  std::vector<written_record> records;
  std::map<std::uint64_t, byte_vector> lasting;  // by tick
  std::uint64_t others = 0;
  std::uint64_t ticks = 0;
};

made_reel make(std::mt19937_64& random, std::uint64_t chunks, std::uint16_t version) {
  made_reel made;
  reel::header head;
  head.version = version;
  head.encoder_name = "random";
  auto writer = writer_to(made.bytes, head);
  writer->add_sink(std::make_unique<listing_sink>(made.records));
  frame_stamp stamp{0, 0};
  for (std::uint64_t chunk = 0; chunk < chunks; ++chunk) {
    reel::record_info about;
    about.frames = 1 + static_cast<std::uint32_t>(random() % 5);
    about.flags = reel::starts_with_keyframe;
    stamp.tick += 1;
    about.first_tick = stamp.tick;
    about.first_time_us = stamp.time_us;
    const byte_vector payload = chunk_payload(random, about.frames, true, stamp);
    about.last_tick = stamp.tick;
    about.last_time_us = stamp.time_us;
    BOOST_REQUIRE(writer->append(about, payload));
    made.ticks += about.frames;
    if (chunk == 0 || random() % 4 == 0) {
      byte_vector bytes = random_bytes(random, 100);
      bytes.push_back(static_cast<std::byte>(chunk));  // all different
      BOOST_REQUIRE(writer->append_event(stamp, lasting_type, bytes, true));
      made.lasting.emplace(stamp.tick, std::move(bytes));
    }
    if (random() % 3 == 0) {
      BOOST_REQUIRE(writer->append_event(stamp, other_type, random_bytes(random, 30)));
      ++made.others;
    }
  }
  BOOST_REQUIRE(writer->finish());
  return made;
}

struct seen {
  std::map<std::uint64_t, byte_vector> lasting;
  std::uint64_t twice = 0;
  std::uint64_t others = 0;
  std::uint64_t ticks = 0;
  std::uint64_t lost_ticks = 0;
  std::uint64_t losses = 0;
};

seen look_at(reel::reader& reader) {
  seen all;
  const auto totals = walk_through(reader, [&](const reel::item& next) {
    if (next.kind == reel::item_kind::frame) ++all.ticks;
    if (next.kind != reel::item_kind::event) return;
    if (next.event.type == other_type) {
      ++all.others;
      return;
    }
    BOOST_REQUIRE(next.in->info.lasts());
    BOOST_REQUIRE(!next.in->info.repeats());
    const byte_vector bytes(next.event.bytes.begin(), next.event.bytes.end());
    if (!all.lasting.emplace(next.in->info.first_tick, bytes).second) ++all.twice;
  });
  all.lost_ticks = totals.ticks + totals.gap_ticks;
  all.losses = totals.losses;
  return all;
}

void check(reel::reader& reader, const made_reel& made) {
  const seen all = look_at(reader);
  BOOST_REQUIRE((all.lasting == made.lasting));
  BOOST_REQUIRE(all.twice == 0u);
  BOOST_REQUIRE(all.ticks + all.lost_ticks == made.ticks);
}

std::size_t repeats_in(const reel::reader& reader) {
  std::size_t count = 0;
  for (const reel::record_info& each : reader.contents().records) count += each.repeats() ? 1u : 0u;
  return count;
}

}  // namespace

BOOST_AUTO_TEST_CASE(lasting_events_survive_the_loss_of_any_single_record) {
  auto random = seeded_random("repeated events");
  const scratch_folder folder;
  for (int round = 0; round < 12; ++round) {
    const std::uint16_t version = round % 4 == 3 ? 1 : reel::format_version;
    const made_reel made = make(random, 1 + random() % 30, version);
    auto whole = reel::reader::from_memory(made.bytes, {}, false);
    BOOST_REQUIRE(whole);
    const seen all = look_at(*whole);
    BOOST_REQUIRE(all.losses == 0u);
    BOOST_REQUIRE(all.others == made.others);
    check(*whole, made);
    BOOST_REQUIRE(repeats_in(*whole) >= made.lasting.size());
    // One bit of each record: in its head, its payload or its hash.
    for (const written_record& each : made.records) {
      byte_vector damaged = made.bytes;
      const auto at = static_cast<std::size_t>(each.info.offset + random() % each.info.bytes);
      damaged[at] ^= static_cast<std::byte>(1u << (random() % 8));
      BOOST_TEST_CONTEXT("round " << round << ", record " << each.info.sequence << " at " << at) {
        for (const bool verified : {false, true}) {
          auto reader = reel::reader::from_memory(damaged, {}, verified);
          BOOST_REQUIRE(reader);
          check(*reader, made);
        }
        // A recovered copy is as redundant.
        write_file(folder / "damaged.reel", damaged);
        BOOST_REQUIRE(reel::recover_into(folder / "damaged.reel", folder / "copy.reel", {.overwrite = true}));
        auto copy = reel::reader::open(folder / "copy.reel", {}, true);
        BOOST_REQUIRE(copy);
        check(*copy, made);
        BOOST_REQUIRE(repeats_in(*copy) >= made.lasting.size());
      }
    }
  }
}

// Few repeats, however long the recording is.
BOOST_AUTO_TEST_CASE(repeats_become_rare) {
  auto random = seeded_random("repeats become rare");
  byte_vector bytes;
  std::vector<written_record> records;
  auto writer = writer_to(bytes);
  writer->add_sink(std::make_unique<listing_sink>(records));
  BOOST_REQUIRE(writer->append_event({0, 0}, lasting_type, random_bytes(random, 50), true));
  for (std::uint64_t tick = 0; tick < 600; ++tick) {
    reel::record_info about;
    about.frames = 1;
    about.flags = reel::starts_with_keyframe;
    about.first_tick = about.last_tick = tick;
    frame_stamp stamp{tick, 0};
    BOOST_REQUIRE(writer->append(about, chunk_payload(random, 1, true, stamp)));
  }
  const auto repeats = std::count_if(records.begin(), records.end(),
                                     [](const written_record& each) { return each.info.repeats(); });
  BOOST_TEST(repeats >= 10);
  BOOST_TEST(repeats <= 20);
}

// A late subscriber receives the first copy with the start and skips later ones; without the first copy it uses the next.
BOOST_AUTO_TEST_CASE(late_subscribers_get_them_once) {
  auto random = seeded_random("repeats and late ones");
  for (int round = 0; round < 20; ++round) {
    const made_reel made = make(random, 20, reel::format_version);
    auto all = reel::reader::from_memory(made.bytes);
    BOOST_REQUIRE(all);
    const auto& records = all->contents().records;
    for (const bool with_first_copies : {true, false}) {
      std::size_t from = records.size() / 3;
      while (records[from].kind != reel::record_kind::chunk) ++from;
      std::vector<reel::record_info> kept;
      std::vector<std::size_t> numbers;
      for (std::size_t number = 0; with_first_copies && number < from; ++number) {
        if (!records[number].lasts()) continue;
        kept.push_back(records[number]);
        numbers.push_back(number);
      }
      const auto late = reel::beginning_of(all->header_bytes(), records[from], kept);
      BOOST_REQUIRE(late);
      byte_vector joined(all->header_bytes().begin(), all->header_bytes().end());
      const auto append = [&](byte_span bytes) { joined.insert(joined.end(), bytes.begin(), bytes.end()); };
      byte_vector stored;
      for (std::size_t place = 0; place <= numbers.size(); ++place) {
        if (late->before == place) append(late->bytes);
        if (place == numbers.size()) break;
        BOOST_REQUIRE(all->read_stored(numbers[place], stored));
        append(stored);
      }
      for (std::size_t number = from; number < records.size(); ++number) {
        BOOST_REQUIRE(all->read_stored(number, stored));
        append(stored);
      }
      auto reader = reel::reader::from_memory(joined);
      BOOST_REQUIRE(reader);
      const seen got = look_at(*reader);
      BOOST_TEST((got.lasting == made.lasting));
      BOOST_TEST(got.twice == 0u);
      BOOST_TEST(got.losses == 0u);
    }
  }
}

// A clip copies each event once, and repeats it itself.
BOOST_AUTO_TEST_CASE(clips_copy_them_once) {
  auto random = seeded_random("repeats and parts");
  const scratch_folder folder;
  const made_reel made = make(random, 30, reel::format_version);
  auto from = reel::reader::from_memory(made.bytes);
  BOOST_REQUIRE(from);
  for (const written_record& each : made.records) {
    byte_vector damaged = made.bytes;
    if (each.info.kind == reel::record_kind::event) {
      damaged[static_cast<std::size_t>(each.info.offset + each.info.bytes - 1)] ^= std::byte{1};
    }
    write_file(folder / "damaged.reel", damaged);
    auto source = reel::reader::open(folder / "damaged.reel");
    BOOST_REQUIRE(source);
    reel::cut_options how;
    how.first_tick = 40;
    how.last_tick = 60;
    how.overwrite = true;
    how.takes_along = [](std::uint64_t, const reel::event& one) { return one.type == lasting_type; };
    BOOST_REQUIRE(reel::cut_into(*source, folder / "part.reel", how));
    auto part = reel::reader::open(folder / "part.reel");
    BOOST_REQUIRE(part);
    std::multimap<byte_vector, int> found;
    reel::frame_stream walk(*part);
    reel::item next;
    while (walk.next(next).value()) {
      if (next.kind != reel::item_kind::event || next.event.type != lasting_type) continue;
      found.emplace(byte_vector(next.event.bytes.begin(), next.event.bytes.end()), 0);
    }
    BOOST_REQUIRE(found.size() == made.lasting.size());
    for (const auto& [tick, bytes] : made.lasting) BOOST_REQUIRE(found.count(bytes) == 1u);
  }
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
