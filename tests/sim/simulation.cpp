#include "simulation.hpp"

#include <algorithm>
#include <iostream>
#include <memory>

#include "default_system_calls.hpp"
#include "durable_ranges.hpp"
#include "recorded_world.hpp"
#include "reel_checks.hpp"
#include "tickreel/reel/recover.hpp"
#include "tickreel/tracks/row_rewriter.hpp"

namespace tickreel::sim {

namespace {

// Uses the simulated disk for everything that does not get its system calls as an argument.
class disk_in_use {
 public:
  explicit disk_in_use(system_calls& disk) : before_(std::exchange(default_system_calls(), &disk)) {}
  disk_in_use(const disk_in_use&) = delete;
  disk_in_use& operator=(const disk_in_use&) = delete;
  ~disk_in_use() { default_system_calls() = before_; }

 private:
  system_calls* before_;
};

class simulation {
 public:
  explicit simulation(const script& what) : script_(what), world_(make_world(what.format)) {
    set_clock(1'000'000, 1'800'000'000'000'000);
  }

  outcome run(bool prints_steps) {
    const disk_in_use used(disk_);
    outcome made;
    try {
      for (; made.at_step < script_.steps.size(); ++made.at_step) {
        take(script_.steps[made.at_step]);
        // The process died in this step.
        if (disk_.is_dead()) restart(death_, disk_.calls());
        if (prints_steps) print(script_.steps[made.at_step]);
      }
      end();
    } catch (const violated& what) {
      made.violation = what.sentence;
    }
    disk_.heal();
    disk_.die();
    world_->end_following();
    world_->abandon();
    made.states = states_;
    made.calls = disk_.calls();
    made.cuts = cuts_;
    made.fingerprint = disk_.fingerprint();
    return made;
  }

 private:
  // Without the planned faults.
  template <class Call>
  auto untroubled(Call call) {
    disk_.pause_faults(true);
    struct resuming {
      simulated_disk& disk;
      ~resuming() { disk.pause_faults(false); }
    } const after{disk_};
    return call();
  }

  // Steps.

  void take(const step& one) {
    switch (one.what) {
      case verb::open:
        return open();
      case verb::push:
      case verb::burst:
        for (std::int64_t left = one.first; left > 0 && is_recording(); --left) {
          push();
          if (one.what == verb::push) pump();
        }
        return;
      case verb::pump:
        return pump();
      case verb::event:
        for (std::int64_t left = one.first; left > 0 && is_recording(); --left) world_->event();
        return;
      case verb::gap:
        return gap(static_cast<std::uint64_t>(one.first));
      case verb::clock:
        return advance_clock(one.first * 1000);
      case verb::wall:
        return shift_wall_clock(one.first * 1000);
      case verb::follow:
        return follow();
      case verb::fault:
        if (one.first >= 0) plan(one);
        return;
      case verb::heal:
        return disk_.heal();
      case verb::close:
        return close();
      case verb::publish:
        return publish();
      case verb::recover:
        return recover();
      case verb::copy:
        return copy();
      case verb::compact:
        return compact();
      case verb::cut:
        disk_.die();
        return restart(static_cast<cut>(one.first), static_cast<std::uint64_t>(one.second));
      default:
        return;  // of a fleet
    }
  }

  void plan(const step& one) {
    const auto kind = static_cast<fault>(one.first);
    const auto after = static_cast<std::uint64_t>(one.second);
    if (kind == fault::death) {
      death_ =
          static_cast<cut>(std::clamp<std::int64_t>(one.third, 0, std::int64_t{std::size(cut_names)} - 1));
      disk_.plan(kind, after, 1);
    } else {
      disk_.plan(kind, after, static_cast<std::uint64_t>(one.third));
    }
  }

  [[nodiscard]] bool is_recording() const { return recording_ && !disk_.is_dead(); }

  void open() {
    // What a failed attempt could not remove stays.
    if (begun_ || disk_.exists(world_->reel_path())) return;
    (void)disk_.has_struck();
    const auto opened = world_->open(script_);
    const bool struck = disk_.has_struck();
    if (disk_.is_dead()) {
      // It may or may not exist, with no tick.
      begun_ = opened.has_value();
      recording_ = begun_;
      return;
    }
    require(opened || struck, "opening failed without a reason", opened);
    if (!opened) return;
    begun_ = recording_ = exists_ = true;
    ranges_.begin(world_->counters());
  }

  void push() {
    next_tick_ += std::exchange(left_out_, 0);
    const std::int64_t time_us = static_cast<std::int64_t>(next_tick_) * script_.tick_ms * 1000;
    world_->push(next_tick_++, time_us);
    advance_clock(script_.tick_ms * std::int64_t{1000});
  }

  void pump() {
    if (!is_recording()) return;
    world_->pump();
    // A match may seal two chunks in one pass, and sync the second one in the next.
    const std::uint32_t least = script_.format == recorded_as::icrep ? 1 : 0;
    if (!disk_.is_dead()) ranges_.note(world_->counters(), std::max(script_.sync_interval_ms, least));
  }

  void gap(std::uint64_t count) {
    if (!is_recording()) return;
    // A match reports it by the numbers of its ticks.
    if (script_.format == recorded_as::icrep) {
      left_out_ += count;
      return;
    }
    world_->gap(next_tick_, count, static_cast<std::int64_t>(next_tick_) * script_.tick_ms * 1000);
    next_tick_ += count;
  }

  void follow() {
    if (!exists_ || !disk_.exists(world_->reel_path())) return;
    (void)disk_.has_struck();
    const auto seen = world_->follow();
    const bool struck = disk_.has_struck();
    if (disk_.is_dead()) return;
    if (!seen) {
      require(struck || followed_over_failure(), "the follower failed", seen);
      world_->end_following();
      last_followed_.reset();
      return;
    }
    require(seen->wrong.empty(), "the follower: " + seen->wrong);
    for (const std::uint64_t number : seen->numbers) {
      require(number < next_tick_,
              "the follower returned tick " + std::to_string(number) + ", which was not pushed");
      require(!last_followed_ || number > *last_followed_, "the follower returned tick " +
                                                               std::to_string(number) + " after " +
                                                               std::to_string(last_followed_.value_or(0)));
      last_followed_ = number;
    }
  }
  // A writer that cannot truncate a failed write leaves bytes that it replaces later.
  [[nodiscard]] bool followed_over_failure() const {
    return !recording_ || world_->counters().failed_writes != 0;
  }

  void close() {
    if (!is_recording()) return;
    (void)disk_.has_struck();
    const recorder_counters before = world_->counters();
    publishing_ = publishing_ || script_.format == recorded_as::icrep;
    const auto closed = world_->close();
    if (disk_.is_dead()) return;
    recording_ = false;
    const bool struck = disk_.has_struck();
    require(closed || struck || before.failed_writes != 0 || before.failed_syncs != 0 || next_tick_ == 0,
            "closing failed without a reason", closed);
    if (!closed) return world_->abandon();
    closed_ = true;
    check_counters(closed->counters);
    ranges_.end(closed->counters);
    world_->abandon();
    if (is_published()) return published();
    check();
  }

  void check_counters(const recorder_counters& counted) {
    require(counted.written + counted.lost == counted.pushed, "pushed ticks are neither written nor lost");
    require(counted.pushed + counted.dropped + counted.noted == next_tick_,
            "ticks are not counted: " + std::to_string(counted.pushed) + " pushed, " +
                std::to_string(counted.dropped) + " dropped, " + std::to_string(counted.noted) +
                " noted of " + std::to_string(next_tick_));
  }

  // Verbs on the file that the recorder left.

  [[nodiscard]] bool has_final() const { return world_->final_path() != world_->reel_path(); }
  [[nodiscard]] bool is_published() const { return has_final() && disk_.exists(world_->final_path()); }

  template <class Call>
  auto verb_on_file(const char* name, Call call, bool may_fail = false) {
    (void)disk_.has_struck();
    auto done = call();
    const bool struck = disk_.has_struck();
    if (!disk_.is_dead())
      require(done || struck || may_fail, std::string(name) + " failed without a reason", done);
    return done;
  }

  void publish() {
    if (recording_ || !exists_ || !has_final() || final_is_promised_) return;
    if (!disk_.exists(world_->reel_path())) return;
    const bool was_published = is_published();
    const auto expected = untroubled([&] { return world_->read(world_->reel_path()); });
    publishing_ = true;
    const bool may_fail = !expected || expected->numbers.empty() || was_published;
    const auto done = verb_on_file("publishing", [&] { return world_->publish(); }, may_fail);
    if (disk_.is_dead()) return;
    if (done && !was_published) published();
    if (done && !was_published && expected) {
      require(final_ticks_->numbers == expected->numbers, "the published file has other ticks than its reel");
    }
    check();
  }

  void published() {
    require(is_published(), "the published file does not exist");
    final_is_promised_ = true;
    publishing_ = true;
    check();
  }

  void recover() {
    if (recording_ || !exists_ || !disk_.exists(world_->reel_path())) return;
    ranges_.before_recovery(disk_.content(world_->reel_path()));
    const auto done = verb_on_file("recovery", [&] { return reel::recover_in_place(world_->reel_path()); });
    if (disk_.is_dead()) return;
    if (done) {
      closed_ = true;
      check_complete(world_->reel_path());
      const auto again =
          verb_on_file("recovery", [&] { return reel::recover_in_place(world_->reel_path()); });
      require(!again || !again->changed, "a second recovery changed the reel");
    }
    if (!disk_.is_dead()) check();
  }

  void copy() {
    if (recording_ || !exists_ || !disk_.exists(world_->reel_path())) return;
    const auto done = verb_on_file("recovery into a copy", [&] {
      return reel::recover_into(world_->reel_path(), "/sim/copy.reel", {.overwrite = true});
    });
    if (disk_.is_dead()) return;
    if (done) check_complete("/sim/copy.reel");
    check();
  }

  void compact() {
    const bool has_rows = script_.format == recorded_as::described || script_.format == recorded_as::changes;
    if (recording_ || !closed_ || !disk_.exists(world_->reel_path()) || !has_rows) return;
    // Its records become others, and its ticks do not.
    compacted_ = true;
    const auto before = untroubled([&] { return world_->read(world_->reel_path()); });
    if (before && disk_.failed_syncs() == 0) compacted_ticks_ = *before;
    (void)verb_on_file("compaction", [&] { return tracks::compact_in_place(world_->reel_path()); });
    if (!disk_.is_dead()) check();
  }

  // Deaths.

  void restart(cut how, std::uint64_t seed) {
    ++cuts_;
    disk_.die();
    world_->end_following();
    last_followed_.reset();
    world_->abandon();
    const bool was_open = begun_ && !exists_;
    recording_ = false;
    const byte_vector before = disk_.content(world_->reel_path());
    generator random(seed);
    disk_.restart(how, random);
    if (was_open) begun_ = exists_ = disk_.exists(world_->reel_path()) && !reel_is_empty();
    check();
    if (before.empty() || !disk_.exists(world_->reel_path()) || compacted_ || !exists_) return;
    ranges_.check(before, check_reel(world_->reel_path(), next_tick_, false));
  }
  // The recorder died in its first calls.
  [[nodiscard]] bool reel_is_empty() { return !reel::reader::open(world_->reel_path()); }

  // Invariants.

  void check() {
    ++states_;
    if (exists_) untroubled([&] { check_all(); });
  }
  void check_all() {
    const bool has_reel = disk_.exists(world_->reel_path());
    require(has_reel || is_published(), "neither the reel nor the published file exists");
    if (final_is_promised_) require(is_published(), "the published file is gone");
    std::optional<read_ticks> of_reel;
    if (has_reel) of_reel = check_one_reel();
    if (!is_published()) {
      // Publishing failed, and a power cut took its file. The next one may be of a reel that lost ticks, too.
      final_ticks_.reset();
      return;
    }
    require(publishing_, "a file has the published name, and nothing was published");
    const auto of_final = world_->read(world_->final_path());
    require(of_final.has_value(), "the published file cannot be read", of_final);
    check_ticks(*of_final, "the published file");
    // A power cut may have taken the reel's last ticks after they were published.
    if (of_reel) {
      require(std::includes(of_final->numbers.begin(), of_final->numbers.end(), of_reel->numbers.begin(),
                            of_reel->numbers.end()),
              "the published file lacks ticks of its reel");
    }
    if (final_ticks_) require(*final_ticks_ == *of_final, "the published file has changed");
    final_ticks_ = *of_final;
  }

  std::optional<read_ticks> check_one_reel() {
    const reel_check found = check_reel(world_->reel_path(), next_tick_, closed_ && !recording_);
    const auto read = world_->read(world_->reel_path());
    if (!read) {
      // A match cannot be opened without its first keyframe, for example.
      require(found.numbers.empty() || script_.format == recorded_as::icrep, "the reel cannot be read", read);
      return std::nullopt;
    }
    check_ticks(*read, "the reel");
    if (script_.format != recorded_as::icrep)
      require(read->numbers == found.numbers, "the format's reader returns other ticks than the reel's");
    if (compacted_ticks_) require(*read == *compacted_ticks_, "compaction changed the ticks");
    return *read;
  }

  void check_ticks(const read_ticks& all, const std::string& where) {
    require(all.wrong.empty(), where + ": " + all.wrong);
    for (std::size_t i = 0; i < all.numbers.size(); ++i) {
      require(all.numbers[i] < next_tick_,
              where + " has tick " + std::to_string(all.numbers[i]) + ", which was not pushed");
      require(i == 0 || all.numbers[i] > all.numbers[i - 1], where + " has ticks out of order");
    }
  }

  // What recovery writes.
  void check_complete(const std::string& path) {
    untroubled([&] { check_completed(path); });
  }
  void check_completed(const std::string& path) {
    const reel_check found = check_reel(path, next_tick_, true);
    require(found.is_closed, path + " was recovered and has no end");
    require(!found.is_damaged || path == world_->reel_path(), path + " was recovered and is damaged");
    const auto read = world_->read(path);
    require(read.has_value() || found.numbers.empty() || script_.format == recorded_as::icrep,
            path + " was recovered and cannot be read", read);
    if (read) check_ticks(*read, path);
    if (path == world_->reel_path()) return;
    const reel_check from = check_reel(world_->reel_path(), next_tick_, false);
    require(from.numbers == found.numbers, "the recovered copy has other ticks than its input");
    require(from.missing <= found.missing, "the recovered copy reports fewer losses than its input");
  }

  // The user returns: everything that is left is recovered and published.
  void end() {
    if (recording_) {
      disk_.die();
      restart(cut::all, 0);
    }
    disk_.heal();
    if (!exists_) return;
    if (disk_.exists(world_->reel_path())) {
      copy();
      if (has_final() && !final_is_promised_) publish();
      recover();
    }
    check();
    for (const std::string& name : disk_.names()) {
      const bool known =
          name == world_->reel_path() || name == world_->final_path() || name == "/sim/copy.reel";
      require(known || name.ends_with(".part"), "an unknown file is left: " + name);
    }
  }

  void print(const step& one) {
    script only;
    only.steps = {one};
    const std::string text = to_text(only);
    std::cout << text.substr(text.rfind('\n', text.size() - 2) + 1, std::string::npos);
    for (const std::string& name : disk_.names())
      std::cout << "    " << name << " " << disk_.content(name).size() << " bytes\n";
  }

  const script& script_;
  simulated_disk disk_;
  std::unique_ptr<recorded_world> world_;
  durable_ranges ranges_;
  std::uint64_t next_tick_ = 0;
  std::uint64_t left_out_ = 0;  // numbers before the next tick of a match
  bool begun_ = false;
  bool recording_ = false;
  bool exists_ = false;      // the recorder has said so
  bool closed_ = false;      // the reel has its end
  bool publishing_ = false;  // the published file may exist
  bool final_is_promised_ = false;
  bool compacted_ = false;
  std::optional<read_ticks> compacted_ticks_;
  std::optional<read_ticks> final_ticks_;
  std::optional<std::uint64_t> last_followed_;
  cut death_ = cut::all;  // what remains after a planned death
  std::uint64_t states_ = 0;
  std::uint64_t cuts_ = 0;
};

}  // namespace

outcome run(const script& what, bool prints_steps) {
  if (what.fleet) return run_fleet(what, prints_steps);
  return std::make_unique<simulation>(what)->run(prints_steps);
}

}  // namespace tickreel::sim
