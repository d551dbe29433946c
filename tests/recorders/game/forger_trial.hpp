// A signed match, and the verdict of its relay's key about anything made of it.
#pragma once

#include <boost/test/unit_test.hpp>
#include <set>

#include "file_bytes.hpp"
#include "forger.hpp"
#include "same_match.hpp"
#include "scratch_folder.hpp"
#include "tickreel/game/convert.hpp"
#include "tickreel/icrep/edit.hpp"

namespace tickreel::test {

using icrep::signature_state;

inline constexpr std::uint64_t match_ticks = 95;

inline std::array<std::byte, 32> seed_of(std::uint8_t number) {
  std::array<std::byte, 32> seed{};
  seed[0] = std::byte{number};
  return seed;
}

struct recording_choice {
  std::uint64_t seed = 42;
  std::string replay_id = little_match().replay_id;
  bool has_hashes = true;
  std::uint64_t ticks = match_ticks;
  game::container file = game::container::icrep;
  std::uint32_t ring_ticks = 256;
  std::uint64_t pump_every = 1;
};

template <class Tick>
void record(const std::string& path, const recording_choice& choice, Tick&& each_tick, bool end = true) {
  game::match about = little_match();
  about.seed = choice.seed;
  about.replay_id = choice.replay_id;
  game::match_options options;
  options.file = choice.file;
  options.mode = threading::pumped;
  options.keyframe_interval_ticks = 6;
  options.full_keyframe_interval = 4;
  options.seal_interval_ms = 0;
  options.ring_ticks = choice.ring_ticks;
  options.record_voice = true;
  options.signing_key_seed = seed_of(1);
  options.signing_interval_ticks = 10;
  auto recorder = little_recorder::begin(path, about, options);
  BOOST_REQUIRE_MESSAGE(recorder, why(recorder));
  BOOST_TEST(recorder->voice_track(0, true));
  small_world world;
  world.random = choice.seed;
  for (std::uint64_t tick = 0; tick < choice.ticks; ++tick) {
    BOOST_REQUIRE(
        recorder->tick(tick, choice.has_hashes ? world.hash() : 0, [&](auto& to) { world.describe(to); }));
    // The later order was given first.
    BOOST_REQUIRE(recorder->order(1, 2, place{static_cast<std::int32_t>(tick), 3}, 900));
    if (tick % 2 == 0) BOOST_REQUIRE(recorder->order(0, 1, place{static_cast<std::int32_t>(tick), 2}, 3));
    if (tick % 4 == 0)
      BOOST_TEST(recorder->event(analysis::pause_event{tick, choice.seed % 2 == 0 ? 0u : 1u, tick % 8 == 0}));
    if (tick % 5 == 0) {
      const std::array<std::byte, 3> packet{std::byte{1}, static_cast<std::byte>(choice.seed),
                                            static_cast<std::byte>(tick)};
      BOOST_TEST(recorder->voice(0, packet));
    }
    if (tick % choice.pump_every == 0) (void)recorder->pump();
    world.step();
    each_tick(tick);
  }
  if (!end) return;
  game::match_result how;
  how.outcome.emplace(analysis::outcome::completed{analysis::outcome::winning_player{1}, {}});
  how.player_outcomes = {"lost", "won"};
  how.state_hash = choice.has_hashes ? world.hash() : 0;
  BOOST_REQUIRE(recorder->end(how));
}

inline byte_vector recorded(const recording_choice& choice = {}) {
  const scratch_folder folder;
  record(folder / "a.icrep", choice, [](std::uint64_t) {});
  return read_file(folder / "a.icrep");
}

inline icrep::public_key relay() {
  return icrep::chain_signer(seed_of(1), {}).chain().relay_public_key;
}

// The verdict of the relay's key; damaged if it cannot be opened.
inline signature_state state_of(byte_span file) {
  const auto opened = icrep::reader::open(file);
  return opened ? icrep::verify_signatures_of(*opened, relay()).state : signature_state::tampered;
}

// Tries forgeries and counts their kinds.
class trial {
 public:
  explicit trial(byte_vector good) : good_(std::move(good)), parts_(take_apart(good_)) {
    BOOST_REQUIRE((state_of(good_) == signature_state::whole));
    // The tools keep what they do not change: the finding is caused by the change.
    BOOST_REQUIRE((state_of(put_together(parts_)) == signature_state::whole));
  }
  ~trial() { BOOST_TEST_MESSAGE(kinds_.size() << " kinds of forgery"); }
  trial(const trial&) = delete;
  trial& operator=(const trial&) = delete;

  [[nodiscard]] const match_parts& parts() const noexcept { return parts_; }
  [[nodiscard]] const byte_vector& good() const noexcept { return good_; }
  [[nodiscard]] std::size_t kinds() const noexcept { return kinds_.size(); }

  // change(match_parts&)
  template <class Change>
  void forge(const std::string& kind, Change&& change) {
    match_parts parts = parts_;
    change(parts);
    check(kind, put_together(parts));
  }
  // change(metadata&)
  template <class Change>
  void facts(const std::string& kind, Change&& change) {
    forge("metadata: " + kind, [&](match_parts& parts) { change(parts.facts); });
  }
  // change(sections&), of the current parts
  template <class Change>
  void sections(const std::string& kind, Change&& change) {
    match_sections made;
    make_sections(parts_, made);
    change(made);
    check(kind, got(icrep::encode_file(made.all)));
  }
  // change(bytes&)
  template <class Change>
  void bytes(const std::string& kind, Change&& change) {
    byte_vector file = good_;
    change(file);
    check(kind, file);
  }

  void check(const std::string& kind, byte_span file) {
    kinds_.insert(kind);
    BOOST_REQUIRE_MESSAGE(!std::ranges::equal(file, good_), kind << " changed nothing");
    const signature_state state = state_of(file);
    BOOST_TEST((state != signature_state::whole), kind);
    // Only the death of the recorder makes an honest file incomplete, and that is not forged here.
    const bool honest = kind.starts_with("seal: all of it") || kind.starts_with("no signature") ||
                        state == signature_state::not_signed;
    if (!honest) BOOST_TEST((state == signature_state::tampered), kind << ": " << name(state));
    // A reel made of it is not complete either, if one can be made.
    const scratch_folder folder;
    write_file(folder / "f.icrep", file);
    if (!game::convert_icrep_to_reel(folder / "f.icrep", folder / "f.reel")) return;
    const auto replay = game::replay::open(folder / "f.reel");
    if (!replay) return;
    const auto of_reel = icrep::verify_signatures_of(replay->file(), relay());
    // Blocks and sections are not part of a reel: publishing writes them again.
    if (!kind.starts_with("layout: "))
      BOOST_TEST((of_reel.state != signature_state::whole), kind << ", a reel");
  }

 private:
  byte_vector good_;
  match_parts parts_;
  std::set<std::string> kinds_;
};

}  // namespace tickreel::test
