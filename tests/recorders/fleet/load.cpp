// How many recorders one machine carries: recorders at 60 Hz, followers and archivers of one broker.
//   fleet_load NATS-URL RECORDERS FOLLOWERS SECONDS [seal=MS] [chunk=KB] [threads=N] [broker=PID]
//              [archivers=N to=WHERE tickreel=PROGRAM]
// Prints the cost, the lag of followers, and lost or duplicated records: the followed file, the stream and the
// archived object of every match are compared with the recorder's reel. scripts/fleet_load runs it with a broker.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <filesystem>
#include <iterator>
#include <map>
#include <thread>
#include <vector>

#include "../../support/eventually.hpp"
#include "../../support/file_bytes.hpp"
#include "load_processes.hpp"
#include "tickreel/archive/archive.hpp"
#include "tickreel/files/same_content.hpp"
#include "tickreel/fleet/broker.hpp"
#include "tickreel/fleet/follow.hpp"
#include "tickreel/fleet/publish.hpp"
#include "tickreel/tickreel.hpp"

namespace load {

// Ten players, as in many matches.
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

constexpr std::size_t rate = 60;

struct asked_for {
  fleet::nats_url url;
  std::size_t recorders = 0;
  std::size_t followers = 0;
  std::size_t seconds = 0;
  std::map<std::string, std::string> more;

  [[nodiscard]] std::size_t number(const char* name, std::size_t otherwise) const {
    const auto found = more.find(name);
    return found == more.end() ? otherwise : std::stoul(found->second);
  }
  [[nodiscard]] std::string text(const char* name) const {
    const auto found = more.find(name);
    return found == more.end() ? std::string() : found->second;
  }
};

std::int64_t now_us() {
  return std::chrono::duration_cast<std::chrono::microseconds>(
             std::chrono::system_clock::now().time_since_epoch())
      .count();
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

double at_percent(std::vector<float>& of, double percent) {
  if (of.empty()) return 0;
  const auto at = static_cast<std::size_t>(percent / 100 * static_cast<double>(of.size() - 1));
  std::nth_element(of.begin(), of.begin() + static_cast<std::ptrdiff_t>(at), of.end());
  return static_cast<double>(of[at]);
}

struct match {
  std::optional<recording<load::world>> out;
  std::optional<reel::queue_view> view;
  load::world state;
};

class run {
 public:
  explicit run(const asked_for& asked) : asked_(asked), matches_(asked.recorders) {
    folder_ = std::filesystem::temp_directory_path() / asked.url.league;
    std::filesystem::create_directories(folder_);
    pushed_us_ = std::vector<std::atomic<std::int64_t>>((asked.seconds + 1) * rate);
  }
  run(const run&) = delete;
  run& operator=(const run&) = delete;
  ~run() {
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
  }

  int go() {
    for (std::size_t each = 0; each < matches_.size(); ++each) {
      if (!begin(each)) return 1;
    }
    std::vector<load::child> archivers;
    for (std::size_t each = 0; each < asked_.number("archivers", 0); ++each) {
      archivers.emplace_back(std::vector<std::string>{asked_.text("tickreel"), "archive",
                                                      fleet::to_text(asked_.url), "--to", asked_.text("to"),
                                                      "--spool", (folder_ / "spool").string()});
    }
    std::vector<std::thread> delivering;
    for (std::size_t each = 0; each < threads(); ++each)
      delivering.emplace_back([this, each] { deliver(each); });
    // Hundreds of simultaneous starts are covered by the fault tests.
    (void)test::eventually([&] { return connected(); }, 120s);
    std::vector<std::vector<float>> ages(asked_.followers);
    std::vector<std::vector<float>> ways(asked_.followers);
    std::vector<std::thread> watching;
    for (std::size_t each = 0; each < asked_.followers; ++each) {
      watching.emplace_back([&, each] { watch(each, ages[each], ways[each]); });
    }
    play();
    tell_cost(archivers);
    (void)test::eventually([&] { return still_watching_ == 0; }, 60s);
    stop_ = true;
    for (std::thread& each : delivering) each.join();
    for (std::thread& each : watching) each.join();
    std::vector<float> age;
    std::vector<float> way;
    for (const auto& each : ages) age.insert(age.end(), each.begin(), each.end());
    for (const auto& each : ways) way.insert(way.end(), each.begin(), each.end());
    fmt::print(
        "ticks seen {}: recorded to seen p50 {:.0f} p99 {:.0f} most {:.0f} ms; handed over to seen p50 "
        "{:.1f} p99 {:.1f} ms\n",
        age.size(), at_percent(age, 50), at_percent(age, 99), at_percent(age, 100), at_percent(way, 50),
        at_percent(way, 99));
    const std::size_t wrong = compare_watched() + compare_streams() + compare_archive(archivers);
    return wrong == 0 ? 0 : 1;
  }

 private:
  [[nodiscard]] std::string reel_of(std::size_t each) const {
    return (folder_ / fmt::format("match{}.reel", each)).string();
  }
  [[nodiscard]] std::string watched_by(std::size_t each) const {
    return (folder_ / fmt::format("watched{}", each)).string();
  }
  [[nodiscard]] std::size_t threads() const { return asked_.number("threads", 1); }
  // Matches start at random times, within a second of one another.
  static std::size_t begins_at(std::size_t each) { return each % rate; }

  bool begin(std::size_t each) {
    fleet::publish_options how;
    how.queue.mode = threading::pumped;
    how.queue.close_wait_ms = 60'000;
    auto sink = fleet::publish_to(asked_.url, reel_of(each), how);
    if (!sink) return false;
    matches_[each].view = (*sink)->view();
    std::vector<std::unique_ptr<reel::sink>> sinks;
    sinks.push_back(std::move(*sink));
    recorder_options options{.mode = threading::pumped, .ticks_per_second = rate};
    options.seal_interval_ms = static_cast<std::uint32_t>(asked_.number("seal", 1000));
    options.seal_bytes = static_cast<std::uint32_t>(asked_.number("chunk", 4096)) << 10;
    options.sync_each_chunk = false;
    auto out = record<load::world>(reel_of(each), options, std::move(sinks));
    if (!out) return false;
    matches_[each].out.emplace(std::move(*out));
    return true;
  }

  [[nodiscard]] bool connected() const {
    return std::all_of(matches_.begin(), matches_.end(),
                       [](const match& each) { return each.view->counters().connected; });
  }

  void deliver(std::size_t first) {
    while (!stop_) {
      bool any = false;
      for (std::size_t each = first; each < matches_.size(); each += threads()) {
        any = matches_[each].view->pump() || any;
      }
      if (!any) std::this_thread::sleep_for(2ms);  // a waiting record is not visible otherwise
    }
  }

  void watch(std::size_t each, std::vector<float>& ages, std::vector<float>& ways) {
    ++still_watching_;
    const std::size_t which = each % matches_.size();
    fleet::follow_options how;
    how.from_start = true;
    how.seen = [&](const fleet::message_head& head, std::uint64_t) {
      if (head.kind != reel::record_kind::chunk || !head.sequence) return;
      const std::int64_t now = now_us();
      ways.push_back(static_cast<float>(now - head.sent_at_us) / 1000);
      for (std::uint64_t tick = head.first_tick; tick <= head.last_tick; ++tick) {
        const auto at = static_cast<std::size_t>(tick) + begins_at(which);
        if (at < pushed_us_.size()) ages.push_back(static_cast<float>(now - pushed_us_[at]) / 1000);
      }
    };
    auto url = asked_.url;
    url.match = fmt::format("match{}", which);
    auto from = fleet::follower::create(url, watched_by(each), how);
    while (from && !stop_ && !from->ended()) {
      if (!from->pump(50ms)) break;
    }
    --still_watching_;
  }

  void play() {
    cpu_before_ = load::cpu_of_this();
    broker_cpu_before_ = load::cpu_of(broker());
    const auto begin = steady::now();
    std::vector<std::thread> games;
    for (std::size_t first = 0; first < threads(); ++first) {
      games.emplace_back([&, first] {
        for (std::size_t tick = 0; tick < pushed_us_.size(); ++tick) {
          std::int64_t nobody = 0;
          pushed_us_[tick].compare_exchange_strong(nobody, now_us());
          for (std::size_t each = first; each < matches_.size(); each += threads()) {
            if (tick >= begins_at(each) && tick < begins_at(each) + asked_.seconds * rate) {
              move(matches_[each].state, tick, each);
              matches_[each].out->push(matches_[each].state);
            }
            matches_[each].out->pump();
          }
          std::this_thread::sleep_until(begin + 16'667us * (tick + 1));
        }
      });
    }
    for (std::thread& each : games) each.join();
    took_ = std::chrono::duration<double>(steady::now() - begin).count();
    for (match& each : matches_) lag_ = std::max(lag_, each.view->counters().lag_seconds);
  }

  [[nodiscard]] pid_t broker() const { return static_cast<pid_t>(asked_.number("broker", 0)); }

  void tell_cost(const std::vector<load::child>& archivers) {
    const double cpu = load::cpu_of_this() - cpu_before_;
    const double of_broker = load::cpu_of(broker()) - broker_cpu_before_;
    std::uint64_t dropped = 0;
    std::uint64_t retried = 0;
    std::uint64_t bytes = 0;
    std::size_t undelivered = 0;
    for (std::size_t each = 0; each < matches_.size(); ++each) {
      retried += matches_[each].view->counters().retried;
      const auto report = matches_[each].out->close();
      if (!report || report->counters.failed_sinks != 0) ++undelivered;
      if (report) dropped += report->counters.dropped + report->counters.lost;
      bytes += std::filesystem::file_size(reel_of(each));
    }
    const double both = took_ * static_cast<double>(matches_.size());
    fmt::print("recorders {} followers {} archivers {}: {:.1f} s for {} s; ticks {} dropped {}\n",
               matches_.size(), asked_.followers, archivers.size(), took_, asked_.seconds + 1,
               asked_.seconds * rate * matches_.size(), dropped);
    fmt::print("recorders and followers: {:.2f} of a core, {:.3f} ms a recorder and second; {} MB\n",
               cpu / took_, cpu / both * 1000, load::peak_memory(::getpid()) >> 20);
    fmt::print("broker: {:.2f} of a core, {:.3f} ms a recorder and second; {} MB\n", of_broker / took_,
               of_broker / both * 1000, load::peak_memory(broker()) >> 20);
    for (const load::child& each : archivers) {
      fmt::print("archiver, while matches last: {:.3f} of a core, {} MB\n",
                 load::cpu_of(each.process()) / took_, load::peak_memory(each.process()) >> 20);
    }
    fmt::print(
        "bytes a recorder and second {:.0f}; behind at the end {:.3f} s, retried {}, not delivered at the "
        "close {}\n",
        static_cast<double>(bytes) / both, lag_, retried, undelivered);
    fmt::print("machine's load {:.1f}\n", load::average());
    std::fflush(stdout);
  }

  std::size_t compare_watched() {
    std::size_t wrong = 0;
    for (std::size_t each = 0; each < asked_.followers; ++each) {
      if (test::read_text(watched_by(each)) != test::read_text(reel_of(each % matches_.size()))) ++wrong;
    }
    fmt::print("watched reels that differ {}\n", wrong);
    return wrong;
  }

  std::size_t compare_streams() {
    std::size_t wrong = 0;
    std::uint64_t doubles = 0;
    for (std::size_t each = 0; each < matches_.size(); ++each) {
      auto url = asked_.url;
      url.match = fmt::format("match{}", each);
      const std::string came = (folder_ / "came").string();
      {
        fleet::follow_options how;
        how.from_start = true;
        auto from = fleet::follower::create(url, came, how);
        const auto until = steady::now() + 30s;
        while (from && !from->ended() && steady::now() < until) (void)from->pump(50ms);
        if (from) doubles += from->counters().reel.doubles;
      }
      if (test::read_text(came) != test::read_text(reel_of(each))) ++wrong;
      std::filesystem::remove(came);
    }
    fmt::print("matches of the stream that differ {}; messages stored twice {}\n", wrong, doubles);
    std::fflush(stdout);
    return wrong;
  }

  // By match; a duplicate is removed, and therefore counted as missing.
  static std::map<std::string, store::index_object> archived(store::object_store& in) {
    std::map<std::string, store::index_object> out;
    std::vector<std::string> keys;
    (void)in.list("", [&](const store::object& found) {
      if (found.key.ends_with(store::index_ending)) keys.push_back(found.key);
      return true;
    });
    for (const std::string& key : keys) {
      auto index = store::fetch_index(in, key);
      if (!index || !*index) continue;
      const std::string name = (*index)->match;
      if (!out.emplace(name, std::move(**index)).second) out.erase(name);
    }
    return out;
  }

  std::size_t compare_archive(std::vector<load::child>& archivers) {
    if (archivers.empty()) return 0;
    auto in = store::open(asked_.text("to"));
    if (!in) return 1;
    std::map<std::string, store::index_object> there;
    for (const auto until = steady::now() + 600s; there.size() < matches_.size() && steady::now() < until;) {
      std::this_thread::sleep_for(1s);  // listing a store adds to the measured cost
      there = archived(**in);
    }
    std::size_t wrong = 0;
    std::size_t read = 0;
    std::uint64_t stored = 0;
    std::uint64_t recorded = 0;
    for (std::size_t each = 0; each < matches_.size(); ++each) {
      const auto own = store::hash_file(reel_of(each));
      const auto& index = there[fmt::format("match{}", each)];
      stored += index.bytes;
      recorded += index.recorded_bytes;
      if (!own || own->sha256 != index.recorded_sha256 || !index.ended || index.lost_records != 0 ||
          index.ticks != asked_.seconds * rate || index.lost_ticks != 0) {
        ++wrong;
        continue;
      }
      // Stored objects are smaller; some are read and compared completely as well.
      if (each % 20 != 0 || store::is_s3_url(asked_.text("to"))) continue;
      ++read;
      const auto same = files::has_same_content(asked_.text("to") + '/' + index.key, reel_of(each), {});
      if (!same || !*same) ++wrong;
    }
    fmt::print(
        "archived reels that differ {} of {}, {} also read tick by tick; stored {:.2f} of recorded bytes\n",
        wrong, matches_.size(), read,
        static_cast<double>(stored) / static_cast<double>(std::max<std::uint64_t>(recorded, 1)));
    for (load::child& each : archivers) {
      const double cpu = load::cpu_of(each.process());
      fmt::print("archiver, all in all: {:.1f} s of a core, {} MB\n", cpu,
                 load::peak_memory(each.process()) >> 20);
      each.end();
    }
    return wrong;
  }

  const asked_for& asked_;
  std::filesystem::path folder_;
  std::vector<match> matches_;
  std::vector<std::atomic<std::int64_t>> pushed_us_;  // by tick of the play, not of a match
  std::atomic<bool> stop_ = false;
  std::atomic<std::size_t> still_watching_ = 0;
  double took_ = 0;
  double lag_ = 0;
  double cpu_before_ = 0;
  double broker_cpu_before_ = 0;
};

}  // namespace

int main(int argc, char** argv) {
  if (argc < 5) {
    fmt::print(stderr, "usage: fleet_load NATS-URL RECORDERS FOLLOWERS SECONDS [NAME=VALUE...]\n");
    return 2;
  }
  asked_for asked;
  const auto url = fleet::read_nats_url(argv[1]);
  if (!url) {
    fmt::print(stderr, "{}\n", describe(url.error()));
    return 2;
  }
  asked.url = *url;
  asked.url.league = "load-" + std::to_string(now_us());
  asked.recorders = std::stoul(argv[2]);
  asked.followers = std::stoul(argv[3]);
  asked.seconds = std::stoul(argv[4]);
  for (int each = 5; each < argc; ++each) {
    const std::string word = argv[each];
    asked.more[word.substr(0, word.find('='))] = word.substr(word.find('=') + 1);
  }
  return run(asked).go();
}
