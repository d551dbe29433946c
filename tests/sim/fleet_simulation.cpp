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
#include "machines.hpp"
#include "recorded_world.hpp"
#include "simulation.hpp"
#include "tickreel/archive/archive.hpp"
#include "tickreel/fleet/publish.hpp"
#include "tickreel/reel/recover.hpp"

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
      : script_(what), world_(make_world(what.format)), archive_(store_disk_, store_folder() + "/") {
    set_clock(1'000'000, 1'800'000'000'000'000);
    system_.add("/sim/", recorder_disk_);
    system_.add("/watch/", follower_disk_);
    system_.add(scratch_folder(), store_disk_);
    before_ = std::exchange(default_system_calls(), &system_);
    broker_model::in_use() = &broker_;
    broker_.max_message_bytes = script_.message_bytes;
    broker_.subjects = *fleet::subjects_of({url_.league, url_.match});
    broker_.kill_archiver = [this] {
      store_disk_.die();
      broker_.set_dead(client::archiver, true);
    };
    broker_.between_calls = [this] { work_meanwhile(); };
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
    for (const client each : {client::recorder, client::archiver, client::follower})
      broker_.set_dead(each, true);
    for (simulated_disk* const disk : {&recorder_disk_, &follower_disk_, &store_disk_}) {
      disk->heal();
      disk->die();
    }
    follower_.reset();
    world_->abandon();
    made.states = states_;
    made.cuts = cuts_;
    made.calls = recorder_disk_.calls() + store_disk_.calls() + follower_disk_.calls() + broker_.calls();
    made.messages = broker_.stored();
    made.fingerprint = recorder_disk_.fingerprint() * 31 + broker_.fingerprint();
    return made;
  }

 private:
  static std::string store_folder() { return scratch_folder() + "/archive"; }

  template <class Call>
  auto untroubled(Call call) {
    struct pause {
      fleet_simulation& of;
      explicit pause(fleet_simulation& simulated) : of(simulated) { set(true); }
      ~pause() { set(false); }
      void set(bool paused) const {
        for (simulated_disk* const disk : {&of.recorder_disk_, &of.follower_disk_, &of.store_disk_})
          disk->pause_faults(paused);
      }
    } const paused(*this);
    return call();
  }

  void promise(const std::string& reel, bool is_work) {
    // The archiver has seen silence for a day: nothing may be there.
    if (is_work && reel != was_.id) return;
    untroubled([&] { archive_.promise(reel, is_work, was_.pushed); });
  }

  void take(const step& one) {
    const auto count = static_cast<std::uint64_t>(std::max<std::int64_t>(one.first, 0));
    switch (one.what) {
      case verb::open:
        return open();
      case verb::push:
      case verb::burst:
        for (std::uint64_t left = count; left > 0 && is_recording(); --left) {
          push();
          if (one.what == verb::push && is_recording()) world_->pump();
        }
        return;
      case verb::pump:
        if (is_recording()) world_->pump();
        return;
      case verb::event:
        for (std::uint64_t left = count; left > 0 && is_recording(); --left) world_->event();
        return;
      case verb::gap:
        if (!is_recording()) return;
        world_->gap(was_.pushed, count, time_of(was_.pushed));
        was_.pushed += count;
        return;
      case verb::clock:
        return advance_clock(one.first * 1000);
      case verb::fault:
        return plan(recorder_disk_, one, recorder_death_);
      case verb::heal:
        return recorder_disk_.heal();
      case verb::close:
        return close();
      case verb::recover:
        return recover();
      case verb::cut:
        return restart_recorder(static_cast<cut>(one.first), static_cast<std::uint64_t>(one.second));
      case verb::deliver:
        return deliver(count);
      case verb::republish:
        return (void)republish(one.first);
      case verb::watch:
        return watch(one.first);
      case verb::unwatch:
        follower_.reset();
        from_start_ = one.first != 0;
        return;
      case verb::archive:
        return archive(one.first);
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
        return;
    }
  }

  static void plan(simulated_disk& disk, const step& one, cut& death) {
    if (one.first < 0) return;
    const auto kind = static_cast<fault>(one.first);
    const bool dies = kind == fault::death;
    if (dies)
      death =
          static_cast<cut>(std::clamp<std::int64_t>(one.third, 0, std::int64_t{std::size(cut_names)} - 1));
    disk.plan(kind, static_cast<std::uint64_t>(one.second), dies ? 1 : static_cast<std::uint64_t>(one.third));
  }

  // The recorder.

  [[nodiscard]] bool is_recording() const { return view_ && !recorder_disk_.is_dead(); }
  [[nodiscard]] std::int64_t time_of(std::uint64_t tick) const {
    return static_cast<std::int64_t>(tick) * script_.tick_ms * 1000;
  }

  fleet::publish_options options() const {
    fleet::publish_options how;
    how.host = "sim";
    how.keep_bytes = script_.keep_bytes == 0 ? -1 : std::int64_t{script_.keep_bytes};
    how.drop_oldest = script_.keep_bytes != 0;
    how.queue.mode = threading::pumped;
    how.queue.jitter_percent = 0;
    how.queue.max_records = std::max(script_.queue_records, 1u);
    return how;
  }

  void open() {
    if (has_begun_ || recorder_disk_.exists(world_->reel_path())) return;
    broker_.now = client::recorder;
    auto sink = fleet::publish_to(url_, world_->reel_path(), options());
    require(sink.has_value(), "no sink", sink);
    const reel::queue_view view = (*sink)->view();
    world_->sinks.clear();
    world_->sinks.push_back(std::move(*sink));
    const auto opened = world_->open(script_);
    if (!opened) return;
    view_ = view;
    has_begun_ = true;
    const byte_vector bytes = recorder_disk_.content(world_->reel_path());
    if (const auto read = reel::reader::from_memory(bytes))
      was_.id = fleet::reel_id(read->header_bytes(), broker_.subjects);
  }

  void push() {
    world_->push(was_.pushed, time_of(was_.pushed));
    ++was_.pushed;
    advance_clock(script_.tick_ms * std::int64_t{1000});
  }

  void deliver(std::uint64_t count) {
    broker_.now = client::recorder;
    for (; count > 0 && is_recording(); --count) {
      if (!view_->pump()) advance_clock(20'000);
    }
  }

  // Between the calls of others.
  void work_meanwhile() {
    if (script_.interleave == 0 || !is_recording() || ++calls_between_ % script_.interleave != 0) return;
    push();
    world_->pump();
    (void)view_->pump();
  }

  void close() {
    if (!is_recording()) return;
    broker_.now = client::recorder;
    const auto closed = world_->close();
    if (recorder_disk_.is_dead()) return;
    has_delivered_ = view_->counters().ended;
    view_.reset();
    if (has_delivered_) check_delivered();
    if (closed) {
      require(closed->counters.pushed + closed->counters.dropped + closed->counters.noted == was_.pushed,
              "ticks are not counted");
      was_.closed = closed->counters.failed_writes == 0 && closed->counters.failed_syncs == 0;
    }
    world_->abandon();
  }

  void recover() {
    if (view_ || !recorder_disk_.exists(world_->reel_path())) return;
    has_changed_ = has_changed_ || !was_.closed;
    (void)reel::recover_in_place(world_->reel_path());
  }

  void restart_recorder(cut how, std::uint64_t seed) {
    ++cuts_;
    recorder_disk_.die();
    broker_.set_dead(client::recorder, true);
    broker_.now = client::recorder;
    world_->abandon();
    view_.reset();
    generator random(seed);
    recorder_disk_.restart(how, random);
    broker_.set_dead(client::recorder, false);
    // What was delivered and is not on the disk any more.
    has_changed_ = has_changed_ || (how != cut::all && !was_.closed);
  }

  // True if all of it is delivered.
  bool republish(std::int64_t ms) {
    if (view_ || !recorder_disk_.exists(world_->reel_path())) return false;
    broker_.now = client::recorder;
    const std::int64_t until = simulated_now_us() + ms * 1000;
    const auto done = fleet::publish_reel(url_, world_->reel_path(), options(), [&](const auto&) {
      return !recorder_disk_.is_dead() && simulated_now_us() < until;
    });
    republish_failure_ = done ? std::nullopt : std::optional<error>(done.error());
    if (done && done->counters.trouble) republish_failure_ = done->counters.trouble;
    if (done) dropped_ = done->dropped;
    if (done) check_delivered();
    return done.has_value();
  }

  // Now, whatever others do to the stream later.
  void check_delivered() {
    if (script_.message_bytes < 1u << 20 || script_.keep_bytes != 0) return;
    untroubled([&] {
      auto reel = reel::reader::open(world_->reel_path());
      if (!reel || archive_.index_of(was_.id)) return;
      byte_vector bytes;
      for (std::size_t i = 0; i < reel->contents().records.size(); ++i) {
        require(!reel->read_stored(i, bytes) || broker_.has(bytes),
                "the stream lacks a record that was reported as delivered");
      }
    });
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
    const std::int64_t until = simulated_now_us() + ms * 1000;
    archive::archive_options how;
    how.spool = scratch_folder() + "/spool-" + std::to_string(++archivers_ % 2);
    how.cancelled = [&] {
      // A dead disk is a dead process.
      if (store_disk_.is_dead()) broker_.set_dead(client::archiver, true);
      return store_disk_.is_dead() || simulated_now_us() > until;
    };
    if (prints_) {
      how.reported = [](const archive::outcome& one) {
        constexpr const char* names[] = {"archived", "incomplete", "there", "waiting", "gone", "failed"};
        std::cout << "    " << names[static_cast<std::size_t>(one.what)]
                  << (one.why ? ": " + describe(*one.why) : "") << "\n";
      };
      how.lost_broker = [](const error& why) { std::cout << "    no broker: " << describe(why) << "\n"; };
    }
    (void)store_disk_.has_struck();
    const auto done = archive::archive_from(url_, store_folder(), how);
    if (prints_ && !done) std::cout << "    the archiver: " << describe(done.error()) << "\n";
    require(done || store_disk_.has_struck() || store_disk_.is_dead(), "the archiver failed", done);
  }

  void restart_store(cut how, std::uint64_t seed) {
    ++cuts_;
    store_disk_.die();
    generator random(seed);
    store_disk_.restart(how, random);
    broker_.set_dead(client::archiver, false);
  }

  // After each step.
  void settle() {
    if (recorder_disk_.is_dead()) restart_recorder(recorder_death_, recorder_disk_.calls());
    if (store_disk_.is_dead()) restart_store(store_death_, store_disk_.calls());
    check();
  }

  void check() {
    ++states_;
    untroubled([&] {
      archive_.check(*world_, was_);
      if (follower_) check_followed(watched_, follower_->counters(), *world_, was_, from_start_);
    });
  }

  // Everything works again: the rest is delivered, archived, and followed.
  void end() {
    if (view_) {
      recorder_disk_.heal();
      restart_recorder(cut::all, 0);
    }
    for (simulated_disk* const disk : {&recorder_disk_, &store_disk_}) disk->heal();
    broker_.heal();
    if (!has_begun_ || !recorder_disk_.exists(world_->reel_path())) return;
    const auto reel = untroubled([&] { return reel::reader::open(world_->reel_path()); });
    if (!reel) return;
    const std::string id = fleet::reel_id(reel->header_bytes(), broker_.subjects);
    const bool had_all = has_delivered_ && was_.closed && script_.keep_bytes == 0 &&
                         !broker_.has_lost_messages() && broker_.forged() == 0;
    // The recorder does not send records again that an archive has.
    const bool had_archived = archive_.index_of(id).has_value();
    bool is_delivered = had_all || republish(600'000);
    if (prints_ && republish_failure_) std::cout << "  " << describe(*republish_failure_) << "\n";
    require(is_delivered || has_changed_ || script_.keep_bytes != 0, "the reel is never delivered",
            republish_failure_ ? result<void>(fail(*republish_failure_)) : result<void>());
    archive(600'000);
    settle();
    if (prints_) print({verb::archive, 600'000});
    follower_.reset();
    from_start_ = true;
    watch(300'000);
    settle();
    if (!is_delivered || dropped_ != 0 || (script_.keep_bytes != 0 && had_archived)) return;
    // A reel that has lost records in a power cut.
    const auto& found = reel->contents();
    if (found.records.empty() || !found.damaged.empty() || found.missing_records != 0) return;
    const auto index = untroubled([&] { return archive_.index_of(id); });
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
    for (const simulated_disk* const disk : {&recorder_disk_, &follower_disk_, &store_disk_}) {
      for (const std::string& name : disk->names())
        std::cout << "    " << name << " " << disk->content(name).size() << " bytes\n";
    }
    std::cout << broker_.text();
    if (view_) {
      const auto now = view_->counters();
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
  simulated_disk recorder_disk_;
  simulated_disk follower_disk_;
  simulated_disk store_disk_;
  machines system_;
  system_calls* before_ = nullptr;
  broker_model broker_;
  std::unique_ptr<recorded_world> world_;
  archive_checks archive_;
  fleet::nats_url url_{.servers = "nats://sim:4222", .league = "cup", .match = "final"};
  recorded_reel was_;
  std::optional<reel::queue_view> view_;  // while it is recorded
  std::optional<fleet::follower> follower_;
  std::string watched_;
  bool from_start_ = false;
  bool has_begun_ = false;
  bool has_delivered_ = false;  // the recorder, with the end
  bool has_changed_ = false;    // the broker may have other records than the reel
  std::uint64_t dropped_ = 0;
  std::optional<error> republish_failure_;
  bool prints_ = false;
  std::uint64_t followers_ = 0;
  std::uint64_t archivers_ = 0;
  std::uint64_t calls_between_ = 0;
  cut recorder_death_ = cut::all;
  cut store_death_ = cut::all;
  std::uint64_t states_ = 0;
  std::uint64_t cuts_ = 0;
};

}  // namespace

outcome run_fleet(const script& what, bool prints_steps) {
  return std::make_unique<fleet_simulation>(what)->run(prints_steps);
}

}  // namespace tickreel::sim
