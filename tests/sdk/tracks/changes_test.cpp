// Changes of records round-trip tick by tick, and reading other bytes does no harm.
#include <boost/test/unit_test.hpp>
#include <cstring>
#include <string>

#include "random.hpp"
#include "random_rows.hpp"
#include "tickreel/bytes/varint.hpp"
#include "tickreel/tracks/changes.hpp"

BOOST_AUTO_TEST_SUITE(sdk_tracks_tests)
BOOST_AUTO_TEST_SUITE(changes_test)

using namespace tickreel;
using namespace tickreel::tracks;
using namespace tickreel::test;

namespace {

shape random_kind(generator& random) {
  shape of;
  for (std::uint64_t count = 1 + below(random, 12); count > 0; --count) {
    column one = random_column(random);
    one.declared = {};
    one.offset = of.row_bytes;
    of.row_bytes += one.size_bytes;
    of.columns.push_back(one);
  }
  return of;
}

// Records that change at random, and both sides of the transmitted changes.
struct changing_world {
  std::vector<shape> kinds;
  std::vector<std::vector<byte_vector>> records;  // by record, then kind
  change_writer writer;

  changing_world(generator& random, std::size_t kind_count, std::size_t count)
      : kinds(random_kinds(random, kind_count)), records(count), writer(kinds) {
    for (auto& record : records)
      for (const shape& of : kinds) record.emplace_back(of.row_bytes);
  }
  static std::vector<shape> random_kinds(generator& random, std::size_t count) {
    std::vector<shape> out;
    while (out.size() < count) out.push_back(random_kind(random));
    return out;
  }

  byte_vector step(generator& random, std::uint64_t one_in) {
    auto now = records;
    std::vector<record_change> changes;
    for (std::uint32_t r = 0; r < records.size(); ++r) {
      for (std::uint32_t k = 0; k < kinds.size(); ++k) {
        if (below(random, one_in) != 0) continue;
        for (const column& one : kinds[k].columns) change(random, one, now[r][k].data() + one.offset);
        // Unchanged values may be transmitted too.
        changes.push_back({r, k, records[r][k], now[r][k]});
      }
    }
    byte_vector out;
    writer.write(changes, out);
    records = now;
    return out;
  }
  static void change(generator& random, const column& of, std::byte* at) {
    const auto what = below(random, 8);
    if (what < 4) return;
    if (what == 4) {
      for (std::uint32_t i = 0; i < of.size_bytes; ++i) at[i] = static_cast<std::byte>(random());
    } else if (what == 5) {
      std::memset(at, below(random, 2) == 0 ? 0 : 0xFF, of.size_bytes);
    } else {
      at[0] = static_cast<std::byte>(std::to_integer<unsigned>(at[0]) + 1 + below(random, 3));
    }
  }
};

result<void> read(change_reader& reader, byte_span tick, std::vector<std::vector<byte_vector>>& records) {
  if (auto opened = reader.open(tick, 1 << 16); !opened) return opened;
  record_change one;
  for (;;) {
    const auto more = reader.next(one);
    if (!more) return fail(more.error());
    if (!*more) return {};
    if (one.record >= records.size()) return fail(error_code::malformed);
    if (auto done = reader.apply(records[one.record][one.kind]); !done) return done;
  }
}

}  // namespace

BOOST_AUTO_TEST_CASE(records_round_trip) {
  auto random = seeded_random("records_round_trip");
  for (const std::size_t kinds : {1u, 2u, 16u, 17u, 64u}) {
    changing_world world(random, kinds, 40);
    auto read_back = world.records;
    change_reader reader(world.kinds);
    for (int tick = 0; tick < 60; ++tick) {
      if (tick % 25 == 24) {
        world.writer.restart();
        reader.restart();
      }
      const byte_vector encoded_changes = world.step(random, 1 + below(random, 30));
      const auto done = read(reader, encoded_changes, read_back);
      BOOST_REQUIRE_MESSAGE(done, kinds << " kinds, tick " << tick);
      BOOST_REQUIRE((read_back == world.records));
    }
  }
}

// The coder stores every bit of a float.
BOOST_AUTO_TEST_CASE(floats_of_every_kind_round_trip) {
  const std::vector<shape> kinds = {{8, {{value_kind::floating, 0, 8, {}}}},
                                    {4, {{value_kind::floating, 0, 4, {}}}}};
  const std::uint64_t bits[] = {0,
                                1,
                                0x8000000000000000,
                                0x7FF0000000000000,
                                0xFFF8000000000001,
                                0x7FF8DEADBEEF0000,
                                0xFFFFFFFFFFFFFFFF,
                                0x3FF0000000000000,
                                0xBFF0000000000000,
                                0x8000000000000001};
  change_writer writer(kinds);
  change_reader reader(kinds);
  std::vector<std::vector<byte_vector>> now = {{byte_vector(8), byte_vector(4)}};
  auto read_back = now;
  for (const std::uint64_t from : bits) {
    for (const std::uint64_t to : {from, bits[3], bits[6], bits[9]}) {
      auto next = now;
      detail::store<std::endian::little>(next[0][0].data(), to);
      detail::store<std::endian::little>(next[0][1].data(), static_cast<std::uint32_t>(to >> 32));
      const record_change encoded_changes[] = {{0, 0, now[0][0], next[0][0]}, {0, 1, now[0][1], next[0][1]}};
      byte_vector out;
      writer.write(encoded_changes, out);
      now = next;
      BOOST_REQUIRE(read(reader, out, read_back));
      BOOST_REQUIRE((read_back == now));
    }
  }
}

// Values that rarely change take almost no bytes.
BOOST_AUTO_TEST_CASE(predicted_values_take_few_bytes) {
  const std::vector<shape> kinds = {
      {8, {{value_kind::signed_integer, 0, 4, {}}, {value_kind::unsigned_integer, 4, 4, {}}}}};
  change_writer writer(kinds);
  byte_vector before(8), now(8);
  std::size_t last = 0;
  for (std::uint32_t tick = 0; tick < 200; ++tick) {
    std::vector<record_change> changes;
    detail::store<std::endian::little>(now.data() + 4, tick + 1);
    for (std::uint32_t r = 0; r < 1000; ++r) changes.push_back({r, 0, before, now});
    byte_vector out;
    writer.write(changes, out);
    last = out.size();
    before = now;
  }
  BOOST_TEST(last < 100u);  // 1000 records
}

BOOST_AUTO_TEST_CASE(damage_is_rejected_or_gives_other_values) {
  auto random = seeded_random("damage_is_rejected_or_gives_other_values");
  changing_world world(random, 5, 20);
  std::vector<byte_vector> encoded_changes;
  for (int tick = 0; tick < 6; ++tick) encoded_changes.push_back(world.step(random, 4));
  const auto try_all = [&](std::size_t at, byte_span damaged) {
    std::vector<std::vector<byte_vector>> records(20);
    for (auto& record : records)
      for (const shape& of : world.kinds) record.emplace_back(of.row_bytes);
    change_reader reader(world.kinds);
    for (std::size_t i = 0; i < encoded_changes.size(); ++i) {
      if (!read(reader, i == at ? damaged : byte_span(encoded_changes[i]), records)) return;
    }
  };
  for (std::size_t at = 0; at < encoded_changes.size(); ++at) {
    for (std::size_t cut = 0; cut < encoded_changes[at].size(); ++cut)
      try_all(at, byte_span(encoded_changes[at]).first(cut));
    for (std::size_t bit = 0; bit < encoded_changes[at].size() * 8; bit += 1 + below(random, 4)) {
      auto flipped = encoded_changes[at];
      flipped[bit / 8] ^= static_cast<std::byte>(1u << bit % 8);
      try_all(at, flipped);
    }
  }
}

BOOST_AUTO_TEST_CASE(invalid_input_is_rejected) {
  const std::vector<shape> kinds = {{1, {{value_kind::unsigned_integer, 0, 1, {}}}}};
  const byte_vector before(1), now(1, std::byte{7});
  const record_change changes[] = {{3, 0, before, now}, {9, 0, before, now}};
  byte_vector out;
  change_writer(kinds).write(changes, out);
  change_reader few(kinds);
  BOOST_TEST((few.open(out, 1).error().code == error_code::over_limit));
  change_reader reader(kinds);
  BOOST_REQUIRE(reader.open(out, 2));
  record_change one;
  BOOST_REQUIRE((reader.next(one) && one.record == 3u && one.kind == 0u));
  byte_vector wrong(2);
  BOOST_TEST((reader.apply(wrong).error().code == error_code::malformed));
  BOOST_TEST(!*reader.next(one));
}

// Every later version reads these bytes, and every machine writes the same ones.
BOOST_AUTO_TEST_CASE(golden_bytes_are_stable) {
  const std::vector<shape> kinds = {{7,
                                     {{value_kind::signed_integer, 0, 2, {}},
                                      {value_kind::floating, 2, 4, {}},
                                      {value_kind::boolean, 6, 1, {}}}},
                                    {5, {{value_kind::text, 0, 5, {}}}}};
  change_writer writer(kinds);
  std::vector<std::vector<byte_vector>> now(6, {byte_vector(7), byte_vector(5)});
  byte_vector all;
  for (int tick = 0; tick < 4; ++tick) {
    auto next = now;
    std::vector<record_change> changes;
    for (std::uint32_t r = static_cast<std::uint32_t>(tick) % 2; r < 6; r += 2) {
      detail::store<std::endian::little>(next[r][0].data(),
                                         static_cast<std::uint16_t>(tick * 100 - static_cast<int>(r)));
      detail::store<std::endian::little>(next[r][0].data() + 2,
                                         static_cast<float>(r) * 0.5F + static_cast<float>(tick));
      changes.push_back({r, 0, now[r][0], next[r][0]});
      if (r % 3 != 0) continue;
      next[r][0][6] = static_cast<std::byte>(tick & 1);
      next[r][1][2] = static_cast<std::byte>('a' + tick);
      changes.push_back({r, 1, now[r][1], next[r][1]});
    }
    writer.write(changes, all);
    now = next;
  }
  std::string hex;
  for (const std::byte one : all) {
    constexpr const char* digits = "0123456789abcdef";
    hex += digits[std::to_integer<unsigned>(one) >> 4];
    hex += digits[std::to_integer<unsigned>(one) & 15];
  }
  BOOST_TEST(hex ==
             "4cfbd81a85e413e0a9572ee1801ffffff07effffc3046a506a68e45af5f449ca6739612601e02fff"
             "8407007ffe00bfdfffe09851698e1b2018a616b07a01ffff873f7ffc397fffffc3146298916c3aa9"
             "2a713503f9ff03ff7fe0ff9ffc1c");
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
