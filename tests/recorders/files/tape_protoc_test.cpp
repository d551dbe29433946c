// Records of a written .tape, decoded by protoc.
#ifndef _WIN32
#include <cctype>
#include <cstdlib>
#include <iostream>
#include <sstream>

#include "captures.hpp"
#include "tickreel/tape/container.hpp"

BOOST_AUTO_TEST_SUITE(files_tape_tests)
BOOST_AUTO_TEST_SUITE(tape_protoc_test)

namespace {

using namespace tickreel;
using namespace tickreel::test;

// The published schema of version 2, as far as the writer uses it. Contents of events are checked as bytes.
constexpr const char* tape_schema = R"(syntax = "proto3";
message Time { int64 seconds = 1; int32 nanos = 2; }
message PlayerInfo { int32 slot = 1; uint64 account_number = 2; string display_name = 3; int32 role = 4;
  int32 jersey_number = 5; int32 level = 6; }
message Skeleton { uint32 bone_count = 1; uint32 transform_stride = 2; uint32 orientation_stride = 3; }
message ArenaHeader { string session_id = 1; string map_name = 2; int32 match_type = 3; string client_name = 4;
  bool private_match = 5; bool tournament_match = 6; int32 total_round_count = 7;
  repeated PlayerInfo initial_roster = 8; Skeleton skeleton = 9; string session_ip = 10;
  string rules_changed_by = 11; uint64 rules_changed_at = 12; repeated string team_names = 13; }
message Header { string capture_id = 1; Time created_at = 2; uint32 format_version = 3; uint32 minor = 5;
  uint32 frame_encoding = 7; string game_type = 8; string producer = 9; ArenaHeader echo_arena = 10; }
message Vec3 { float x = 1; float y = 2; float z = 3; }
message Quat { float x = 1; float y = 2; float z = 3; float w = 4; }
message Pose { Vec3 position = 1; Quat orientation = 2; }
message Disc { Pose pose = 1; Vec3 velocity = 2; uint32 bounce_count = 3; }
message PlayerState { int32 slot = 1; Pose head = 2; Pose body = 3; Pose left_hand = 4; Pose right_hand = 5;
  Vec3 velocity = 6; uint32 flags = 7; uint32 ping = 8; float packet_loss_ratio = 9; float possession_time = 10; }
message Bones { int32 slot = 1; bytes transforms = 2; bytes orientations = 3; }
message Event { oneof what { bytes e10 = 10; bytes e11 = 11; bytes e12 = 12; bytes e13 = 13; bytes e14 = 14;
  bytes e15 = 15; bytes e20 = 20; bytes e21 = 21; bytes e22 = 22; bytes e23 = 23; bytes e24 = 24; bytes e25 = 25;
  bytes e26 = 26; bytes e30 = 30; bytes e31 = 31; bytes e32 = 32; bytes e40 = 40; bytes e41 = 41; bytes e50 = 50;
  bytes e51 = 51; bytes e52 = 52; bytes e53 = 53; bytes e54 = 54; bytes e55 = 55; bytes e56 = 56; bytes e57 = 57;
  bytes e58 = 58; } }
message PauseDetail { int32 a = 1; int32 b = 2; float c = 3; float d = 4; }
message ArenaFrame { int32 game_status = 1; float game_clock = 2; int32 pause_state = 3; Disc disc = 4;
  repeated PlayerState players = 5; repeated Bones player_bones = 6; optional int32 disc_holder_slot = 7;
  Pose vr_root = 8; int32 blue_points = 9; int32 orange_points = 10; int32 round_number = 11;
  repeated Event events = 12; float s1 = 14; float s2 = 15; float s3 = 16; float s4 = 17; int32 err_code = 18;
  bool r1 = 19; bool r2 = 20; PauseDetail pause_detail = 21; }
message Frame { uint32 frame_index = 1; uint32 timestamp_offset_ms = 2; bool is_keyframe = 3; ArenaFrame echo_arena = 10; }
message Keyframe { uint32 frame = 1; uint64 byte_offset = 2; }
message EventIndex { int32 type = 1; repeated uint32 frames = 2; }
message Footer { uint32 frame_count = 1; uint32 duration_ms = 2; uint64 footer_offset = 3;
  repeated Keyframe keyframe_index = 4; repeated EventIndex event_index = 5; }
message Envelope { oneof content { Header header = 1; Frame frame = 2; Footer footer = 3; } }
)";

// The number after the key at or after `at`, which moves after it.
double number_after(const std::string& text, std::string_view key, std::size_t& at) {
  at = text.find(key, at);
  BOOST_REQUIRE(at != std::string::npos);
  at += key.size();
  return std::stod(text.substr(at, 40));
}

}  // namespace

BOOST_AUTO_TEST_CASE(protoc_decodes_every_record_of_a_written_tape) {
  if (std::system("command -v protoc > /dev/null 2>&1") != 0) {
    std::cout << "ABSENT: protoc: the comparison with it is left out\n";
    return;
  }
  const scratch_folder folder;
  write_file(folder / "tape.proto", as_bytes(tape_schema));
  write_match(folder.path() / "match.echoreplay");
  files::convert_options options;
  options.range.to = files::moment::at_tick(5);
  const auto path = folder.path() / "match.tape";
  BOOST_REQUIRE(files::convert(folder.path() / "match.echoreplay", path, options));
  const auto ticks = all_ticks(path);
  const byte_vector bytes = read_file(path);
  auto reader = tape::record_reader::open(
      [&](std::uint64_t offset, std::size_t count) -> result<byte_span> {
        if (offset >= bytes.size()) return byte_span{};
        const byte_span rest = byte_span(bytes).subspan(static_cast<std::size_t>(offset));
        return rest.first(std::min(count, rest.size()));
      },
      bytes.size());
  BOOST_REQUIRE(reader);
  std::size_t records = 0;
  std::size_t frames = 0;
  byte_span record;
  for (auto more = reader->next(record); more && *more; more = reader->next(record), ++records) {
    write_file(folder / "record", record);
    const std::string command = "cd '" + folder.path().string() +
                                "' && protoc --decode=Envelope tape.proto < record > text 2> errors";
    BOOST_REQUIRE_MESSAGE(std::system(command.c_str()) == 0, "record " << records);
    const byte_vector text_bytes = read_file(folder.path() / "text");
    const std::string text(as_text(text_bytes));
    // A field that the schema lacks is printed by its number.
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
      const std::size_t first = line.find_first_not_of(' ');
      BOOST_TEST((first == std::string::npos || std::isdigit(static_cast<unsigned char>(line[first])) == 0),
                 line);
    }
    if (!text.starts_with("frame {")) continue;
    BOOST_REQUIRE(frames < ticks.size());
    const echo::state& tick = ticks[frames++];
    std::size_t at = 0;
    BOOST_TEST(static_cast<float>(number_after(text, "game_clock: ", at)) == tick.match.game_clock);
    for (std::size_t i = 0; i < tick.match.player_count; ++i) {
      at = text.find("players {", at);
      BOOST_REQUIRE(at != std::string::npos);
      at = text.find("position {", at);
      BOOST_TEST(static_cast<float>(number_after(text, "x: ", at)) == tick.players[i].head.position.x);
      BOOST_TEST(static_cast<float>(number_after(text, "y: ", at)) == tick.players[i].head.position.y);
    }
  }
  BOOST_TEST(frames == ticks.size());
  BOOST_TEST(records == ticks.size() + 2);
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
#endif
