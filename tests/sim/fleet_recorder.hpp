// The recorder of a fleet: it records, publishes, dies, and publishes again.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "broker_model.hpp"
#include "fleet_checks.hpp"
#include "machines.hpp"
#include "recorded_world.hpp"
#include "script.hpp"
#include "tickreel/fleet/nats_url.hpp"
#include "tickreel/fleet/publish.hpp"

namespace tickreel::sim {

class fleet_recorder {
 public:
  // All of them must outlive it.
  fleet_recorder(const script& what, const fleet::nats_url& url, machines& system, broker_model& broker,
                 const archive_checks& archive);

  // A step of the recorder; others do nothing.
  void take(const step& one);
  // Between the calls of others.
  void work_meanwhile();
  // Delivers the file that it left, for at most `ms`. True if all of it is delivered.
  bool republish(std::int64_t ms);
  // Starts again after a death of the process or of the power.
  void restart(cut how, std::uint64_t seed);
  void restart_if_dead();
  void abandon() { world_->abandon(); }

  [[nodiscard]] simulated_disk& disk() { return disk_; }
  [[nodiscard]] recorded_world& world() { return *world_; }
  [[nodiscard]] const recorded_reel& was() const { return was_; }
  [[nodiscard]] bool has_reel() const { return has_begun_ && disk_.exists(world_->reel_path()); }
  [[nodiscard]] const std::optional<reel::queue_view>& view() const { return view_; }
  // It has delivered everything, with the end.
  [[nodiscard]] bool has_delivered() const { return has_delivered_; }
  // The broker may have other records than the reel.
  [[nodiscard]] bool has_changed() const { return has_changed_; }
  // Of the last republish().
  [[nodiscard]] std::uint64_t dropped() const { return dropped_; }
  [[nodiscard]] std::uint64_t lost() const { return lost_; }
  [[nodiscard]] const std::optional<error>& republish_failure() const { return republish_failure_; }
  [[nodiscard]] std::uint64_t cuts() const { return cuts_; }

 private:
  [[nodiscard]] bool is_recording() const { return view_ && !disk_.is_dead(); }
  [[nodiscard]] std::int64_t time_of(std::uint64_t tick) const {
    return static_cast<std::int64_t>(tick) * script_.tick_ms * 1000;
  }
  [[nodiscard]] fleet::publish_options options() const;
  void open();
  void push();
  void deliver(std::uint64_t count);
  void close();
  void recover();
  void check_delivered();

  const script& script_;
  const fleet::nats_url& url_;
  machines& system_;
  broker_model& broker_;
  const archive_checks& archive_;
  simulated_disk disk_;
  std::unique_ptr<recorded_world> world_;
  recorded_reel was_;
  std::optional<reel::queue_view> view_;  // while it records
  bool has_begun_ = false;
  bool has_delivered_ = false;
  bool has_changed_ = false;
  std::uint64_t dropped_ = 0;
  std::uint64_t lost_ = 0;
  std::optional<error> republish_failure_;
  std::uint64_t calls_between_ = 0;
  cut death_ = cut::all;
  std::uint64_t cuts_ = 0;
};

}  // namespace tickreel::sim
