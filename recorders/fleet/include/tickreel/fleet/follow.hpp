// A match that is being recorded elsewhere: its reel, as it grows, in a file here.
//
//   auto live = tickreel::follow_match<world>("nats://broker:4222/league/match");
//
// is read as what follow<T>(path) gives, by live->ticks(), after live->refresh(wait).
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "tickreel/fleet/assembler.hpp"
#include "tickreel/fleet/message.hpp"
#include "tickreel/fleet/nats_url.hpp"
#include "tickreel/io/path.hpp"
#include "tickreel/result.hpp"
#include "tickreel/tickreel.hpp"

namespace tickreel::fleet {

struct follow_options {
  broker_options broker;
  // From the first record that the stream has; else from the last keyframe on.
  bool from_start = false;
  // How long a record may be missing while later ones are here. Recorders send again what was not
  // acknowledged, so it comes when they are connected again; then it is left out, and the reel's readers tell
  // the hole.
  std::chrono::milliseconds wait_for_missing{60'000};
  assembler_options assembling;
  // Of every message of the reel, as it comes.
  std::function<void(const message_head& head, std::uint64_t bytes)> seen = {};
};

struct follow_counters {
  assembled reel;
  std::uint64_t messages = 0;
  std::uint64_t reconnects = 0;
  std::uint64_t holes_given_up = 0;
  bool connected = false;
  std::optional<error> last_error;  // stays when it works again
};

// Follows one reel into a file that is a reel at every moment. One thread at a time.
class follower {
 public:
  // invalid_argument where the address names no match. Connects in pump(): a match that is not there yet may
  // come.
  static result<follower> create(const nats_url& match, const file_path& spool,
                                 const follow_options& options = {});
  follower(follower&&) noexcept;
  follower& operator=(follower&&) noexcept;
  ~follower();

  // Takes what comes within `wait`; returns how many records were written, at once when there are some.
  // Connects again by itself, with pauses. Fails only where the spool cannot be written; what the broker said
  // is in counters().
  result<std::size_t> pump(std::chrono::milliseconds wait);
  // The end record is written: nothing more comes.
  [[nodiscard]] bool ended() const noexcept;
  // The spool has its header.
  [[nodiscard]] bool begun() const noexcept;
  [[nodiscard]] follow_counters counters() const;
  [[nodiscard]] const std::string& reel() const noexcept;  // its id; empty until it is found

 private:
  struct state;
  explicit follower(std::unique_ptr<state> owned) noexcept;
  std::unique_ptr<state> state_;
};

// A spool of its own: a new name in the system's folder for temporary files; removed with it.
class spool_file {
 public:
  static result<spool_file> create();
  spool_file(spool_file&& other) noexcept;
  spool_file& operator=(spool_file&& other) noexcept;
  ~spool_file();
  [[nodiscard]] const file_path& path() const noexcept { return path_; }

 private:
  explicit spool_file(file_path path) noexcept : path_(std::move(path)) {}
  file_path path_;
};

}  // namespace tickreel::fleet

namespace tickreel {

// What follow_match() gives. One thread at a time. Moves.
template <described T>
class followed_match {
 public:
  // As replay_of. Only what refresh() brought is there.
  [[nodiscard]] replay_of<T>& ticks() noexcept { return *ticks_; }
  // Takes what comes within `wait`, less when something came; returns the number of new records.
  result<std::size_t> refresh(std::chrono::milliseconds wait) {
    const auto came = from_.pump(wait);
    if (!came) return fail(came.error());
    return ticks_->refresh();
  }
  [[nodiscard]] bool ended() const noexcept { return from_.ended(); }
  [[nodiscard]] fleet::follow_counters counters() const { return from_.counters(); }

  followed_match(fleet::spool_file spool, fleet::follower from, replay_of<T> ticks)
      : spool_(std::move(spool)), from_(std::move(from)), ticks_(std::move(ticks)) {}

 private:
  fleet::spool_file spool_;
  fleet::follower from_;
  std::optional<replay_of<T>> ticks_;
};

// Follows nats://host:4222/league/match. Waits for its beginning for at most `wait`: timed_out then, or what
// the broker said.
template <described T>
result<followed_match<T>> follow_match(std::string_view url, const fleet::follow_options& options = {},
                                       std::chrono::milliseconds wait = std::chrono::seconds(10)) {
  const auto where = fleet::read_nats_url(url);
  if (!where) return fail(where.error());
  auto spool = fleet::spool_file::create();
  if (!spool) return fail(spool.error());
  auto from = fleet::follower::create(*where, spool->path(), options);
  if (!from) return fail(from.error());
  const auto until = std::chrono::steady_clock::now() + wait;
  while (!from->begun()) {
    if (const auto came = from->pump(std::chrono::milliseconds(100)); !came) return fail(came.error());
    if (!from->begun() && std::chrono::steady_clock::now() > until) {
      const auto told = from->counters().last_error;
      return fail(told ? *told : error{error_code::timed_out});
    }
  }
  auto ticks = replay_of<T>::open(spool->path(), true);
  if (!ticks) return fail(ticks.error());
  return followed_match<T>(std::move(*spool), std::move(*from), std::move(*ticks));
}

}  // namespace tickreel
