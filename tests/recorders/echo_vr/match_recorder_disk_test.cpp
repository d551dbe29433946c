// The recorder of a match when files cannot be created, grow or be published.
#include <boost/test/unit_test.hpp>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

#ifndef _WIN32
#include <sys/resource.h>

#include <csignal>
#endif

#include "random.hpp"
#include "sanitized.hpp"
#include "support/match_driver.hpp"
#include "tickreel/io/file.hpp"
#include "tickreel/io/filesystem_path.hpp"
#include "tickreel/reel/reader.hpp"

namespace tickreel::echo_vr {

BOOST_AUTO_TEST_SUITE(echo_vr_recording_tests)
BOOST_AUTO_TEST_SUITE(match_recorder_disk_test)

namespace {

using namespace std::chrono_literals;
using namespace test;

BOOST_AUTO_TEST_CASE(an_unwritable_folder_is_reported_and_retried) {
  const temporary_folder folder;
  match_options options = in(folder);
  options.folder = folder.path() / "gone";
  driver game(options);
  std::ofstream(filesystem_path(options.folder)) << "a file where the folder should be";
  std::uint32_t next = game.ticks_until(event_kind::disk_failed, {}, 0);
  BOOST_TEST(game.recorder().status().dropped_ticks == next);
  std::filesystem::remove(filesystem_path(options.folder));
  std::filesystem::create_directory(filesystem_path(options.folder));
  game.ticks({}, next, 10);
  next += 10;
  BOOST_TEST(game.recorder().status().dropped_ticks == next);  // not retried on every tick
  BOOST_TEST(!game.recorder().status().recording);
  game.wait(5s);
  game.ticks({}, next, 10);
  game.recorder().close();
  BOOST_TEST(game.events(event_kind::disk_failed).size() == 1);
  BOOST_TEST(game.recorder().status().dropped_ticks == next);
  BOOST_TEST(game.recorder().status().total_frames == 10);
  std::size_t files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(filesystem_path(options.folder))) {
    ++files;
    check_ticks(entry.path(), numbers(next, 10));
  }
  BOOST_TEST(files == 1);
}

// However often the disk is retried: a match without a file is one failed file.
BOOST_AUTO_TEST_CASE(matches_without_a_file_are_counted) {
  const temporary_folder folder;
  match_options options = in(folder, {record_format::butter, record_format::reel});
  options.folder = folder.path() / "gone";
  driver game(options);
  std::ofstream(filesystem_path(options.folder)) << "a file where the folder should be";
  scripted_match first;
  first.sessionid = "11111111-AAAA";
  std::uint32_t next = game.ticks_until(event_kind::disk_failed, first, 0);
  game.wait(5s);
  game.ticks(first, next, 10);
  next += 10;
  scripted_match second;
  second.sessionid = "22222222-BBBB";
  game.ticks(second, next, 10);
  game.wait(5s);
  game.ticks(second, next, 10);
  game.recorder().close();
  BOOST_TEST(game.recorder().status().files_failed == 4u);
  BOOST_TEST(game.recorder().status().files_finished == 0u);
}

BOOST_AUTO_TEST_CASE(an_unpublishable_reel_is_kept) {
  const temporary_folder folder;
  driver game(in(folder));
  const std::uint32_t next = game.ticks_until(event_kind::file_started, {}, 0);
  // Another program takes the final name meanwhile.
  std::ofstream(folder.path() / "2025-06-15_15-06-40_mpl_arena_a_00000000.butter") << "precious";
  game.recorder().close();
  BOOST_TEST(game.recorder().status().files_failed == 1);
  BOOST_TEST(game.recorder().status().files_finished == 0);
  const auto failed = game.events(event_kind::publish_failed);
  BOOST_REQUIRE(failed.size() == 1);
  BOOST_TEST(filesystem_path(failed[0].path).extension() == ".reel");
  BOOST_TEST(failed[0].line.find("tickreel recover") != std::string::npos);
  BOOST_TEST(ticks_in(filesystem_path(failed[0].path)).size() == next);
  BOOST_TEST(std::filesystem::file_size(folder.path() / "2025-06-15_15-06-40_mpl_arena_a_00000000.butter") ==
             8);
}

BOOST_AUTO_TEST_CASE(reels_of_dead_processes_are_found_and_those_of_running_ones_are_not) {
  const temporary_folder folder;
  driver living(in(folder, {record_format::butter, record_format::reel}));
  (void)living.ticks_until(event_kind::file_started, {}, 0);
  BOOST_TEST(find_leftover_reels(folder.path()).empty());
  living.recorder().close();
  BOOST_TEST(find_leftover_reels(folder.path()).empty());  // the remaining .reel is complete

  const std::filesystem::path whole = folder.files(".reel").at(0);
  const std::filesystem::path cut = folder.path() / "cut.reel";
  std::filesystem::copy_file(whole, cut);
  std::filesystem::resize_file(cut, std::filesystem::file_size(cut) - 20);
  const std::filesystem::path unpublished = folder.path() / "x.butter.reel";
  std::filesystem::copy_file(whole, unpublished);
  const auto found = find_leftover_reels(folder.path());
  BOOST_REQUIRE(found.size() == 2);
  BOOST_TEST(found[0] == cut);
  BOOST_TEST(found[1] == unpublished);
  BOOST_TEST(find_leftover_reels(folder.path() / "nowhere").empty());
}

BOOST_AUTO_TEST_CASE(a_removed_folder_is_reported_immediately) {
  const temporary_folder folder;
  match_options options = in(folder);
  const std::filesystem::path gone = folder.path() / "gone";
  options.folder = gone;
  std::filesystem::create_directory(gone);
  driver game(options);
  std::uint32_t next = game.ticks_until(event_kind::file_started, {}, 0);
  std::filesystem::rename(gone, folder.path() / "elsewhere");
  next = game.ticks_until(event_kind::disk_failed, {}, next);
  BOOST_TEST(game.events(event_kind::disk_failed)[0].line.find("no longer exist") != std::string::npos);
  std::filesystem::create_directory(gone);
  game.wait(5s);
  next = game.ticks_until(event_kind::disk_recovered, {}, next);
  const std::uint32_t again = next;
  game.ticks({}, next, 5);
  game.recorder().close();
  BOOST_TEST(game.recorder().status().files_failed == 1u);
  std::size_t files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(gone)) {
    ++files;
    BOOST_TEST(ticks_in(entry.path()).back() == again + 4);
  }
  BOOST_TEST(files == 1u);
}

BOOST_AUTO_TEST_CASE(temporary_files_of_dead_processes_are_removed_and_nothing_else) {
  const temporary_folder folder;
  const auto made = [&](const std::string& name, std::chrono::hours age) {
    const std::filesystem::path path = folder.path() / name;
    std::ofstream(path) << "something";
    std::filesystem::last_write_time(path, std::filesystem::file_time_type::clock::now() - age);
    return path;
  };
  const auto dead = made("a_match.echoreplay.0123abcd.part", 1h);
  const auto other = made("b.butter.ffffffff.part", 1h);
  const auto chunks = made("c.butter.chunks.ffffffff.part", 1h);
  const auto held = made("held.butter.01234567.part", 1h);
  const auto holder = file::open_for_appending(held);
  BOOST_REQUIRE(holder.has_value());
  std::vector<std::filesystem::path> kept = {held,
                                             made("young.butter.ffffffff.part", 0h),
                                             made("films.avi.ffffffff.part", 1h),
                                             made("films.chunks.ffffffff.part", 1h),
                                             made("a.butter.part", 1h),
                                             made("a.butter.0123ABCD.part", 1h),
                                             made("a.butter.0123abcde.part", 1h)};
#ifndef _WIN32
  // A link with such a name leads to a file of the user.
  kept.push_back(made("of the user", 1h));
  kept.push_back(folder.path() / "linked.butter.01234567.part");
  std::filesystem::create_symlink(kept[kept.size() - 2], kept.back());
#endif
  const auto removed = remove_leftover_parts(folder.path());
  BOOST_REQUIRE_EQUAL(removed.size(), 3u);
  BOOST_TEST(removed[0] == dead);
  BOOST_TEST(removed[1] == other);
  BOOST_TEST(removed[2] == chunks);
  for (const auto& each : removed) BOOST_TEST(!std::filesystem::exists(filesystem_path(each)));
  for (const auto& each : kept) BOOST_TEST(std::filesystem::exists(each), each);
}

// Many games in one second, as when all ports of a server are recorded: no game's file is missing.
BOOST_AUTO_TEST_CASE(several_targets_in_one_match_get_all_their_formats) {
  constexpr std::size_t targets = is_sanitized ? 6 : 24;
  const temporary_folder folder;
  {
    std::vector<std::unique_ptr<driver>> games;
    for (std::size_t i = 0; i < targets; ++i) {
      games.push_back(std::make_unique<driver>(in(folder, {record_format::butter, record_format::reel})));
    }
    std::vector<std::thread> threads;
    for (auto& game : games) threads.emplace_back([&game] { game->ticks({}, 0, 10); });
    for (std::thread& each : threads) each.join();
    for (auto& game : games) {
      game->recorder().close();
      const match_status done = game->recorder().status();
      BOOST_TEST(done.files_finished == 2u);
      BOOST_TEST(done.files_failed == 0u);
      BOOST_TEST(done.dropped_ticks == 0u);
    }
  }
  for (const char* extension : {".butter", ".reel"}) {
    const auto files = folder.files(extension);
    BOOST_TEST(files.size() == targets);
    for (const auto& each : files) BOOST_TEST(ticks_in(each).size() == 10u, each);
  }
}

#ifndef _WIN32

// Limits the size of files of this process while it exists.
class file_size_limit {
 public:
  explicit file_size_limit(rlim_t bytes) {
    // The default action would end the process; if ignored, writes fail as on a full disk.
    earlier_handler_ = std::signal(SIGXFSZ, SIG_IGN);
    getrlimit(RLIMIT_FSIZE, &earlier_);
    const rlimit now{bytes, earlier_.rlim_max};
    setrlimit(RLIMIT_FSIZE, &now);
  }
  file_size_limit(const file_size_limit&) = delete;
  file_size_limit& operator=(const file_size_limit&) = delete;
  ~file_size_limit() {
    setrlimit(RLIMIT_FSIZE, &earlier_);
    std::signal(SIGXFSZ, earlier_handler_);
  }

 private:
  rlimit earlier_{};
  void (*earlier_handler_)(int) = SIG_DFL;
};

BOOST_AUTO_TEST_CASE(a_full_disk_is_reported_and_the_written_part_survives) {
  auto random = test::seeded_random("full disk");
  const temporary_folder folder;
  driver game(in(folder, {record_format::reel}));
  std::uint32_t next = 0;
  // Bytes that no codec compresses, in a field that no reader knows.
  const auto push = [&] {
    std::string noise;
    for (int i = 0; i < 2000; ++i)
      noise += "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ-_"[random() % 64];
    std::string text = test::session_text({}, next++);
    text.insert(1, "\"noise\":\"" + noise + "\",");
    (void)game.answer(text);
    // 10 ms of real time each: the ring must never fill.
    std::this_thread::sleep_for(10ms);
  };
  const auto written = [&] { return game.recorder().status().stored_bytes; };
  BOOST_TEST(test::eventually([&] {
    push();
    return written() > 50'000;
  }));
  {
    const file_size_limit full(written());
    BOOST_TEST(test::eventually([&] {
      push();
      return !game.events(event_kind::disk_failed).empty();
    }));
  }
  BOOST_TEST(test::eventually([&] {
    push();
    return !game.events(event_kind::disk_recovered).empty();
  }));
  const std::uint32_t recovered_at = next;
  push();
  game.recorder().close();
  BOOST_TEST(game.events(event_kind::disk_failed).size() == 1);
  BOOST_TEST(game.events(event_kind::disk_recovered).size() == 1);

  const std::vector<std::uint32_t> found = ticks_in(folder.files(".reel").at(0));
  BOOST_TEST(found.front() == 0);
  BOOST_TEST(found.back() == recovered_at);
  const match_status done = game.recorder().status();
  BOOST_TEST(done.dropped_ticks > 0);
  BOOST_TEST(found.size() + done.dropped_ticks == next);
  BOOST_TEST(done.files_finished == 1);
}

// Of the reel that a format is recorded in, until its first record.
std::uint64_t header_bytes_of(record_format format) {
  std::uint64_t header_bytes = 0;
  const temporary_folder folder;
  driver game(in(folder, {format}));
  std::uint32_t tick = 0;
  BOOST_REQUIRE(eventually([&] {
    (void)game.tick({}, tick++);
    if (folder.files(".reel").empty()) return false;
    const auto reel = reel::reader::open(folder.files(".reel")[0]);
    if (!reel || reel->contents().records.empty()) return false;
    header_bytes = reel->contents().records[0].offset;
    return true;
  }));
  return header_bytes;
}

// The disk has space for the start and the end of a reel, and for no chunk between.
BOOST_AUTO_TEST_CASE(a_file_without_any_tick_has_failed) {
  auto random = test::seeded_random("no tick");
  std::string noise;
  for (int i = 0; i < 80'000; ++i)
    noise += "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ-_"[random() % 64];
  const std::uint64_t header_bytes = header_bytes_of(record_format::echoreplay);
  const temporary_folder folder;
  driver game(in(folder, {record_format::echoreplay}));
  std::uint32_t next = 0;
  {
    const file_size_limit full(header_bytes + 20'000);
    BOOST_TEST(test::eventually([&] {
      std::string text = test::session_text({}, next++);
      text.insert(1, "\"noise\":\"" + noise + "\",");
      (void)game.answer(text);
      return !game.events(event_kind::file_started).empty();
    }));
    game.recorder().close();
  }
  const match_status done = game.recorder().status();
  BOOST_TEST(done.files_finished == 0u);
  BOOST_TEST(done.files_failed == 1u);
  BOOST_TEST(done.dropped_ticks == next);
  const auto failed = game.events(event_kind::publish_failed);
  BOOST_REQUIRE_EQUAL(failed.size(), 1u);
  BOOST_TEST((failed[0].path == game.events(event_kind::file_started)[0].path));
  BOOST_TEST(failed[0].line.find("no tick could be written") != std::string::npos, failed[0].line);
  BOOST_TEST(std::filesystem::is_empty(folder.path()));
}

BOOST_AUTO_TEST_CASE(a_format_that_the_disk_rejects_is_retried) {
  // The length of the header in the reel of a .butter gives a limit under which that reel can be started and the one of an
  // .echoreplay cannot: both are equal, except for the longer name of its encoder.
  const std::uint64_t header_bytes = header_bytes_of(record_format::butter);
  const temporary_folder folder;
  driver game(in(folder, {record_format::butter, record_format::echoreplay}));
  std::uint32_t next = 0;
  {
    const file_size_limit full(header_bytes + 2);
    next = game.ticks_until(event_kind::disk_failed, {}, next);
  }
  BOOST_TEST(game.events(event_kind::file_started).size() == 1u);
  game.wait(5s);
  BOOST_TEST(eventually([&] {
    (void)game.tick({}, next++);
    return game.events(event_kind::file_started).size() == 2u;
  }));
  game.ticks({}, next, 10);
  game.recorder().close();
  BOOST_REQUIRE_EQUAL(folder.files(".echoreplay").size(), 1u);
  BOOST_TEST(ticks_in(folder.files(".echoreplay")[0]).size() >= 10u);
  BOOST_TEST(game.recorder().status().dropped_ticks > 0u);
  BOOST_TEST(game.recorder().status().files_failed == 0u);
}

#ifdef __linux__
BOOST_AUTO_TEST_CASE(a_format_without_a_file_has_failed) {
  const temporary_folder folder;
  match_options options = in(folder, {record_format::reel, record_format::echoreplay});
  // The longest path that the system accepts, for the shorter of both names.
  constexpr std::size_t longest_path = 4095;
  const name_values values{.time_ms = script_start_ms, .map = "mpl_arena_a", .session = "00000000-"};
  const std::size_t name = file_stem(default_name_pattern, values).size() + 1;
  std::string long_folder = folder.path().string();
  const std::size_t wanted = longest_path - name - std::string(".reel").size();
  while (long_folder.size() + 2 < wanted) {
    const std::size_t piece = std::min<std::size_t>(wanted - long_folder.size() - 1, 200);
    long_folder += '/' + std::string(piece, 'd');
  }
  std::error_code refused;
  std::filesystem::create_directories(long_folder, refused);
  if (refused) return;
  options.folder = long_folder;
  driver game(options);
  (void)game.ticks_until(event_kind::disk_failed, {}, 0);
  game.recorder().close();
  const match_status done = game.recorder().status();
  BOOST_TEST(done.files_finished == 1u);
  BOOST_TEST(done.files_failed == 1u);
  BOOST_TEST(done.dropped_ticks == done.total_frames);
}
#endif

#endif

}  // namespace

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()

}  // namespace tickreel::echo_vr
