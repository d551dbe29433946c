// Delivers a reel's records: from memory if possible, otherwise from the reel's file.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "record_queue.hpp"
#include "tickreel/reel/reader.hpp"

namespace tickreel {
class system_calls;
}

namespace tickreel::reel {

constexpr std::int64_t us_per_ms = 1000;

// Reads records of a reel's file by their sequence. The file may grow meanwhile, and may be removed.
class refill {
 public:
  refill(file_path path, system_calls& calls) : path_(std::move(path)), calls_(&calls) {}

  // Opens the file; later removal of its name has no effect. wrong_state if the file is another reel than the
  // one with this header. After that, or if there is no file, open() does not try again.
  result<void> open(byte_span header_bytes);
  // Reads the record into `bytes`. False if it is permanently unavailable; an error if it may be available
  // later.
  result<bool> read(std::uint64_t sequence, record_info& info, byte_vector& bytes);
  // Null before open() succeeded.
  [[nodiscard]] reader* opened() noexcept { return reader_ ? &*reader_ : nullptr; }
  [[nodiscard]] bool is_gone() const noexcept { return gone_ || path_.empty(); }

 private:
  [[nodiscard]] std::optional<std::size_t> place_from(std::uint64_t sequence) const noexcept;

  file_path path_;
  system_calls* calls_;
  std::optional<reader> reader_;
  bool gone_ = false;
};

// How long a pass waits for confirmations: none; only when the window is full; or always, at the end, when
// nothing else remains.
enum class wait_policy : std::uint8_t { none, when_full, always };

// One thread at a time.
class record_publisher {
 public:
  record_publisher(record_queue& queue, delivery& to, file_path reel, const queue_options& options,
                   system_calls& calls);

  // What to do after a pass.
  struct turn {
    bool at_once = false;    // more work is available now
    std::int64_t at_us = 0;  // otherwise at this time, or when a record arrives
  };
  // Connects, sends and confirms as far as possible; waits briefly at most.
  turn pass(wait_policy waits);
  // The recording has ended: back-offs become short.
  void hurry() noexcept;
  void report_now();

  // For an existing reel without a recorder here: opens it and lists its content.
  result<void> open_reel();
  result<void> look_for_more();
  [[nodiscard]] bool has_connected() const noexcept { return has_connected_; }

 private:
  struct sent_record {
    std::uint64_t sequence = 0;
    std::uint64_t bytes = 0;
  };
  enum class step : std::uint8_t { sent, all_sent, window_full, stopped };

  bool take_header();
  void open_file();
  result<void> connect();
  step send_next();
  result<bool> fetch(record_info& info, byte_span& bytes);
  // Returns whether there were any.
  result<bool> take_confirmations(std::chrono::milliseconds wait);
  void settle();
  void note_lost(std::uint64_t sequence);
  void fail_over(const error& why);
  void note_error(const error& why);
  [[nodiscard]] std::int64_t backoff_us();
  [[nodiscard]] std::uint32_t random() noexcept;

  record_queue& queue_;
  delivery& to_;
  refill file_;
  const queue_options options_;
  byte_vector header_bytes_;
  header head_;

  bool connected_ = false;
  bool has_connected_ = false;
  bool hurries_ = false;
  bool ended_ = false;
  std::uint64_t cursor_ = 0;  // the next to send
  std::deque<sent_record> unconfirmed_;
  std::uint64_t unconfirmed_bytes_ = 0;
  std::uint32_t failures_ = 0;
  std::int64_t retry_at_us_ = 0;     // to connect
  std::int64_t refill_at_us_ = 0;    // to read the file, where that failed
  std::int64_t progress_at_us_ = 0;  // the last confirmation, or the time since which one is due
  std::int64_t reported_at_us_ = 0;
  std::uint32_t doze_ms_ = 0;  // while confirmations are due
  std::uint64_t seed_;
  // From the first to before the second; counted.
  std::vector<std::pair<std::uint64_t, std::uint64_t>> lost_;
  std::shared_ptr<const queued_record> held_;
  byte_vector read_;
};

}  // namespace tickreel::reel
