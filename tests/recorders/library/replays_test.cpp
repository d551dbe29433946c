// StarCraft II replays in the index: one match recorded by several players, copies, times, and unreadable files.
#include <boost/test/unit_test.hpp>

#ifndef _WIN32
#include <unistd.h>

#include <cstdlib>
#endif

#include "library_files.hpp"
#include "sample_file.hpp"

BOOST_AUTO_TEST_SUITE(library_tests)
BOOST_AUTO_TEST_SUITE(replays_test)

using namespace tickreel;
using namespace tickreel::test;

namespace {

// As another client records it: another language, another time of leaving.
byte_vector recorded_by(const std::string& map, std::uint32_t loops, std::uint32_t seed = 385365665) {
  auto members = sample_members();
  for (mpq::new_member& each : members) {
    if (each.name.starts_with("replay.details")) {
      sc2replay::details facts = sample_details();
      facts.title = map;
      each.bytes = sc2replay::write_details(facts);
    }
    if (each.name == "replay.initData") {
      sc2replay::lobby lobby = sample_lobby();
      lobby.random_seed = seed;
      each.bytes = *sc2replay::write_lobby(lobby, sample_base_build);
    }
  }
  sc2replay::header header = sample_header();
  header.loops = loops;
  auto file = mpq::write_archive(*sc2replay::write_header(header), members);
  BOOST_REQUIRE(file);
  return std::move(*file);
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_match_counts_once_with_any_number_of_recordings) {
  small_library files;
  write_file(files.folder / "mine.SC2Replay", recorded_by("Clockwork Canyon", 640));
  write_file(files.folder / "theirs.SC2Replay", recorded_by("Uhrwerkschlucht", 600));
  files.scan();
  auto found = taken(files.index.stats());
  BOOST_TEST(found.files == 2u);
  BOOST_TEST(found.games == 1u);
  BOOST_REQUIRE(found.by_player.size() >= 1u);
  for (const auto& each : found.by_player) BOOST_TEST(each.games == 1u, each.name);
  // Spectators did not play.
  for (const auto& each : found.by_player) BOOST_TEST(each.name != "Watcher");
  // The computer did, but has no statistics.
  for (const auto& each : found.by_player) BOOST_TEST(each.name != "Very easy computer");
  BOOST_TEST(found.players == 2u);
  BOOST_TEST(files.find({.player = "Very easy computer"}).size() == 2u);
  BOOST_REQUIRE(found.by_format.size() == 1u);
  BOOST_TEST(found.by_format[0].games == 1u);
  // But it is found.
  BOOST_TEST(files.find({.player = "Watcher"}).size() == 2u);
  // The next match of the same players on the same map is another one.
  write_file(files.folder / "next.SC2Replay", recorded_by("Clockwork Canyon", 640, 1));
  files.scan();
  BOOST_TEST(taken(files.index.stats()).games == 2u);
}

BOOST_AUTO_TEST_CASE(spectators_lost_nothing) {
  small_library files;
  write_file(files.folder / "one.SC2Replay", recorded_by("Clockwork Canyon", 640));
  files.scan();
  BOOST_TEST(files.find({.player = "Watcher"}).size() == 1u);
  BOOST_TEST(files.find({.player = "Watcher", .result = "lost"}).empty());
  BOOST_TEST(files.find({.player = "Watcher", .result = "won"}).empty());
  const auto played = files.find({.player = "Ayla", .result = "lost"}).size() +
                      files.find({.player = "Ayla", .result = "won"}).size();
  BOOST_TEST(played == 1u);
}

BOOST_AUTO_TEST_CASE(copies_of_a_file_are_one_game) {
  small_library files;
  // A recording without an id: a lobby that cannot be read.
  auto members = sample_members();
  std::erase_if(members, [](const mpq::new_member& each) { return each.name == "replay.initData"; });
  const auto file = mpq::write_archive(*sc2replay::write_header(sample_header()), members);
  BOOST_REQUIRE(file);
  for (const char* name : {"a", "b", "c"}) write_file(files.folder / name, *file);
  files.scan();
  const auto found = taken(files.index.stats());
  BOOST_TEST(found.files == 3u);
  BOOST_TEST(found.games == 1u);
}

BOOST_AUTO_TEST_CASE(a_game_started_its_real_length_before_its_end) {
  small_library files;
  write_file(files.folder / "one.SC2Replay", recorded_by("Clockwork Canyon", 640));
  files.scan();
  const auto games = files.find();
  BOOST_REQUIRE(games.size() == 1u);
  BOOST_REQUIRE(games[0].started_ms.has_value());
  const std::int64_t ended_ms = sc2replay::unix_ms_of_file_time(sample_details().ended_utc);
  // 640 loops at "Faster" are 28.6 s; times are rounded to seconds.
  BOOST_TEST(std::abs(ended_ms - *games[0].started_ms - 28'571) < 1100);
}

#ifndef _WIN32
namespace {

// Root bypasses permissions, so tests of them run as another user.
class ordinary_user {
 public:
  ordinary_user() {
    if (::geteuid() != 0) return;
    constexpr uid_t nobody = 65534;
    BOOST_REQUIRE(::seteuid(nobody) == 0);
    changed_ = true;
  }
  ordinary_user(const ordinary_user&) = delete;
  ordinary_user& operator=(const ordinary_user&) = delete;
  ~ordinary_user() {
    if (changed_ && ::seteuid(0) != 0) std::abort();
  }

 private:
  bool changed_ = false;
};

void set_modes(const std::filesystem::path& folder, std::filesystem::perms of_files,
               std::filesystem::perms of_folder) {
  for (const auto& each : std::filesystem::directory_iterator(folder)) {
    std::filesystem::permissions(each.path(), of_files);
  }
  std::filesystem::permissions(folder, of_folder);
}

constexpr auto readable = static_cast<std::filesystem::perms>(0444);
constexpr auto open_folder = static_cast<std::filesystem::perms>(0777);
constexpr auto closed_folder = static_cast<std::filesystem::perms>(0555);
constexpr auto writable = static_cast<std::filesystem::perms>(0666);

}  // namespace

BOOST_AUTO_TEST_CASE(temporarily_unreadable_files_stay_indexed) {
  small_library files;
  const std::filesystem::path path = files.folder / "shut.SC2Replay";
  write_file(path, recorded_by("Clockwork Canyon", 640));
  files.scan();
  set_modes(files.database.parent_path(), writable, open_folder);
  std::filesystem::permissions(path, std::filesystem::perms::none);
  {
    const ordinary_user user;
    const auto report = taken(files.index.scan({files.folder}, {.everything = true}));
    BOOST_TEST(report.unreadable_objects == 1u);
    BOOST_TEST(report.ignored == 0u);
    BOOST_TEST(report.vanished == 0u);
  }
  BOOST_TEST(files.find({.player = "Ayla"}).size() == 1u);
  BOOST_TEST(files.find({.damaged = true}).empty());
  std::filesystem::permissions(path, std::filesystem::perms::owner_all);
}

// Once with a read-only file and folder, and once with only the folder read-only.
BOOST_AUTO_TEST_CASE(an_unwritable_index_can_be_queried) {
  for (const auto of_file : {readable, writable}) {
    scratch_folder scratch;
    const std::filesystem::path database = scratch.path() / "index" / "a b#1?.db";
    const std::filesystem::path folder = scratch.path() / "files";
    std::filesystem::create_directories(folder);
    write_file(folder / "one.SC2Replay", recorded_by("Clockwork Canyon", 640));
    {
      auto index = taken(library::catalogue::open(database));
      (void)taken(index.scan({folder}));
    }
    set_modes(database.parent_path(), of_file, closed_folder);
    {
      const ordinary_user user;
      const auto index = library::catalogue::open(database, false);
      BOOST_REQUIRE_MESSAGE(index, (index ? std::string() : describe(index.error())));
      const auto found = index->find({.player = "Ayla"}, [](const auto&) { return true; });
      BOOST_REQUIRE(found);
      BOOST_TEST(*found == 1u);
      std::string problem;
      const auto asked = index->sql(
          "SELECT count(*) FROM games", [](const auto&) {}, [](const auto&) { return true; }, problem);
      BOOST_TEST(asked.has_value(), problem);
      BOOST_TEST(!library::catalogue::open(database).has_value());
    }
    set_modes(database.parent_path(), writable, open_folder);
  }
}

BOOST_AUTO_TEST_CASE(files_that_the_system_denied_are_read_again) {
  small_library files;
  const std::filesystem::path path = files.folder / "shut.SC2Replay";
  write_file(path, recorded_by("Clockwork Canyon", 640));
  std::filesystem::permissions(path, std::filesystem::perms::none);
  set_modes(files.database.parent_path(), writable, open_folder);
  {
    const ordinary_user user;
    files.scan();
  }
  BOOST_TEST(files.find({.damaged = true}).size() == 1u);
  std::filesystem::permissions(path, std::filesystem::perms::owner_read);
  files.scan();
  BOOST_TEST(files.find({.damaged = true}).empty());
  BOOST_TEST(files.find({.player = "Ayla"}).size() == 1u);
}
#endif

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
