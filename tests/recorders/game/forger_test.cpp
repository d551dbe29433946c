// A forger without the key: whatever is changed, and wherever a match is cut, it is no longer complete. All check values are
// corrected, because forgers use the format's own code.
#include <boost/test/unit_test.hpp>

#include "forged_content.hpp"
#include "forged_frame.hpp"
#include "random.hpp"
#include "tickreel/game/recover.hpp"
#include "tickreel/reel/reader.hpp"

BOOST_AUTO_TEST_SUITE(game_forger_tests)
BOOST_AUTO_TEST_SUITE(forger_test)

namespace {

using namespace tickreel;
using namespace tickreel::test;

// Everything after a tick is removed, and every number is adjusted.
match_parts cut_at(match_parts it, std::uint64_t ticks) {
  std::erase_if(it.frames, [&](const auto& one) { return one.tick >= ticks; });
  std::erase_if(it.keyframes, [&](const auto& one) { return one.tick >= ticks && one.tick != 0; });
  std::erase_if(it.events, [&](const auto& one) { return analysis::tick_of(one) >= ticks; });
  std::erase_if(it.voice, [&](const auto& one) {
    const auto* frame = std::get_if<icrep::voice::frame>(&one);
    return frame != nullptr && frame->tick >= ticks;
  });
  std::erase_if(it.chain.chain, [&](const auto& one) { return one.tick > ticks; });
  it.seal.entries.resize(it.chain.chain.size());
  it.total_ticks = it.facts.total_ticks = ticks;
  it.facts.duration_seconds = static_cast<double>(ticks) / 15;
  if (!it.chain.chain.empty()) it.final_state_hash = it.chain.chain.back().state_hash;
  return it;
}

}  // namespace

BOOST_AUTO_TEST_CASE(no_change_is_undetected) {
  std::size_t kinds = 0;
  for (const bool has_hashes : {true, false}) {
    trial on(recorded({.has_hashes = has_hashes}));
    forge_metadata(on);
    forge_orders(on);
    forge_states(on);
    forge_records(on);
    forge_signatures(on);
    forge_headers(on);
    forge_layout(on);
    const match_parts other = take_apart(recorded({.seed = 43, .has_hashes = has_hashes}));
    splice(on, other, "another world");
    const match_parts renamed =
        take_apart(recorded({.replay_id = "00000000-0000-4000-8000-000000000002", .has_hashes = has_hashes}));
    on.forge("splice: signatures under another name", [&](match_parts& it) {
      it.chain = renamed.chain;
      it.seal = renamed.seal;
    });
    on.forge("splice: another name", [&](match_parts& it) { it.facts.replay_id = renamed.facts.replay_id; });
    kinds = on.kinds();
  }
  BOOST_TEST(kinds >= 300u);
}

// At every tick, with every number adjusted and any signatures that remain.
BOOST_AUTO_TEST_CASE(no_cut_is_undetected) {
  const byte_vector good = recorded();
  const match_parts parts = take_apart(good);
  std::size_t incomplete = 0;
  for (std::uint64_t ticks = 1; ticks < match_ticks; ++ticks) {
    for (const bool says_so : {false, true}) {
      for (const bool keeps_end : {false, true}) {
        match_parts it = cut_at(parts, ticks);
        it.incomplete = says_so;
        if (!keeps_end) it.seal.end.reset();
        const byte_vector file = put_together(it);
        const auto state = state_of(file);
        BOOST_TEST((state != signature_state::whole), "cut at " << ticks);
        if (!says_so || keeps_end) BOOST_TEST((state == signature_state::tampered), "cut at " << ticks);
        if (state != signature_state::incomplete) continue;
        ++incomplete;
        // Then it reports how much it proves.
        const auto report = got(icrep::reader::open(file)).verify_signatures();
        BOOST_TEST(!report.ended);
        BOOST_TEST(report.signed_ticks <= ticks);
        it.frames[0].orders.clear();
        BOOST_TEST((state_of(put_together(it)) ==
                    (report.signed_ticks == 0 ? signature_state::incomplete : signature_state::tampered)));
      }
    }
    BOOST_TEST((state_of(put_together([&] {
                  match_parts it = cut_at(parts, ticks);
                  it.has_seal = false;
                  return it;
                }())) != signature_state::whole));
  }
  BOOST_TEST(incomplete != 0u);
  for (std::size_t size = 0; size < good.size(); ++size) {
    BOOST_TEST((state_of(byte_span(good).first(size)) != signature_state::whole), "cut at byte " << size);
  }
}

BOOST_AUTO_TEST_CASE(no_flipped_bit_is_undetected) {
  auto random = seeded_random("flipped bits");
  byte_vector file = recorded({.ticks = 25});
  BOOST_REQUIRE((state_of(file) == signature_state::whole));
  for (std::byte& byte : file) {
    const auto bit = static_cast<std::byte>(1u << random() % 8);
    byte ^= bit;
    BOOST_TEST((state_of(file) != signature_state::whole), "byte " << &byte - file.data());
    byte ^= bit;
  }
}

// Honest changes keep it complete: recompression, a reel and back, losses that the recorder reports.
BOOST_AUTO_TEST_CASE(equivalent_files_stay_complete) {
  const scratch_folder folder;
  const byte_vector good = recorded();
  write_file(folder / "a.icrep", good);
  BOOST_REQUIRE(game::convert_icrep_to_reel(folder / "a.icrep", folder / "a.reel"));
  BOOST_REQUIRE(game::convert_reel_to_icrep(folder / "a.reel", folder / "b.icrep"));
  BOOST_TEST((state_of(read_file(folder / "b.icrep")) == signature_state::whole));
  BOOST_TEST((state_of(got(icrep::recompress_file(good, {.compress = false}))) == signature_state::whole));
  BOOST_TEST((opened(folder / "a.reel").file().verify_signatures().state == signature_state::whole));
  const auto silent = got(icrep::strip_voice(good));
  BOOST_TEST(silent.dropped_seal);
  BOOST_TEST((state_of(silent.file) == signature_state::states_only));

  record(folder / "c.reel", {.file = game::container::reel}, [](std::uint64_t) {});
  BOOST_TEST((opened(folder / "c.reel").file().verify_signatures().state == signature_state::whole));
  record(folder / "d.icrep", {.ring_ticks = 8, .pump_every = 20}, [](std::uint64_t) {});
  const auto lossy = opened(folder / "d.icrep").file().verify_signatures();
  BOOST_TEST((lossy.state == signature_state::incomplete));
  BOOST_TEST(lossy.sealed);
  BOOST_TEST(lossy.ended);
}

// A killed recorder has signed the earlier part: that part is proven, the rest is not, and nothing counts as tampered.
BOOST_AUTO_TEST_CASE(a_match_without_an_end) {
  const scratch_folder folder;
  for (const auto file : {game::container::icrep, game::container::reel}) {
    const bool is_reel = file == game::container::reel;
    const std::string path = folder / (is_reel ? "a.reel" : "a.icrep");
    const std::string reel = is_reel ? path : path + ".reel";
    std::vector<byte_vector> left;
    record(
        path, {.file = file},
        [&](std::uint64_t tick) {
          if (tick % 7 == 0) left.push_back(read_file(reel));
        },
        false);
    left.push_back(read_file(reel));
    std::size_t proven = 0;
    std::uint64_t last_proven = 0;
    for (const byte_vector& bytes : left) {
      // Also killed in the middle of a write.
      for (const std::size_t missing : {0u, 1u, 50u, 333u}) {
        if (bytes.size() < missing + 200) continue;
        const byte_span cut = byte_span(bytes).first(bytes.size() - missing);
        const auto replay = game::replay::open(cut);
        if (!replay) continue;
        const auto report = icrep::verify_signatures_of(replay->file(), relay());
        BOOST_TEST(
            (report.state == signature_state::incomplete || report.state == signature_state::not_signed),
            name(report.state) << (report.why ? describe(*report.why) : ""));
        if (report.state != signature_state::incomplete) continue;
        ++proven;
        BOOST_TEST(!report.ended);
        last_proven = report.signed_ticks;
        BOOST_TEST(replay->facts().is_signed);
        // The published file gives the same result.
        const scratch_folder other;
        write_file(other / "x.icrep.reel", cut);
        BOOST_REQUIRE(game::recover(other / "x.icrep"));
        const byte_vector recovered = read_file(other / "x.icrep");
        BOOST_TEST((state_of(recovered) == signature_state::incomplete));
        match_parts parts = take_apart(recovered);
        parts.incomplete = false;
        BOOST_TEST((state_of(put_together(parts)) == signature_state::tampered));
        parts.incomplete = true;
        BOOST_TEST((state_of(put_together(parts)) == signature_state::incomplete));
        if (last_proven == 0) continue;
        parts.frames[0].orders.clear();
        BOOST_TEST((state_of(put_together(parts)) == signature_state::tampered));
      }
    }
    BOOST_TEST(proven > 10u);
    BOOST_TEST(last_proven > 60u);
  }
}

// Damage of a reel costs only the damaged part. The signed part before it is still proven.
BOOST_AUTO_TEST_CASE(a_damaged_reel_of_a_signed_match) {
  auto random = seeded_random("a damaged signed reel");
  const scratch_folder folder;
  record(folder / "a.reel", {.file = game::container::reel}, [](std::uint64_t) {});
  const byte_vector good = read_file(folder / "a.reel");
  std::size_t kept = 0;
  for (int round = 0; round < 200; ++round) {
    byte_vector bad = good;
    bad[random() % bad.size()] ^= static_cast<std::byte>(1u << random() % 8);
    const auto replay = game::replay::open(bad);
    if (!replay) continue;
    const auto report = icrep::verify_signatures_of(replay->file(), relay());
    const bool changed = replay->file().header().incomplete;
    BOOST_TEST((report.state != signature_state::tampered), describe(*report.why));
    if (changed) BOOST_TEST((report.state != signature_state::whole));
    kept += report.state == signature_state::incomplete && report.signed_ticks != 0 ? 1 : 0;
  }
  BOOST_TEST(kept != 0u);
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
