// Signatures and voice, from the recorder to the reader.
#include <boost/test/unit_test.hpp>

#include "hex.hpp"
#include "same_match.hpp"
#include "scratch_folder.hpp"
#include "shared_data.hpp"
#include "tickreel/game/convert.hpp"
#include "tickreel/game/recover.hpp"
#include "tickreel/reel/reader.hpp"

BOOST_AUTO_TEST_SUITE(game_tests)
BOOST_AUTO_TEST_SUITE(signing_test)

namespace {

using namespace tickreel;
using namespace tickreel::test;

// RFC 8032, 7.1, test 1.
constexpr std::string_view key_seed = "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60";
constexpr std::string_view key_public = "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a";

game::match_options signing() {
  game::match_options options;
  options.mode = threading::pumped;
  options.keyframe_interval_ticks = 10;
  const byte_vector seed = from_hex(key_seed);
  options.signing_key_seed.emplace();
  std::copy_n(seed.begin(), 32, options.signing_key_seed->begin());
  return options;
}

void record(const std::string& path, const game::match_options& options, std::uint64_t ticks,
            bool has_hashes = true, std::uint64_t pump_every = 16) {
  auto recorder = little_recorder::begin(path, little_match(), options);
  BOOST_REQUIRE_MESSAGE(recorder, why(recorder));
  small_world world;
  for (std::uint64_t tick = 0; tick < ticks; ++tick) {
    BOOST_REQUIRE(recorder->tick(tick, has_hashes ? world.hash() : 0, [&](auto& to) { world.describe(to); }));
    if (tick % pump_every == 0) (void)recorder->pump();
    world.step();
  }
  game::match_result how;
  how.state_hash = has_hashes ? world.hash() : 0;
  const auto report = recorder->end(how);
  BOOST_REQUIRE_MESSAGE(report, why(report));
}

bool holds(byte_span file) {
  const auto reader = icrep::reader::open(file);
  return reader && reader->verify_signatures().state == icrep::signature_state::whole;
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_signed_match) {
  const scratch_folder folder;
  for (const auto file : {game::container::icrep, game::container::reel}) {
    auto options = signing();
    options.file = file;
    const std::string path = folder / (file == game::container::reel ? "a.reel" : "a.icrep");
    record(path, options, 100);
    const auto replay = opened(path);
    BOOST_TEST(replay.facts().is_signed);
    const auto report = replay.file().verify_signatures();
    BOOST_TEST((report.state == icrep::signature_state::whole));
    BOOST_TEST(report.entries == 5u);  // ticks 0, 30, 60, 90 and the end
    BOOST_REQUIRE(report.signer);
    BOOST_TEST(to_hex(*report.signer) == key_public);
    BOOST_TEST(replay.file().verify().empty());
    const auto chain = icrep::read_signature_section(replay.file().signature_section());
    BOOST_REQUIRE(chain);
    icrep::tick_frame frame;
    for (const auto& entry : chain->chain) {
      BOOST_TEST(entry.skipped_ticks == 0u);
      if (entry.tick == 100) continue;
      auto frames = replay.orders(entry.tick, entry.tick + 1);
      BOOST_REQUIRE(frames.next(frame));
      BOOST_TEST(frame.state_hash == icrep::sync_hash(entry.state_hash));
    }
  }
}

BOOST_AUTO_TEST_CASE(any_signed_byte_is_covered) {
  const scratch_folder folder;
  for (const bool has_hashes : {true, false}) {
    const std::string path = folder / (has_hashes ? "a.icrep" : "b.icrep");
    record(path, signing(), 40, has_hashes);
    const byte_vector good = read_file(path);
    BOOST_REQUIRE(holds(good));
    const auto header = icrep::read_header(good);
    BOOST_REQUIRE(header);
    const auto check = [&](std::size_t begin, std::size_t size) {
      byte_vector bad = good;
      for (std::size_t bit = begin * 8; bit < (begin + size) * 8; ++bit) {
        bad[bit / 8] ^= static_cast<std::byte>(1u << bit % 8);
        BOOST_TEST(!holds(bad), "bit " << bit % 8 << " of byte " << bit / 8);
        bad[bit / 8] = good[bit / 8];
      }
    };
    check(header->signature.offset, header->signature.length);
    check(48, 8 + 32);  // total ticks and final hash
    const std::string_view text = as_text(good);
    const std::size_t id = text.find(little_match().replay_id, header->metadata.offset);
    BOOST_REQUIRE(id != std::string_view::npos);
    check(id, little_match().replay_id.size());
  }
  // States that are signed by their own hashes cannot be changed either, compressed or not.
  const auto replay = opened(folder / "b.icrep");
  BOOST_TEST(replay.facts().hashes_core());
  const auto report = replay.file().verify_signatures();
  BOOST_TEST(report.entries == 3u);
  byte_vector bad = read_file(folder / "b.icrep");
  std::size_t checked = 0;
  for (const auto& keyframe : replay.keyframes()) {
    if (keyframe.tick % 30 != 0) continue;
    for (std::size_t i = 0; i < keyframe.stored.size(); ++i) {
      std::byte& byte = bad[static_cast<std::size_t>(keyframe.offset) + i];
      byte ^= std::byte{1};
      BOOST_TEST(!holds(bad));
      byte ^= std::byte{1};
      ++checked;
    }
  }
  BOOST_TEST(checked > 100u);
}

BOOST_AUTO_TEST_CASE(signed_but_incomplete) {
  const scratch_folder folder;
  auto options = signing();
  options.ring_ticks = 8;
  record(folder / "a.icrep", options, 200, true, 20);
  const auto replay = opened(folder / "a.icrep");
  BOOST_TEST(replay.file().header().lost_frame_count > 0u);
  const auto report = replay.file().verify_signatures();
  BOOST_TEST((report.state == icrep::signature_state::incomplete));
  const auto chain = icrep::read_signature_section(replay.file().signature_section());
  BOOST_REQUIRE(chain);
  std::uint64_t skipped = 0;
  for (const auto& entry : chain->chain) skipped += entry.skipped_ticks;
  std::uint64_t frames = 0;
  icrep::tick_frame frame;
  for (auto orders = replay.orders(0, UINT64_MAX); orders.next(frame);) ++frames;
  BOOST_TEST(skipped == replay.total_ticks() - frames);
}

// All states are lost, and with them everything that the signatures cover.
BOOST_AUTO_TEST_CASE(without_signed_content_no_signature_remains) {
  const scratch_folder folder;
  auto options = signing();
  options.file = game::container::reel;
  record(folder / "a.reel", options, 200);
  byte_vector bad = read_file(folder / "a.reel");
  {
    const auto reel = reel::reader::from_memory(bad);
    BOOST_REQUIRE(reel);
    for (const reel::record_info& info : reel->contents().records) {
      if (info.kind != reel::record_kind::chunk) continue;
      bad[static_cast<std::size_t>(info.offset + info.bytes / 2)] ^= std::byte{1};
    }
  }
  write_file(folder / "bad.reel", bad);
  BOOST_REQUIRE(game::convert_reel_to_icrep(folder / "bad.reel", folder / "bad.icrep"));
  const byte_vector file = read_file(folder / "bad.icrep");
  const auto header = icrep::read_header(file);
  BOOST_REQUIRE(header);
  BOOST_TEST(!header->is_signed);
  const auto facts = icrep::read_metadata(
      as_text(byte_span(file).subspan(header->metadata.offset, header->metadata.length)));
  BOOST_REQUIRE(facts);
  BOOST_TEST(!facts->is_signed);
  BOOST_TEST(facts->replay_id == little_match().replay_id);
  // Complete, it has its original signatures.
  BOOST_REQUIRE(game::convert_reel_to_icrep(folder / "a.reel", folder / "a.icrep"));
  BOOST_TEST(holds(read_file(folder / "a.icrep")));
  BOOST_TEST(opened(folder / "a.icrep").facts().is_signed);
}

BOOST_AUTO_TEST_CASE(voice_of_players_who_agreed) {
  const scratch_folder folder;
  for (const auto file : {game::container::icrep, game::container::reel}) {
    game::match_options options;
    options.file = file;
    options.mode = threading::pumped;
    options.seal_interval_ms = 0;
    options.record_voice = true;
    const std::string path = folder / (file == game::container::reel ? "a.reel" : "a.icrep");
    auto recorder = little_recorder::begin(path, little_match(), options);
    BOOST_REQUIRE(recorder);
    const byte_vector packet = from_hex("fc0102030405");
    BOOST_TEST(recorder->voice_track(0, true));
    BOOST_TEST(recorder->voice_track(1, false));
    BOOST_TEST(!recorder->voice(0, packet));  // no tick has started
    small_world world;
    for (std::uint64_t tick = 0; tick < 50; ++tick) {
      BOOST_REQUIRE(recorder->tick(tick, world.hash(), [&](auto& to) { world.describe(to); }));
      if (tick % 5 == 0) BOOST_TEST(recorder->voice(0, packet, icrep::order::to_team{}));
      BOOST_TEST(!recorder->voice(1, packet));
      BOOST_TEST(!recorder->voice(7, packet));
      (void)recorder->pump();
    }
    BOOST_TEST(!recorder->voice(0, byte_vector(1u << 20)));
    BOOST_TEST(recorder->voice_track(0, false));  // changed the decision
    BOOST_TEST(!recorder->voice(0, packet));
    const auto report = recorder->end();
    BOOST_REQUIRE_MESSAGE(report, why(report));
    BOOST_TEST(report->nothing_lost());
    BOOST_TEST(!std::filesystem::exists(path + ".reel"));
    const auto replay = opened(path);
    BOOST_TEST(replay.file().header().has_voice);
    BOOST_TEST(replay.file().verify().empty());
    auto voice = replay.file().voice();
    byte_span record;
    std::uint64_t offset = 0;
    std::uint64_t tick = 0;
    int tracks = 0;
    while (voice.next(record, offset)) {
      const auto said = icrep::read_voice(record);
      BOOST_REQUIRE(said);
      if (std::holds_alternative<icrep::voice::track>(*said)) {
        ++tracks;
        continue;
      }
      const auto& frame = std::get<icrep::voice::frame>(*said);
      BOOST_TEST(frame.player == 0u);
      BOOST_TEST(frame.tick == tick);
      BOOST_TEST((frame.opus == packet));
      BOOST_TEST(std::holds_alternative<icrep::order::to_team>(frame.target));
      tick += 5;
    }
    BOOST_TEST(tick == 50u);
    BOOST_TEST(tracks == 3);
  }
  check_same(folder / "a.icrep", folder / "a.reel");
}

BOOST_AUTO_TEST_CASE(no_voice_unless_requested) {
  const scratch_folder folder;
  game::match_options options;
  options.mode = threading::pumped;
  auto recorder = little_recorder::begin(folder / "a.icrep", little_match(), options);
  BOOST_REQUIRE(recorder);
  BOOST_TEST(!recorder->voice_track(0, true));
  BOOST_REQUIRE(recorder->tick(0, 1, [](auto&) {}));
  BOOST_TEST(!recorder->voice(0, from_hex("00")));
  const auto report = recorder->end();
  BOOST_REQUIRE(report);
  BOOST_TEST(report->nothing_lost());
  BOOST_TEST(!opened(folder / "a.icrep").file().header().has_voice);
}

BOOST_AUTO_TEST_CASE(too_much_voice_costs_no_tick) {
  const scratch_folder folder;
  game::match_options options;
  options.mode = threading::pumped;
  options.record_voice = true;
  options.voice_per_tick = 4;
  auto recorder = little_recorder::begin(folder / "a.icrep", little_match(), options);
  BOOST_REQUIRE(recorder);
  BOOST_TEST(recorder->voice_track(0, true));
  BOOST_REQUIRE(recorder->tick(0, 1, [](auto&) {}));
  for (int packet = 0; packet < 11; ++packet) {
    BOOST_TEST(recorder->voice(0, from_hex("0011")) == (packet < 3));  // beside the track
  }
  BOOST_REQUIRE(recorder->tick(1, 1, [](auto&) {}));
  BOOST_TEST(recorder->voice(0, from_hex("0011")));
  const auto report = recorder->end();
  BOOST_REQUIRE_MESSAGE(report, why(report));
  BOOST_TEST(report->counters.voice_lost == 8u);
  BOOST_TEST(report->counters.events_lost == 8u);
  BOOST_TEST(report->counters.dropped == 0u);
  BOOST_TEST(!report->nothing_lost());
}

BOOST_AUTO_TEST_CASE(voice_that_did_not_fit_and_recovered_voice) {
  const scratch_folder folder;
  std::uint64_t lost = 0;
  {
    game::match_options options;
    options.mode = threading::pumped;
    options.seal_interval_ms = 0;
    options.record_voice = true;
    options.voice_per_tick = 4;
    options.ring_ticks = 4;
    auto recorder = little_recorder::begin(folder / "a.icrep", little_match(), options);
    BOOST_REQUIRE(recorder);
    BOOST_TEST(recorder->voice_track(0, true));
    for (std::uint64_t tick = 0; tick < 20; ++tick) {
      BOOST_REQUIRE(recorder->tick(tick, 1, [](auto&) {}));
      (void)recorder->voice(0, from_hex("0011"));
      if (tick >= 10) (void)recorder->pump();
    }
    lost = recorder->counters().voice_lost;
    BOOST_TEST(recorder->counters().dropped > 0u);
  }
  BOOST_TEST(lost > 0u);
  BOOST_TEST(std::filesystem::exists(folder / "a.icrep.reel"));
  BOOST_REQUIRE(game::recover(folder / "a.icrep"));
  BOOST_TEST(!std::filesystem::exists(folder / "a.icrep.reel"));
  const auto replay = opened(folder / "a.icrep");
  auto voice = replay.file().voice();
  byte_span record;
  std::uint64_t offset = 0;
  std::uint64_t records = 0;
  while (voice.next(record, offset)) ++records;
  BOOST_TEST(records + lost ==
             21u);  // 20 packets and the track; those of dropped ticks were added to later ones
  BOOST_TEST(replay.file().header().incomplete);
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
