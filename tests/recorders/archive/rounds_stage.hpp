// The environment of a round: a broker, a proxy before it, an S3 server, and recorders and archivers as separate processes that
// can be killed.
#pragma once

#include <boost/test/unit_test.hpp>

#include "administrator.hpp"
#include "cut_proxy.hpp"
#include "delivered.hpp"
#include "fake_s3.hpp"
#include "other_self.hpp"
#include "random.hpp"

#if defined(__linux__)
#include <sys/mount.h>
#include <sys/prctl.h>
#endif

#include <fstream>

namespace tickreel::test {

// For child processes: none survives an interrupted test.
inline void die_with_parent() {
#if defined(__linux__)
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
#endif
}

// A disk that can be full: a tmpfs if mounting is permitted, otherwise an ordinary folder.
class small_disk {
 public:
  small_disk(std::string at, const char* size) : at_(std::move(at)) {
    std::filesystem::create_directory(at_);
#if defined(__linux__)
    is_mounted_ = ::mount("tmpfs", at_.c_str(), "tmpfs", 0, size) == 0;
#else
    (void)size;
#endif
  }
  small_disk(const small_disk&) = delete;
  small_disk& operator=(const small_disk&) = delete;
  ~small_disk() {
#if defined(__linux__)
    if (is_mounted_) ::umount2(at_.c_str(), MNT_DETACH);
#endif
  }
  [[nodiscard]] bool is_mounted() const { return is_mounted_; }
  [[nodiscard]] std::string operator/(const std::string& name) const { return at_ + '/' + name; }

  // Fills it to the last byte.
  void fill() const {
    std::ofstream out(at_ + "/filler", std::ios::binary);
    for (const std::string block(4096, 'x'); out << block << std::flush;) {}
  }
  void make_room() const {
    std::error_code ignored;
    std::filesystem::remove(at_ + "/filler", ignored);
  }

 private:
  std::string at_;
  bool is_mounted_ = false;
};

struct stage {
  explicit stage(std::mt19937_64& chance)
      : random(chance),
        broker_disk(folder / "broker", "size=48m"),
        recorder_disk(folder / "recorder", "size=4m"),
        server(broker_disk / ""),
        proxy(server.port()) {
    s3.set_environment();
    s3.faults = [this](const std::string& method, const std::string& target, std::uint64_t) {
      const fault now = store_fails;
      if (now == fault::none) return fault::none;
      if (now != fault::silence) return s3_chance() % 2 == 0 ? now : fault::none;
      // The part of an upload at which its archiver is killed.
      if (method != "PUT" || target.find("partNumber=") == std::string::npos) return fault::none;
      if (parts_left-- != 0) return fault::none;
      is_held = true;
      return fault::silence;
    };
  }

  void restart_broken_broker() {
    if (!server.is_broken()) return;
    ++broker_restarts;
    server.kill();
    server.start();
  }

  // A uniformly random time between these: faults occur at random moments. No condition is expected to hold by then.
  void wait(int min_ms, int max_ms) {
    const auto span = static_cast<std::uint64_t>(max_ms - min_ms + 1);
    std::this_thread::sleep_for(std::chrono::milliseconds(min_ms + static_cast<int>(random() % span)));
  }
  [[nodiscard]] std::string subject() const { return "tickreel.rounds." + match; }
  [[nodiscard]] std::string address(std::uint16_t port) const {
    return "nats://127.0.0.1:" + std::to_string(port) + "/rounds";
  }
  void start_archiver(bool detects_silence = false) {
    archiver.reset();
    archiver.emplace(
        "fleet_rounds_tests/rounds_of/run_an_archiver_process",
        std::vector<std::string>{"TICKREEL_TEST_ARCHIVER=" + address(proxy.port()),
                                 "TICKREEL_TEST_SPOOL=" + (folder / "spool"),
                                 std::string("TICKREEL_TEST_SILENCE=") + (detects_silence ? "1" : "")});
  }

  std::mt19937_64& random;
  std::string match;  // that is being recorded
  std::minstd_rand s3_chance{1};
  scratch_folder folder;
  small_disk broker_disk;
  small_disk recorder_disk;
  nats_server server;
  cut_proxy proxy;
  fake_s3 s3;
  std::atomic<fault> store_fails = fault::none;
  std::atomic<int> parts_left = 0;
  std::atomic<bool> is_held = false;
  std::uint64_t broker_restarts = 0;
  std::optional<other_self> archiver;
};

// A kind of fault. It begins while a match is recorded, and ends a moment later; faults of the store and of archivers end a
// moment after the match.
struct kind_of_fault {
  const char* name;
  void (*strike)(stage&, other_self& recorder);
  void (*repair)(stage&);
  bool until_after_the_match = false;
  bool needs_small_disks = false;
  // Removes records from the stream: a closed recorder does not notice, so the test publishes the reel again after the match, as
  // an administrator would.
  bool takes_records = false;
  // Only a time limit detects it. All others run with the long limits, so that a busy machine does not look
  // like a fault.
  bool goes_silent = false;
  // The broker may break: an administrator starts it again.
  bool may_break_broker = false;
};
// For what never happens: rounds wait for conditions.
constexpr std::chrono::seconds longest_wait{1800};
constexpr const char* rounds_stream = "TICKREEL_L_rounds";

// Plays a number of matches under the fault. Checks after each that the recorder's reel, a follower's reel and the archived one
// are equal, and that every tick is present or reported as lost.
void play_rounds(const kind_of_fault& fault, stage& on, int rounds);

}  // namespace tickreel::test
