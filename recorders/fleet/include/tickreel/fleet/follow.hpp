// A match that is being recorded elsewhere: its reel, as it grows, in a file here.
//
//   auto live = tickreel::follow<world>("nats://broker:4222/league/match");
//
// With this header and tickreel::fleet that is what it is for a file: refresh(), then next(). Who logs in
// says the environment: broker_options_from_environment().
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
  // acknowledged, so it comes when they are connected again. Then the stream is read once more to its end; a
  // record that it lacks is left out, and the reel's readers report the hole.
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
  bool refused = false;             // pump() failed with last_error, which waiting does not mend
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
  // Connects again by itself, with pauses; what the broker said is in counters(). Fails where the spool
  // cannot be written, and with what waiting does not mend as long as no broker has worked: see patience.
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

// A match as what follow<T>() reads, in a spool_file. Waits for its beginning for at most `wait`.
result<std::unique_ptr<reel::feed>> open_feed(std::string_view address, const follow_options& options = {},
                                              std::chrono::milliseconds wait = std::chrono::seconds(10));

// Tells follow<T>() of nats:// and tls://; once is enough.
bool add_addresses() noexcept;
inline const bool addresses_are_added = add_addresses();

}  // namespace tickreel::fleet

namespace tickreel {

// follow<T>(address) with options of one's own instead of what the environment says; waits for the match's
// beginning for at most `wait`: timed_out then, or what the broker said.
template <described T>
result<replay_of<T>> follow(std::string_view address, const fleet::follow_options& options,
                            std::chrono::milliseconds wait = std::chrono::seconds(10)) {
  auto from = fleet::open_feed(address, options, wait);
  if (!from) return fail(from.error());
  return replay_of<T>::open(std::move(*from));
}

}  // namespace tickreel
