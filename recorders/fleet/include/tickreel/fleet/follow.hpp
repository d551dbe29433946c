// Follows a live match of another machine: its growing reel, in a local file.
//
//   auto live = tickreel::follow<world>("nats://broker:4222/league/match");
//
// With this header and tickreel::fleet it works as for a file: refresh(), then next(). Credentials come
// from the environment: broker_options_from_environment().
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
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
  // From the first record in the stream; otherwise from the last keyframe.
  bool from_start = false;
  // How long a record may be missing while later ones are here. Recorders send again what was not
  // acknowledged, so it comes when they are connected again. Then the stream is read once more to its end; a
  // record that it lacks is left out, and the reel's readers report the hole.
  std::chrono::milliseconds wait_for_missing{60'000};
  assembler_options assembling;
  // Called for every message of the reel, on arrival.
  std::function<void(const message_head& head, std::uint64_t bytes)> seen = {};
};

struct follow_counters {
  assembled reel;
  std::uint64_t messages = 0;
  std::uint64_t reconnects = 0;
  std::uint64_t holes_given_up = 0;
  bool connected = false;
  std::optional<error> last_error;  // stays set when the connection works again
  bool refused = false;             // pump() failed with last_error, which retries cannot fix
};

// Writes one reel to a file that is a valid reel at every moment. One thread at a time.
class follower {
 public:
  // Fails with invalid_argument if the address names no match. pump() connects: a match that does not exist
  // yet may begin later.
  static result<follower> create(const nats_url& match, const file_path& spool,
                                 const follow_options& options = {});
  follower(follower&&) noexcept;
  follower& operator=(follower&&) noexcept;
  ~follower();

  // Receives records for at most `wait`; returns the number written as soon as there are some. Reconnects by
  // itself, with pauses; counters() has the broker's error. Fails if the spool cannot be written, or with an
  // error that retries cannot fix before a connection has worked: see `fleet::retry_policy`.
  result<std::size_t> pump(std::chrono::milliseconds wait);
  // The end record is written: no more records follow.
  [[nodiscard]] bool ended() const noexcept;
  // The spool has its header.
  [[nodiscard]] bool begun() const noexcept;
  [[nodiscard]] follow_counters counters() const;

 private:
  struct state;
  explicit follower(std::unique_ptr<state> owned) noexcept;
  std::unique_ptr<state> state_;
};

// A temporary spool with a unique name in the system's temporary folder; deleted with this object.
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

// A match as a source for follow<T>(), in a spool_file. Waits for its beginning for at most `wait`.
result<std::unique_ptr<reel::feed>> open_feed(std::string_view address, const follow_options& options = {},
                                              std::chrono::milliseconds wait = std::chrono::seconds(10));

// Registers nats:// and tls:// for follow<T>(). Idempotent.
bool add_addresses() noexcept;
inline const bool addresses_are_added = add_addresses();

}  // namespace tickreel::fleet

namespace tickreel {

// follow<T>(address) with explicit options instead of the environment's; waits for the match's beginning for
// at most `wait`, then fails with timed_out or the broker's error.
template <described T>
result<replay_of<T>> follow(std::string_view address, const fleet::follow_options& options,
                            std::chrono::milliseconds wait = std::chrono::seconds(10)) {
  auto from = fleet::open_feed(address, options, wait);
  if (!from) return fail(from.error());
  return replay_of<T>::open(std::move(*from));
}

}  // namespace tickreel
