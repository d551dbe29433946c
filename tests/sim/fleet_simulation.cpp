// Runs a script of a fleet: a recorder that publishes, a broker, a follower, and archivers that die.
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <memory>
#include <optional>

#include "broker_model.hpp"
#include "default_system_calls.hpp"
#include "fleet_checks.hpp"
#include "fleet_recorder.hpp"
#include "machines.hpp"
#include "simulation.hpp"
#include "tickreel/archive/archive.hpp"
#include "tickreel/fleet/follow.hpp"
#include "tickreel/fleet/status.hpp"
#include "tickreel/io/temporary_files.hpp"
#include "tickreel/reel/reader.hpp"
#include "turns.hpp"

namespace tickreel::sim {

namespace {

using std::chrono::milliseconds;

// Folders are real and empty; all files are simulated.
const std::string& scratch_folder() {
  static const struct folder {
    std::string path =
        (std::filesystem::temp_directory_path() / ("tickreel-sim-" + std::to_string(::getpid()))).string();
    ~folder() {
      std::error_code ignored;
      std::filesystem::remove_all(path, ignored);
    }
  } made;
  return made.path;
}

class fleet_simulation {
 public:
  explicit fleet_simulation(const script& what)
      : script_(what),
        archive_(store_disk_, store_folder() + "/"),
        recorder_(what, url_, system_, broker_, archive_) {
    set_clock(1'000'000, 1'800'000'000'000'000);
    system_.add("/sim/", recorder_.disk());
    system_.add("/watch/", follower_disk_);
    system_.add(scratch_folder(), store_disk_);
    before_ = std::exchange(default_system_calls(), &system_);
    broker_model::in_use() = &broker_;
    broker_.max_message_bytes = script_.message_bytes;
    broker_.subjects = *fleet::subjects_of({url_.league, url_.match});
    broker_.kill_archiver = [this] {
      // One of two leaves its store to the other.
      if (!are_two_) store_disk_.die();
      broker_.set_dead(broker_.now, true);
    };
    broker_.before_archiver = [this] { pass_turn(false); };
    // Where a pause does most harm, it is frequent: before an object is written, and before it gets its name.
    system_.before_open = [this](std::string_view path) {
      pass_turn(path.starts_with(store_folder()) && path.ends_with(temporary_file_ending) && turn_.chance(3));
    };
    system_.before_rename = [this](std::string_view from) {
      pass_turn(from.starts_with(store_folder()) && turn_.chance(3));
    };
    system_.is_dead = [this] { return are_two_ && broker_.is_dead(broker_.now); };
    broker_.between_calls = [this] { recorder_.work_meanwhile(); };
    broker_.announced = [this](const model_message& one) {
      if (const auto read = fleet::read_archived(one.body)) promise(read->reel, false);
    };
    broker_.acknowledged = [this](const model_message& one) {
      if (const auto read = fleet::read_work(one.body)) promise(read->reel, true);
    };
  }
  fleet_simulation(const fleet_simulation&) = delete;
  fleet_simulation& operator=(const fleet_simulation&) = delete;
  ~fleet_simulation() {
    default_system_calls() = before_;
    broker_model::in_use() = nullptr;
  }

  outcome run(bool prints_steps) {
    outcome made;
    prints_ = prints_steps;
    try {
      for (; made.at_step < script_.steps.size(); ++made.at_step) {
        const step& one = script_.steps[made.at_step];
        take(one);
        settle();
        if (prints_steps) print(one);
      }
      end();
    } catch (const violated& what) {
      made.violation = what.sentence;
    }
    for (const client each : {client::recorder, client::archiver, client::second_archiver, client::follower})
      broker_.set_dead(each, true);
    for (simulated_disk* const disk : {&recorder_.disk(), &follower_disk_, &store_disk_}) {
      disk->heal();
      disk->die();
    }
    follower_.reset();
    recorder_.abandon();
    made.states = states_;
    made.cuts = cuts_ + recorder_.cuts();
    made.calls = recorder_.disk().calls() + store_disk_.calls() + follower_disk_.calls() + broker_.calls();
    made.messages = broker_.stored();
    made.fingerprint = recorder_.disk().fingerprint() * 31 + broker_.fingerprint();
    return made;
  }

 private:
  static std::string store_folder() { return scratch_folder() + "/archive"; }

  // The recorder has sent nothing for so long that archivers forget the rest.
  bool is_forgotten() {
    const model_stream* const records = broker_.find(broker_.subjects.stream);
    if (records == nullptr || records->messages.empty()) return false;
    const std::int64_t silent_us =
        fleet::system_time_us() - records->messages.rbegin()->second->stored_ns / 1000;
    return silent_us >= std::chrono::microseconds(archive::archive_options{}.forget).count();
  }

  void promise(const std::string& reel, bool is_work) {
    // The archiver has seen silence for a day: nothing may be there.
    if (is_work && reel != recorder_.was().id) return;
    system_.without_faults([&] { archive_.promise(reel, is_work, is_forgotten(), recorder_.was().pushed); });
  }

  void take(const step& one) {
    switch (one.what) {
      case verb::clock:
        return advance_clock(one.first * 1000);
      case verb::watch:
        return watch(one.first);
      case verb::unwatch:
        follower_.reset();
        from_start_ = one.first != 0;
        return;
      case verb::archive:
        return archive(one.first);
      case verb::archivers:
        return archive_twice(one.first, static_cast<std::uint64_t>(one.second));
      case verb::broker:
        if (one.first < 0) return;
        return broker_.plan(static_cast<broker_fault>(one.first), static_cast<std::uint64_t>(one.second),
                            static_cast<std::uint64_t>(one.third));
      case verb::store:
        return plan(store_disk_, one, store_death_);
      case verb::store_heal:
        return store_disk_.heal();
      case verb::store_cut:
        return restart_store(static_cast<cut>(one.first), static_cast<std::uint64_t>(one.second));
      default:
        return recorder_.take(one);
    }
  }

  // The follower.

  void watch(std::int64_t ms) {
    broker_.now = client::follower;
    const std::int64_t until = simulated_now_us() + ms * 1000;
    if (!follower_) {
      watched_ = "/watch/" + std::to_string(++followers_) + ".reel";
      fleet::follow_options how;
      how.from_start = from_start_;
      auto made = fleet::follower::create(url_, watched_, how);
      require(made.has_value(), "no follower", made);
      follower_.emplace(std::move(*made));
    }
    while (simulated_now_us() < until && !follower_->ended()) {
      const auto done = follower_->pump(milliseconds(100));
      require(done.has_value(), "the follower failed", done);
    }
  }

  // Archivers, each with its own spool: as on another machine.

  void archive(std::int64_t ms) {
    broker_.now = client::archiver;
    (void)store_disk_.has_struck();
    check_archiver(archive(client::archiver, simulated_now_us() + ms * 1000));
  }

  // Two of them, which take turns of any length: their leases expire. The recorder works between them.
  void archive_twice(std::int64_t ms, std::uint64_t seed) {
    constexpr client both[] = {client::archiver, client::second_archiver};
    const std::int64_t until = simulated_now_us() + ms * 1000;
    (void)store_disk_.has_struck();
    turn_ = generator(seed);
    turn_left_ = 0;
    are_two_ = true;
    std::optional<result<archive::archive_report>> done[2];
    try {
      turns_.run({[&] { done[0] = archive(both[0], until); }, [&] { done[1] = archive(both[1], until); }},
                 [&](std::size_t number) { broker_.now = both[number]; });
    } catch (...) {
      are_two_ = false;
      throw;
    }
    are_two_ = false;
    // A fault of the disk may have struck either.
    if (!broker_.is_dead(both[0]) && !broker_.is_dead(both[1]))
      check_archiver(*done[0] ? *done[1] : *done[0]);
    if (store_disk_.is_dead()) return;
    for (const client each : both) broker_.set_dead(each, false);
  }

  // Before a call of an archiver to the broker, and before it opens or renames a file.
  void pass_turn(bool now) {
    if (!are_two_ || !is_archiver(broker_.now) || (turn_left_-- > 0 && !now)) return;
    constexpr std::uint64_t lengths[] = {4, 40, 600};
    turn_left_ = static_cast<std::int64_t>(turn_.below(lengths[turn_.below(std::size(lengths))]));
    const client before = broker_.now;
    if (now) turn_left_ += 600;
    if (turn_.chance(now ? 2 : 40)) {
      recorder_.take({verb::push, 3});
      recorder_.take({verb::deliver, 5});
      if (turn_.chance(2)) recorder_.take({verb::close});
      broker_.now = before;
    }
    turns_.pass();
  }

  void check_archiver(const result<archive::archive_report>& done) {
    if (prints_ && !done) std::cout << "    the archiver: " << describe(done.error()) << "\n";
    require(done || store_disk_.has_struck() || store_disk_.is_dead(), "the archiver failed", done);
  }

  result<archive::archive_report> archive(client who, std::int64_t until) {
    archive::archive_options how;
    how.spool = scratch_folder() + "/spool-" + std::to_string(++archivers_ % 2);
    how.cancelled = [this, who, until] {
      // A dead disk is a dead process.
      if (store_disk_.is_dead()) broker_.set_dead(who, true);
      return broker_.is_dead(who) || simulated_now_us() > until;
    };
    how.reported = [this](const archive::outcome& one) {
      require(one.what != archive::outcome::kind::failed || one.why->code != error_code::wrong_state ||
                  !is_forgotten(),
              "the work of a match fails after its recorder was forgotten");
      if (!prints_) return;
      constexpr const char* names[] = {"archived", "incomplete", "there", "waiting", "gone", "failed"};
      const char* const which = broker_.now == client::archiver ? "first: " : "second: ";
      std::cout << "    " << (are_two_ ? which : "") << names[static_cast<std::size_t>(one.what)]
                << (one.why ? ": " + describe(*one.why) : "") << "\n";
    };
    if (prints_) {
      how.lost_broker = [](const error& why) { std::cout << "    no broker: " << describe(why) << "\n"; };
    }
    return archive::archive_from(url_, store_folder(), how);
  }

  void restart_store(cut how, std::uint64_t seed) {
    ++cuts_;
    store_disk_.die();
    generator random(seed);
    store_disk_.restart(how, random);
    broker_.set_dead(client::archiver, false);
    broker_.set_dead(client::second_archiver, false);
  }

  // After each step.
  void settle() {
    recorder_.restart_if_dead();
    if (store_disk_.is_dead()) restart_store(store_death_, store_disk_.calls());
    check();
  }

  void check() {
    ++states_;
    system_.without_faults([&] {
      archive_.check(recorder_.world(), recorder_.was());
      if (follower_)
        check_followed(watched_, follower_->counters(), recorder_.world(), recorder_.was(), from_start_);
    });
  }

  // Everything works again: the rest is delivered, archived, and followed.
  void end() {
    if (recorder_.view()) {
      recorder_.disk().heal();
      recorder_.restart(cut::all, 0);
    }
    for (simulated_disk* const disk : {&recorder_.disk(), &store_disk_}) disk->heal();
    broker_.heal();
    if (!recorder_.has_reel()) return;
    // Verified: an index may list records that a disk has lost.
    const auto reel =
        system_.without_faults([&] { return reel::reader::open(recorder_.world().reel_path(), {}, true); });
    if (!reel) return;
    const std::string id = fleet::reel_id(reel->header_bytes(), broker_.subjects);
    const bool had_all = recorder_.has_delivered() && recorder_.was().closed && script_.keep_bytes == 0 &&
                         !broker_.has_lost_messages() && broker_.forged() == 0;
    // The recorder does not send records again that an archive has.
    const bool had_archived = archive_.index_of(id).has_value();
    bool is_delivered = had_all || recorder_.republish(600'000);
    if (prints_ && recorder_.republish_failure())
      std::cout << "  " << describe(*recorder_.republish_failure()) << "\n";
    require(
        is_delivered || recorder_.has_changed() || script_.keep_bytes != 0, "the reel is never delivered",
        recorder_.republish_failure() ? result<void>(fail(*recorder_.republish_failure())) : result<void>());
    archive(600'000);
    settle();
    if (prints_) print({verb::archive, 600'000});
    follower_.reset();
    from_start_ = true;
    watch(300'000);
    settle();
    if (!is_delivered || recorder_.dropped() != 0) return;
    // A reel that has lost records in a power cut.
    const auto& found = reel->contents();
    if (found.records.empty()) return;
    if (!found.damaged.empty() || found.missing_records != 0) {
      return require(had_archived || recorder_.lost() != 0, "lost records of the reel are not reported");
    }
    const auto index = system_.without_faults([&] { return archive_.index_of(id); });
    require(index.has_value(), "a delivered match is not archived");
    require(index->lost_records == 0,
            "the archive lacks " + std::to_string(index->lost_records) + " records of a delivered match");
    const std::uint64_t last = found.records.back().sequence + std::uint64_t{1};
    require(index->records >= last, "the archive lacks the last records of a delivered match");
    const auto followed = follower_->counters().reel;
    if (had_archived && broker_.has_lost_messages()) return;
    require(followed.lost_records == 0 && followed.records >= last,
            "a follower has " + std::to_string(followed.records) + " records of " + std::to_string(last));
  }

  void print(const step& one) {
    script only;
    only.steps = {one};
    const std::string text = to_text(only);
    std::cout << simulated_now_us() / 1000
              << " ms: " << text.substr(text.rfind('\n', text.size() - 2) + 1, std::string::npos);
    for (const simulated_disk* const disk : {&recorder_.disk(), &follower_disk_, &store_disk_}) {
      for (const std::string& name : disk->names())
        std::cout << "    " << name << " " << disk->content(name).size() << " bytes\n";
    }
    std::cout << broker_.text();
    if (const auto& view = recorder_.view()) {
      const auto now = view->counters();
      std::cout << "    queue: " << now.confirmed << " of " << now.accepted << " confirmed"
                << (now.trouble ? ", " + describe(*now.trouble) : "") << "\n";
    }
    if (follower_) {
      const auto now = follower_->counters();
      std::cout << "    follower: " << now.reel.records << " records, " << now.reel.doubles << " doubled, "
                << now.reel.refused << " refused, " << now.reel.lost_records << " lost"
                << (now.last_error ? ", " + describe(*now.last_error) : "") << "\n";
    }
  }

  const script& script_;
  simulated_disk follower_disk_;
  simulated_disk store_disk_;
  machines system_;
  system_calls* before_ = nullptr;
  broker_model broker_;
  archive_checks archive_;
  fleet::nats_url url_{.servers = "nats://sim:4222", .league = "cup", .match = "final"};
  fleet_recorder recorder_;
  std::optional<fleet::follower> follower_;
  std::string watched_;
  bool from_start_ = false;
  bool prints_ = false;
  std::uint64_t followers_ = 0;
  std::uint64_t archivers_ = 0;
  turns turns_;
  generator turn_{0};
  std::int64_t turn_left_ = 0;
  bool are_two_ = false;
  cut store_death_ = cut::all;
  std::uint64_t states_ = 0;
  std::uint64_t cuts_ = 0;
};

}  // namespace

outcome run_fleet(const script& what, bool prints_steps) {
  return std::make_unique<fleet_simulation>(what)->run(prints_steps);
}

}  // namespace tickreel::sim
