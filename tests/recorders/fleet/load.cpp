// How many recorders one machine carries: N recorders at 60 Hz, F followers, S seconds, one broker.
//   fleet_load NATS-URL RECORDERS FOLLOWERS SECONDS [SEAL-MS]
// Prints what it cost, how late followers are, and what is lost or doubled: every match is read back from the
// stream and compared with its reel.
#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <thread>
#include <vector>

#include "tickreel/fleet/broker.hpp"
#include "tickreel/fleet/follow.hpp"
#include "tickreel/fleet/publish.hpp"
#include "tickreel/tickreel.hpp"

namespace load {

// Ten players, as in many a match.
struct player {
  float x = 0, y = 0, z = 0, yaw = 0, pitch = 0;
  std::int32_t health = 100;
};
TICKREEL_DESCRIBE(player, x, y, z, yaw, pitch, health);
struct world {
  std::array<player, 10> players{};
};
TICKREEL_DESCRIBE(world, players);

}  // namespace load

namespace {

using namespace tickreel;
using namespace std::chrono_literals;
using steady = std::chrono::steady_clock;

std::int64_t now_us() {
  return std::chrono::duration_cast<std::chrono::microseconds>(
             std::chrono::system_clock::now().time_since_epoch())
      .count();
}

double cpu_seconds() {
  rusage used{};
  getrusage(RUSAGE_SELF, &used);
  const auto of = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
  };
  return of(used.ru_utime) + of(used.ru_stime);
}

std::string bytes_of(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

void move(load::world& all, std::uint64_t tick, std::size_t match) {
  for (std::size_t each = 0; each < all.players.size(); ++each) {
    load::player& one = all.players[each];
    const auto phase = static_cast<float>(tick) * 0.01f + static_cast<float>(each + match);
    one.x = 30.0f * phase - 10.0f * static_cast<float>(static_cast<int>(phase * 3.0f));
    one.y += 0.01f * static_cast<float>((tick * 2654435761u >> (each + 3u)) % 7u);
    one.yaw = phase;
  }
}

double at_percent(std::vector<double>& of, double percent) {
  if (of.empty()) return 0;
  const auto at = static_cast<std::size_t>(percent / 100 * static_cast<double>(of.size() - 1));
  std::nth_element(of.begin(), of.begin() + static_cast<std::ptrdiff_t>(at), of.end());
  return of[at];
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 5) {
    fmt::print(stderr, "usage: fleet_load NATS-URL RECORDERS FOLLOWERS SECONDS [SEAL-MS]\n");
    return 2;
  }
  auto url = *fleet::read_nats_url(argv[1]);
  url.league = "load-" + std::to_string(now_us());
  const auto recorders = static_cast<std::size_t>(std::atoi(argv[2]));
  const auto followers = static_cast<std::size_t>(std::atoi(argv[3]));
  const int seconds = std::atoi(argv[4]);
  const auto folder = std::filesystem::temp_directory_path() / url.league;
  std::filesystem::create_directories(folder);
  const auto reel_of = [&](std::size_t each) {
    return (folder / fmt::format("match{}.reel", each)).string();
  };

  struct one {
    std::optional<recording<load::world>> out;
    std::optional<reel::queue_view> view;
    load::world state;
  };
  std::vector<one> all(recorders);
  for (std::size_t each = 0; each < recorders; ++each) {
    fleet::publish_options how;
    how.queue.mode = threading::pumped;
    how.queue.close_wait_ms = 60'000;
    auto sink = fleet::publish_to(url, reel_of(each), how);
    if (!sink) return 1;
    all[each].view = (*sink)->view();
    std::vector<std::unique_ptr<reel::sink>> sinks;
    sinks.push_back(std::move(*sink));
    recorder_options options{.mode = threading::pumped, .ticks_per_second = 60};
    options.seal_interval_ms = argc > 5 ? static_cast<std::uint32_t>(std::atoi(argv[5])) : 1000;
    options.sync_each_chunk = false;
    auto out = record<load::world>(reel_of(each), options, std::move(sinks));
    if (!out) return 1;
    all[each].out.emplace(std::move(*out));
  }
  std::atomic<bool> stop = false;
  std::thread delivering([&] {
    while (!stop) {
      bool any = false;
      for (one& each : all) any = each.view->pump() || any;
      if (!any) std::this_thread::sleep_for(2ms);
    }
  });
  std::vector<std::vector<double>> late(followers);
  std::vector<std::thread> watching;
  for (std::size_t each = 0; each < followers; ++each) {
    watching.emplace_back([&, each] {
      fleet::follow_options how;
      how.seen = [&, each](const fleet::message_head& head, std::uint64_t) {
        if (head.kind == reel::record_kind::chunk && head.sequence) {
          late[each].push_back(static_cast<double>(now_us() - head.sent_at_us) / 1000);
        }
      };
      auto match = url;
      match.match = fmt::format("match{}", each % recorders);
      auto from = fleet::follower::create(match, (folder / fmt::format("watched{}", each)).string(), how);
      while (from && !stop && !from->ended()) {
        if (!from->pump(50ms)) return;
      }
    });
  }
  const double cpu_before = cpu_seconds();
  const auto begin = steady::now();
  auto next = begin;
  std::uint64_t tick = 0;
  for (; tick < static_cast<std::uint64_t>(seconds) * 60; ++tick) {
    for (std::size_t each = 0; each < recorders; ++each) {
      move(all[each].state, tick, each);
      all[each].out->push(all[each].state);
      all[each].out->pump();
    }
    next += 16'667us;
    std::this_thread::sleep_until(next);
  }
  const double took = std::chrono::duration<double>(steady::now() - begin).count();
  const double cpu = cpu_seconds() - cpu_before;
  double behind = 0;
  std::uint64_t dropped = 0;
  for (one& each : all) {
    behind = std::max(behind, each.view->counters().behind_seconds);
    const auto report = each.out->close();
    if (!report || report->counters.failed_sinks != 0) fmt::print("a match was not delivered at its close\n");
    if (report) dropped += report->counters.dropped;
  }
  std::this_thread::sleep_for(1s);
  stop = true;
  delivering.join();
  for (std::thread& each : watching) each.join();
  std::vector<double> every;
  for (const auto& each : late) every.insert(every.end(), each.begin(), each.end());
  std::uint64_t bytes = 0;
  std::size_t wrong = 0;
  std::uint64_t doubles = 0;
  for (std::size_t each = 0; each < recorders; ++each) {
    bytes += std::filesystem::file_size(reel_of(each));
    auto match = url;
    match.match = fmt::format("match{}", each);
    const std::string came = (folder / "came").string();
    {
      fleet::follow_options how;
      how.from_start = true;
      auto from = fleet::follower::create(match, came, how);
      const auto until = steady::now() + 30s;
      while (from && !from->ended() && steady::now() < until) (void)from->pump(50ms);
      if (from) doubles += from->counters().reel.doubles;
    }
    if (bytes_of(came) != bytes_of(reel_of(each))) ++wrong;
    std::filesystem::remove(came);
  }
  rusage used{};
  getrusage(RUSAGE_SELF, &used);
  const auto of = static_cast<double>(recorders);
  fmt::print("recorders {} followers {} seconds {:.1f} ticks {} dropped {}\n", recorders, followers, took,
             tick * recorders, dropped);
  fmt::print("cpu {:.2f} of a core, {:.3f} ms a recorder and second; memory {} MB\n", cpu / took,
             cpu / took / of * 1000, used.ru_maxrss / 1024);
  fmt::print("bytes a recorder and second {:.0f}; behind at the end {:.3f} s\n",
             static_cast<double>(bytes) / took / of, behind);
  fmt::print("chunks seen {}; sent to seen p50 {:.1f} ms p99 {:.1f} ms\n", every.size(),
             at_percent(every, 50), at_percent(every, 99));
  fmt::print("matches that differ {}; messages stored twice {}\n", wrong, doubles);
  std::filesystem::remove_all(folder);
  return wrong == 0 ? 0 : 1;
}
