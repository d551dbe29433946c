// Compares the library's reader with the model: golden files, and random hand-made ones.
#include <array>
#include <boost/test/unit_test.hpp>

#include "hand_made.hpp"
#include "random.hpp"
#include "reader_comparison.hpp"
#include "shared_data.hpp"

namespace tickreel {

BOOST_AUTO_TEST_SUITE(butter_reader_agreement_tests)
BOOST_AUTO_TEST_SUITE(reader_agreement_test)

namespace {

namespace fs = std::filesystem;

void check_agreement(byte_span file, std::size_t at_least) {
  const conformance::agreement found = conformance::compare_readers(file);
  for (const std::string& complaint : found.complaints) BOOST_ERROR(complaint);
  BOOST_TEST(found.frames >= at_least);
}

}  // namespace

BOOST_AUTO_TEST_CASE(on_every_golden_file) {
  for (const auto& entry : test::shared_files("butter", ".butter")) {
    BOOST_TEST_CONTEXT(entry.filename()) {
      check_agreement(test::read_file(entry), 1);
    }
  }
}

BOOST_AUTO_TEST_CASE(on_truncated_golden_files) {
  const fs::path folder = test::shared_data("butter");
  if (folder.empty()) return;
  std::mt19937_64 random = test::seeded_random("cut files");
  for (const char* name :
       {"arena-small.none.butter", "arena-small.gzip.butter", "arena-small-v1.none.butter"}) {
    const byte_vector file = test::read_file(folder / name);
    for (int i = 0; i < 40; ++i) {
      const std::size_t size = 1 + random() % (file.size() - 1);
      BOOST_TEST_CONTEXT(name << " cut to " << size) {
        check_agreement(byte_span(file).first(size), 0);
      }
    }
  }
}

namespace {

hand_made::player random_player(std::mt19937_64& random, std::size_t table_size, bool whole) {
  hand_made::player player;
  const auto byte = [&] { return static_cast<std::uint8_t>(random()); };
  player.index = static_cast<std::uint8_t>(random() % (table_size + 1));
  player.slot = byte();
  player.state = static_cast<std::uint8_t>(whole ? byte() | 0b0100'0000 : byte());
  // The reference behaviour for a body or hand without a position in this and the previous frame is unknown.
  player.pose_mask = static_cast<std::uint8_t>(byte() | (whole ? 0b1111'1111 : 0b0101'0100));
  player.stat_difference = byte();
  player.stuns_difference = static_cast<std::uint16_t>(random());
  player.ping_difference = static_cast<std::uint16_t>(random());
  player.left_hand = byte();
  player.head_x = static_cast<std::uint16_t>(random());
  return player;
}

hand_made::frame random_frame(std::mt19937_64& random, bool first, std::size_t table_size) {
  hand_made::frame frame;
  frame.keyframe = first || random() % 8 == 0;
  frame.time = frame.keyframe ? static_cast<std::int64_t>(random() % 4'000'000'000'000)
                              : static_cast<std::int64_t>(random() % 65536);
  frame.clock = static_cast<float>(random() % 60'000) / 100.0f;
  frame.included = static_cast<unsigned>(random() & 0xFF);
  // The behaviour for a disc stored as a difference to none is unknown, too, so keyframes have one.
  if (frame.keyframe) frame.included |= hand_made::least_of_keyframe | 1u << 5;
  frame.status = static_cast<std::uint8_t>(random() % 12);
  frame.blue_points = static_cast<std::uint16_t>(random() % 256);
  frame.pause_flags = static_cast<std::uint8_t>(random());
  frame.disc_x = static_cast<std::uint16_t>(random());
  frame.stats_of_teams = static_cast<unsigned>(random() & 31);
  frame.team_stat = static_cast<std::uint8_t>(random());
  // Mostly intact, otherwise few files would reach their second frame.
  const bool whole = random() % 10 != 0;
  for (std::uint64_t i = random() % 4; i > 0; --i)
    frame.blue.push_back(random_player(random, table_size, whole));
  for (std::uint64_t i = random() % 3; i > 0; --i)
    frame.orange.push_back(random_player(random, table_size, whole));
  frame.bone_players = random() % 3 == 0 ? -1 : static_cast<int>(random() % 3);
  frame.bone_x = static_cast<std::uint8_t>(random() % 240);
  return frame;
}

}  // namespace

BOOST_AUTO_TEST_CASE(on_random_hand_made_files) {
  std::mt19937_64 random = test::seeded_random("hand-made files");
  std::size_t threw = 0;
  for (int i = 0; i < 2000; ++i) {
    const hand_made::map_code map =
        std::array{hand_made::lobby, hand_made::arena, hand_made::combat}[random() % 3];
    hand_made::head head{.map = map, .private_match = random() % 2 == 0};
    if (random() % 2 == 0) head.players = {{"Ann", 11}, {"Ben", 22}, {"Bot", 0}, {"Zoe", 11}, {"", 5}};
    std::vector<byte_vector> chunks;
    for (std::uint64_t c = 1 + random() % 3; c > 0; --c) {
      std::vector<byte_vector> frames;
      for (std::uint64_t f = 1 + random() % 6; f > 0; --f) {
        frames.push_back(hand_made::encode(
            random_frame(random, chunks.empty() && frames.empty(), head.players.size()), map));
      }
      chunks.push_back(hand_made::join(frames));
    }
    const byte_vector file = hand_made::file(head, chunks);
    const conformance::agreement found = conformance::compare_readers(file);
    threw += found.model_threw ? 1 : 0;
    if (found.complaints.empty()) continue;
    BOOST_ERROR("file " << i << ": " << found.complaints.front());
    break;
  }
  BOOST_TEST_MESSAGE(threw << " of 2000 files are unreadable from some frame on");
  BOOST_TEST(threw > 100u);
  BOOST_TEST(threw < 1900u);
}

BOOST_AUTO_TEST_CASE(on_unusual_structures) {
  const byte_vector key = hand_made::encode({.time = 100});
  const byte_vector difference = hand_made::encode({.keyframe = false, .time = 3, .included = 0});
  const auto size = static_cast<std::uint32_t>(key.size());
  const std::vector<byte_vector> two = {key, key};
  check_agreement(hand_made::file({}, {0, size, 0, 0, size, 0, 0}, two), 2);
  check_agreement(hand_made::file({}, {size}, {key, byte_vector(77, std::byte{0xFF})}), 1);
  check_agreement(hand_made::file({}, {}, {key}), 0);
  check_agreement(hand_made::file({.interval = 0}, {hand_made::join({key, difference, key, difference})}), 4);
  check_agreement(hand_made::file({}, {key, difference}), 2);
  check_agreement(hand_made::file({}, {difference}), 0);
  check_agreement(hand_made::file({.map = 9}, {hand_made::encode({.time = 100}, hand_made::lobby)}), 1);
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()

}  // namespace tickreel
