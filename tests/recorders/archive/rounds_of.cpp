// A round: one match, one fault, and the conditions that must hold afterwards.
#include "rounds_stage.hpp"
#include "tickreel/archive/archive.hpp"
#include "tickreel/files/same_content.hpp"
#include "tickreel/reel/recover.hpp"
#include "tickreel/tickreel.hpp"
#include "why.hpp"

namespace tickreel::test {

namespace {

struct puck {
  float x = 0;
  float y = 0;
  std::uint32_t noise = 0;
};
TICKREEL_DESCRIBE(puck, x, y, noise);

std::string given(const char* name) {
  const char* const value = std::getenv(name);
  return value != nullptr ? value : "";
}

std::optional<store::index_object> archived_match(stage& on, const std::string& match) {
  std::optional<store::index_object> out;
  const std::string begin = "a/rounds/" + match + '.';
  const auto objects = on.s3.objects();
  for (auto each = objects.lower_bound(begin); each != objects.end() && each->first.starts_with(begin);
       ++each) {
    if (!each->first.ends_with(store::index_ending)) continue;
    if (auto read = store::read_index(as_bytes(each->second.content))) out = std::move(*read);
  }
  return out;
}

void check_stored(stage& on, const std::string& match, const std::string& path) {
  const std::string begin = "a/rounds/" + match + '.';
  std::size_t objects = 0;
  for (const auto& [key, object] : on.s3.objects()) {
    if (!key.starts_with(begin)) continue;
    ++objects;
    if (key.ends_with(store::index_ending)) continue;
    write_file(path + ".stored", as_bytes(object.content));
    const auto same = files::has_same_content(path + ".stored", path);
    BOOST_TEST((same && *same), match + ": " + why(same));
    std::filesystem::remove(path + ".stored");
  }
  BOOST_TEST(objects == 2u, match);
}

struct round_totals {
  std::uint64_t ticks = 0;
  std::uint64_t lost_ticks = 0;
  std::uint64_t delayed = 0;          // matches whose delivery had to start again
  std::uint64_t recovered_reels = 0;  // reels of killed recorders that were delivered afterwards
};

void one_round(const kind_of_fault& fault, stage& on, int number, round_totals& sum) {
  const std::string match = fault.name + std::to_string(number);
  on.match = match;
  const std::string path = on.recorder_disk / (match + ".reel");
  const auto ticks = static_cast<std::uint64_t>(2000 + on.random() % 4000);
  auto url = *fleet::read_nats_url(on.address(on.proxy.port()));
  url.match = match;
  const std::string watched = on.folder / "watched";
  auto follow = fault.goes_silent ? impatient_follow() : quick_follow();
  // A record that comes late is not a lost one, however late a busy machine is.
  follow.wait_for_missing = longest_wait;
  auto watching = fleet::follower::create(url, watched, follow);
  BOOST_REQUIRE(watching);
  const auto look = [&] {
    if (fault.may_break_broker) on.restart_broken_broker();
    BOOST_REQUIRE(watching->pump(5ms));
  };

  other_self recorder(
      "fleet_rounds_tests/rounds_of/run_a_recorder_process",
      {"TICKREEL_TEST_RECORDER=" + on.address(on.proxy.port()), "TICKREEL_TEST_REEL=" + path,
       "TICKREEL_TEST_REPORT=" + (on.folder / "round_totals"), "TICKREEL_TEST_TICKS=" + std::to_string(ticks),
       std::string("TICKREEL_TEST_SILENCE=") + (fault.goes_silent ? "1" : "")});
  // With its header: before that nothing could be recovered.
  BOOST_REQUIRE(eventually(
      [&] {
        std::error_code none_yet;
        const auto bytes = std::filesystem::file_size(path, none_yet);
        return (!none_yet && bytes > 0) || recorder.ended();
      },
      longest_wait));
  on.wait(0, 250);
  look();
  fault.strike(on, recorder);
  look();
  if (!fault.until_after_the_match) {
    on.wait(0, 600);
    look();
    fault.repair(on);
  }
  BOOST_REQUIRE(eventually([&] { return look(), recorder.ended().has_value(); }, longest_wait));
  if (fault.until_after_the_match) {
    on.wait(0, 600);
    fault.repair(on);
  }
  const bool died = *recorder.ended() != 0;
  if (died) {
    const auto recovered = reel::recover_in_place(path);
    BOOST_REQUIRE_MESSAGE(recovered.has_value(), match + ": " + why(recovered));
  }
  if (died || fault.takes_records) {
    const auto left =
        fleet::publish_reel(*fleet::read_nats_url(on.address(on.server.port())), path, quick_options());
    BOOST_REQUIRE_MESSAGE(left.has_value(), match + ": " + why(left));
  }
  const byte_vector local = read_file(path);
  const auto opened = reel::reader::open(path, {}, true);
  BOOST_REQUIRE(opened);
  const auto& found = opened->contents();
  BOOST_TEST((found.end == reel::reel_end::closed), match);
  sum.ticks += found.frames;
  sum.lost_ticks += found.lost_ticks;
  sum.recovered_reels += died ? 1 : 0;
  std::uint64_t retried = 0;
  std::ifstream(on.folder / "round_totals") >> retried;
  sum.delayed += retried > 0 ? 1 : 0;
  std::filesystem::remove(on.folder / "round_totals");
  // A killed recorder loses its unsealed ticks, whose number is unknown.
  if (!died) BOOST_TEST(found.frames + found.lost_ticks == ticks, match);
  BOOST_TEST(eventually([&] { return look(), watching->ended(); }, longest_wait), match);
  BOOST_TEST(watching->counters().reel.lost_records == 0u, match);
  BOOST_TEST((read_file(watched) == local), match + ": the watched reel differs");
  const auto own = store::hash_file(path);
  BOOST_REQUIRE(own);
  std::optional<store::index_object> index;
  // A match that was archived without available records is archived again with them.
  BOOST_TEST(eventually(
                 [&] {
                   if (fault.may_break_broker) on.restart_broken_broker();
                   return (index = archived_match(on, match)) && index->ended && index->lost_records == 0;
                 },
                 longest_wait),
             match);
  if (index) {
    BOOST_TEST(index->recorded_sha256 == own->sha256, match);
    BOOST_TEST(index->lost_records == 0u, match);
    BOOST_TEST(index->ticks == found.frames, match);
    BOOST_TEST(index->lost_ticks == found.lost_ticks, match);
    check_stored(on, match, path);
  }
  std::filesystem::remove(watched);
  std::filesystem::remove(path);
}

}  // namespace

void play_rounds(const kind_of_fault& fault, stage& on, int rounds) {
  if (fault.needs_small_disks && !(on.broker_disk.is_mounted() && on.recorder_disk.is_mounted())) {
    std::cout << "LEFT OUT: " << fault.name << ": mounting a small tmpfs is not permitted here\n";
    return;
  }
  on.start_archiver(fault.goes_silent);
  round_totals sum;
  for (int each = 0; each < rounds; ++each) one_round(fault, on, each, sum);
  BOOST_TEST(eventually([&] { return on.s3.uploads().empty(); }, longest_wait), "an upload was left behind");
  std::cout << fault.name << ": " << rounds << " rounds; ticks " << sum.ticks << ", reported as lost "
            << sum.lost_ticks << "; matches whose delivery began again " << sum.delayed
            << "; reels of killed recorders delivered later " << sum.recovered_reels
            << "; restarts of a broker that broke " << on.broker_restarts << '\n';
}

}  // namespace tickreel::test

BOOST_AUTO_TEST_SUITE(fleet_rounds_tests)
BOOST_AUTO_TEST_SUITE(rounds_of)

using namespace tickreel;
using namespace std::chrono_literals;

// Run by the rounds, which kill it.
BOOST_AUTO_TEST_CASE(run_an_archiver_process, *test::runs_as_child("TICKREEL_TEST_ARCHIVER")) {
  const std::string url = test::given("TICKREEL_TEST_ARCHIVER");
  BOOST_REQUIRE(!url.empty());
  test::die_with_parent();
  archive::archive_options how;
  if (!test::given("TICKREEL_TEST_SILENCE").empty()) how.broker.wait = 500ms;
  how.spool = test::given("TICKREEL_TEST_SPOOL");
  how.look_again = 100ms;
  // Shorter than some faults: the available part is archived first, then the rest.
  how.idle = 1s;
  how.acknowledge_within = 2s;
  how.store.part_bytes = 4096;
  how.store.limits.first_pause = 1ms;
  how.store.limits.longest_pause = 10ms;
  const auto report = archive::archive_from(*fleet::read_nats_url(url), "s3://bucket/a", how);
  BOOST_TEST(report.has_value());
}

BOOST_AUTO_TEST_CASE(run_a_recorder_process, *test::runs_as_child("TICKREEL_TEST_RECORDER")) {
  const std::string url = test::given("TICKREEL_TEST_RECORDER");
  BOOST_REQUIRE(!url.empty());
  test::die_with_parent();
  const std::string path = test::given("TICKREEL_TEST_REEL");
  const std::uint64_t ticks = std::stoull(test::given("TICKREEL_TEST_TICKS"));
  auto how = test::given("TICKREEL_TEST_SILENCE").empty() ? test::quick_options() : test::impatient_options();
  how.compare_interval = 100ms;
  auto sink = fleet::publish_to(*fleet::read_nats_url(url), path, how);
  BOOST_REQUIRE(sink);
  const reel::queue_view view = (*sink)->view();
  std::vector<std::unique_ptr<reel::sink>> sinks;
  sinks.push_back(std::move(*sink));
  auto out = record<test::puck>(path, {.seal_frames = 25, .ring_ticks = 64, .ticks_per_second = 60},
                                std::move(sinks));
  BOOST_REQUIRE(out);
  std::minstd_rand noise(static_cast<std::uint32_t>(ticks));
  for (std::uint64_t tick = 0; tick < ticks; ++tick) {
    const auto at = static_cast<float>(tick);
    // A full ring drops ticks and reports them.
    (void)out->push({.x = at / 3, .y = at / 7, .noise = static_cast<std::uint32_t>(noise())});
    if (tick % 8 == 0) std::this_thread::sleep_for(1ms);  // paces the game; no condition depends on it
  }
  const auto report = out->close();
  std::ofstream(test::given("TICKREEL_TEST_REPORT")) << view.counters().retried;
  BOOST_REQUIRE(report.has_value());
  BOOST_REQUIRE(report->counters.failed_sinks == 0u);
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
