// Carries a reel's records to a delivery: from memory where they are there, else from the reel's file.
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

// A reel's file, by the sequence of its records. It may grow meanwhile, and may go away.
class refill {
 public:
  refill(file_path path, system_calls& calls) : path_(std::move(path)), calls_(&calls) {}

  // Opens it, so that it can be read whatever becomes of its name. wrong_state when it is another reel than
  // the one with this header; then, and when it is not there, it is not asked for again.
  result<void> open(byte_span header_bytes);
  // The record, in `bytes`. False when it is not to be had any more; an error when it may be later.
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

// How a courier waits for confirmations: a thread of its own may when nothing else can be done, and at the
// end only that is left to do.
enum class patience : std::uint8_t { none, when_full, always };

// By one thread at a time.
class courier {
 public:
  courier(record_queue& queue, delivery& to, file_path reel, const queue_options& options,
          system_calls& calls);

  // What is to be done after a pass.
  struct turn {
    bool at_once = false;    // there is more to do
    std::int64_t at_us = 0;  // else then, or when a record comes
  };
  // Connects, sends and confirms what can be; waits a moment at most.
  turn pass(patience waits);
  // It is the end: back-offs become short.
  void hurry() noexcept;
  void tell_now();

  // For a reel that is there, which has no recorder here: opens it, lists what is in it.
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
  // Whether there were any.
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
  std::int64_t progress_at_us_ = 0;  // a confirmation, or the first that is due
  std::int64_t told_at_us_ = 0;
  std::uint32_t doze_ms_ = 0;  // while confirmations are due
  std::uint64_t seed_;
  // From the first to before the second; counted.
  std::vector<std::pair<std::uint64_t, std::uint64_t>> lost_;
  std::shared_ptr<const queued_record> held_;
  byte_vector read_;
};

}  // namespace tickreel::reel
