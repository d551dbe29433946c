// Files that are truncated, corrupt or inconsistent; values that do not fit.
#include "random.hpp"
#include "sample.hpp"
#include "tickreel/bytes/reader.hpp"
#include "tickreel/bytes/writer.hpp"

BOOST_AUTO_TEST_SUITE(encoders_gamecache_tests)
BOOST_AUTO_TEST_SUITE(hostile_test)

using namespace tickreel;
using namespace tickreel::gamecache;
using namespace tickreel::test;

namespace {

void set_u32(byte_vector& file, std::size_t at, std::uint32_t value) {
  byte_writer out(mutable_byte_span(file).subspan(at, 4));
  out.u32(value);
}

error refusal(byte_span file, layout as, const limits& most = {}) {
  const auto outcome = read(file, as, most);
  BOOST_REQUIRE(!outcome);
  return outcome.error();
}

error_code write_refusal(const contents& from) {
  const auto outcome = write(from);
  BOOST_REQUIRE(!outcome);
  return outcome.error().code;
}

}  // namespace

BOOST_AUTO_TEST_CASE(impossible_counts) {
  byte_vector flagged = taken(write(full_cache(layout::flagged, 2)));
  set_u32(flagged, 4, 1'000'001);
  BOOST_TEST((refusal(flagged, layout::flagged).code == error_code::over_limit));
  BOOST_TEST(refusal(flagged, layout::flagged).offset == 4u);
  set_u32(flagged, 4, 1'000'000);
  BOOST_TEST((refusal(flagged, layout::flagged).code == error_code::malformed));
  set_u32(flagged, 4, 3);
  BOOST_TEST(!read(flagged));
  set_u32(flagged, 4, 1);
  BOOST_TEST((refusal(flagged, layout::flagged).code == error_code::malformed));  // trailing bytes
  byte_vector flat = taken(write(full_cache(layout::flat, 2)));
  set_u32(flat, 0, 0xFFFFFFFF);
  BOOST_TEST((refusal(flat, layout::flat).code == error_code::over_limit));
  set_u32(flat, 0, 3);
  BOOST_TEST((refusal(flat, layout::flat).code == error_code::malformed));
  BOOST_TEST((refusal(flat, layout::flat, {.items = 2}).code == error_code::over_limit));
}

BOOST_AUTO_TEST_CASE(inconsistent_sizes) {
  const byte_vector good = taken(write(full_cache(layout::flagged, 2)));
  byte_reader in(byte_span(good).subspan(12));
  const std::uint32_t right = in.u32();
  for (const std::uint32_t wrong : {0u, 20u, right - 1, 0x7FFFFFFFu, 0xFFFFFFFFu}) {
    byte_vector file = good;
    set_u32(file, 12, wrong);
    BOOST_TEST(!read(file, layout::flagged), wrong);
  }
  const byte_vector flat = taken(write(full_cache(layout::flat, 2)));
  for (const std::uint32_t wrong : {0u, 31u, 0xFFFFFFFFu}) {
    byte_vector file = flat;
    set_u32(file, 4, wrong);
    BOOST_TEST(!read(file, layout::flat), wrong);
  }
}

BOOST_AUTO_TEST_CASE(version_zero) {
  byte_vector file = taken(write(full_cache(layout::flagged, 1)));
  set_u32(file, 0, 0);
  BOOST_TEST((refusal(file, layout::flagged).code == error_code::unsupported_version));
}

BOOST_AUTO_TEST_CASE(limits_of_the_reader) {
  contents cache = full_cache(layout::flat, 1);
  const write_options all = {.program_limits = false};
  cache.items[0].path = std::string(4096, 'p');
  BOOST_TEST((taken(read(taken(write(cache, all)))) == cache));
  cache.items[0].path += 'p';
  BOOST_TEST((refusal(taken(write(cache, all)), layout::flat).code == error_code::over_limit));
  cache = full_cache(layout::flagged, 1);
  cache.items[0].name = {text_form::wide, std::string(4096, 'w')};
  BOOST_TEST((taken(read(taken(write(cache, all)))) == cache));
  cache.items[0].name.bytes += "ww";
  BOOST_TEST((refusal(taken(write(cache, all)), layout::flagged).code == error_code::over_limit));
  for (const layout each : {layout::flat, layout::flagged}) {
    cache = full_cache(each, 1);
    cache.items[0].players.resize(12);
    BOOST_TEST((taken(read(taken(write(cache, all)))) == cache));
    cache.items[0].players.resize(13);
    BOOST_TEST((refusal(taken(write(cache, all)), each).code == error_code::over_limit));
  }
}

BOOST_AUTO_TEST_CASE(values_over_the_programs_limits) {
  const auto with = [](layout as, auto change) {
    contents cache = full_cache(as, 2);
    change(cache.items[1]);
    return cache;
  };
  for (const layout as : {layout::flat, layout::flagged}) {
    const contents cases[] = {
        with(as, [](item& each) { each.path = std::string(512, 'p'); }),
        with(as, [](item& each) { each.path = std::string("a\0b", 3); }),
        with(as, [](item& each) { each.name.bytes = std::string(128, 'n'); }),
        with(as, [](item& each) { each.players[0].name.bytes = std::string(128, 'n'); }),
        with(as, [](item& each) { each.players.resize(11); }),
        with(as, [](item& each) { each.players[2].kills = 65536; }),
        with(as, [](item& each) { each.players[2].actions_per_minute = -32769; }),
        with(as, [](item& each) { each.players[2].item_gold = std::int64_t{1} << 32; }),
    };
    for (const contents& each : cases) {
      BOOST_TEST((write_refusal(each) == error_code::invalid_argument));
      BOOST_TEST(write(each).error().values[0] == 1);
    }
    BOOST_TEST(write(with(as, [](item& each) { each.path = std::string(511, 'p'); })).has_value());
  }
  const contents flagged_cases[] = {
      with(layout::flagged, [](item& each) { each.ratio = std::string(16, 'r'); }),
      with(layout::flagged, [](item& each) { each.mode = std::string(32, 'm'); }),
      with(layout::flagged, [](item& each) { each.name = plain("\1x"); }),
      with(layout::flagged, [](item& each) { each.name = {text_form::wide, "odd"}; }),
      with(layout::flagged, [](item& each) { each.name = {text_form::wide, std::string(2, '\0')}; }),
      with(layout::flagged, [](item& each) { each.fields &= ~field::player_count; }),
      with(layout::flagged, [](item& each) { each.stats_per_player = 6; }),
  };
  for (const contents& each : flagged_cases)
    BOOST_TEST((write_refusal(each) == error_code::invalid_argument));
  BOOST_TEST((write_refusal(with(layout::flat, [](item& each) { each.name = wide("n"); })) ==
              error_code::invalid_argument));
  BOOST_TEST((write_refusal(with(layout::flat, [](item& each) { each.players[1].deaths = -1; })) ==
              error_code::invalid_argument));
  contents none = full_cache(layout::flagged, 0);
  none.stored_version = 0;
  BOOST_TEST((write_refusal(none) == error_code::invalid_argument));
}

BOOST_AUTO_TEST_CASE(truncated_anywhere) {
  for (const layout as : {layout::flat, layout::flagged}) {
    const byte_vector file = taken(write(full_cache(as, 2)));
    for (std::size_t size = 0; size < file.size(); ++size) {
      const byte_span cut = byte_span(file).first(size);
      BOOST_TEST(!read(cut, as), size);
      (void)read(cut);
    }
  }
  // Before 1.05 no size marks the end of an item.
  contents old = full_cache(layout::flagged, 2);
  old.stored_version = 208;
  for (item& each : old.items) each.stats_per_player = 4;
  const byte_vector file = taken(write(old));
  for (std::size_t size = 0; size < file.size(); ++size) {
    BOOST_TEST(!read(byte_span(file).first(size), layout::flagged), size);
  }
}

// Each bit of a small file, and many bits of many files: rejected, or read as something that is written back to the same bytes.
BOOST_AUTO_TEST_CASE(flipped_bits) {
  const auto look = [](const byte_vector& file) {
    const auto found = read(file);
    if (!found || found->unfinished) return;
    const auto again = write(*found, {.program_limits = false});
    BOOST_REQUIRE(again.has_value());
    BOOST_REQUIRE((*again == file));
  };
  for (const layout as : {layout::flat, layout::flagged}) {
    const byte_vector good = taken(write(full_cache(as, 2)));
    for (std::size_t bit = 0; bit < good.size() * 8; ++bit) {
      byte_vector file = good;
      file[bit / 8] ^= static_cast<std::byte>(1u << bit % 8);
      look(file);
    }
  }
  auto random = seeded_random("flipped_bits");
  for (int round = 0; round < 2000; ++round) {
    const bool flat = random() % 2 == 0;
    byte_vector file = taken(write(
        random_cache(random, flat ? layout::flat : layout::flagged, random() % 2 == 0 ? 208 : version_2_09)));
    for (std::size_t flips = 1 + random() % 8; flips != 0; --flips) {
      const std::size_t bit = random() % (file.size() * 8);
      file[bit / 8] ^= static_cast<std::byte>(1u << bit % 8);
    }
    look(file);
  }
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
