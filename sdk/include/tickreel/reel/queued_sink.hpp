// A sink that may be slow, broken or away for an hour: it falls behind, is counted, and gets everything in
// the end, in order.
//
//   auto sink = reel::queued_sink::create("match.reel", std::make_unique<my_delivery>(...));
//   const reel::queue_view view = (*sink)->view();         // counters, from any thread, also after the end
//   ... give *sink to a recorder of "match.reel" ...
//
// The reel is the truth and the queue a short cut: what finds no room in the queue, was sent before a
// connection broke, or was recorded before the sink joined is read from the reel's file again, by its
// sequence. Neither the recorder nor the file ever waits for a delivery.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>

#include "tickreel/io/path.hpp"
#include "tickreel/record/options.hpp"
#include "tickreel/reel/format.hpp"
#include "tickreel/reel/sink.hpp"
#include "tickreel/result.hpp"

namespace tickreel {

class system_calls;

namespace reel {

// What became of a queue's records so far.
struct queue_counters {
  std::uint64_t accepted = 0;   // the sequence that the recorder's next record will have
  std::uint64_t sent = 0;       // calls of send() that succeeded, of the same record again too
  std::uint64_t confirmed = 0;  // all records with a lower sequence are confirmed, or lost

  // What is not confirmed yet. Bytes and seconds (since the recorder wrote the oldest of them) are exact
  // while that one is in memory, and else a little too much rather than too little.
  std::uint64_t behind_records = 0;
  std::uint64_t behind_bytes = 0;
  double behind_seconds = 0;

  std::uint64_t queued_records = 0;  // in memory
  std::uint64_t queued_bytes = 0;

  std::uint64_t retried = 0;         // times that the delivery failed; it was, or will be, connected again
  std::uint64_t overflowed = 0;      // records that left memory before they were confirmed, or never had room
  std::uint64_t refilled = 0;        // records that were read from the reel's file
  std::uint64_t refilled_bytes = 0;  // of those
  // Records that can't be delivered any more: without a file those that overflowed; with one those that are
  // damaged or missing there. Readers of what was delivered find their sequences missing.
  std::uint64_t lost = 0;

  bool connected = false;
  bool ended = false;               // the reel has its end, and all of it is delivered
  std::optional<error> last_error;  // stays when it works again
  // The same while it lasts: until something is confirmed behind it, or nothing is due on a connection.
  std::optional<error> trouble;
};

// Where a queue delivers to. Called by one thread at a time, which may change; a call may wait, within reason
// (seconds). None throws.
class delivery {
 public:
  virtual ~delivery() = default;
  // Connects, or connects again after any of these calls failed; `header_bytes` are the reel's header as it
  // stands in the file. Returns the sequence of the first record that the other side does not surely have:
  // the queue goes on there, also when that lies before what was confirmed earlier.
  virtual result<std::uint64_t> connect(const header& head, byte_span header_bytes) = 0;
  // Hands a whole record over, byte for byte as in the reel; it need not be confirmed when this returns. In
  // order from what connect() said; a sequence is only left out when its record is lost. A failure may leave
  // open whether the record arrived.
  virtual result<void> send(const record_info& info, byte_span bytes) = 0;
  // Waits at most `wait` for confirmations, less when there are new ones. All records with a sequence below
  // the returned one are confirmed.
  virtual result<std::uint64_t> confirmed(std::chrono::milliseconds wait) = 0;
  // The reel has its end, and all of it is confirmed. Tried again when it fails.
  virtual result<void> end() { return {}; }
  // About once a second, connected or not, for status pages. Losing it costs nothing.
  virtual void tell(const queue_counters&) {}
};

struct queue_options {
  // Kept in memory until they are confirmed; what exceeds either goes out, the oldest first.
  std::uint32_t max_records = 4096;
  std::uint64_t max_bytes = 16u << 20;
  // Sent and not confirmed; sending goes on when there are fewer. A single record may be larger.
  std::uint32_t max_unconfirmed_records = 256;
  std::uint64_t max_unconfirmed_bytes = 32u << 20;
  // Without a confirmation for so long, while some are due, the connection counts as broken.
  std::uint32_t confirm_timeout_ms = 10'000;

  // Between two attempts to connect; doubles from failure to failure until something is confirmed.
  std::uint32_t first_backoff_ms = 200;
  std::uint32_t longest_backoff_ms = 30'000;
  // So much of it, at random, is left out: many recorders shall not come back in the same moment.
  std::uint32_t jitter_percent = 50;

  // pumped: queue_view::pump() does what the thread would do.
  threading mode = threading::own_thread;
  // How long close() waits until all is confirmed; then what is missing stays in the reel, for
  // deliver_reel().
  std::uint32_t close_wait_ms = 5'000;
  // How much longer it waits for a call of the delivery that does not return; then its thread is left alone,
  // and ends when it does.
  std::uint32_t call_wait_ms = 10'000;
};

// What is seen of a queue from elsewhere. Copies share it; they outlive the sink, and may be used by any
// thread.
class queue_view {
 public:
  [[nodiscard]] queue_counters counters() const;
  // threading::pumped: connects, sends and confirms what can be without waiting for confirmations. By one
  // thread at a time; a second one returns at once. False when there is nothing to do before the next record,
  // the next confirmation, or the end of a back-off; always with own_thread.
  bool pump();

 private:
  friend class queued_sink;
  struct state;
  explicit queue_view(std::shared_ptr<state> shared) noexcept;
  std::shared_ptr<state> state_;
};

// accept_record() copies a record into memory and returns: it never waits for the delivery and never fails.
// close() says what is not delivered after queue_options::close_wait_ms by timed_out, which
// a recorder counts as a failed sink; nothing is lost by that as long as the reel's file stays. Destroyed
// without close() it waits as long for what it has.
class queued_sink final : public sink {
 public:
  // `reel`: the file that the recorder writes, there or not yet; empty where there is none, then what
  // overflows is lost, and counted. `calls` reads it, and must outlive the sink.
  static result<std::unique_ptr<queued_sink>> create(const file_path& reel, std::unique_ptr<delivery> to,
                                                     const queue_options& options = {});
  static result<std::unique_ptr<queued_sink>> create(const file_path& reel, std::unique_ptr<delivery> to,
                                                     const queue_options& options, system_calls& calls);
  ~queued_sink() override;
  queued_sink(const queued_sink&) = delete;
  queued_sink& operator=(const queued_sink&) = delete;

  [[nodiscard]] queue_view view() const;

  result<void> accept_header(byte_span bytes) override;
  result<void> accept_record(const record_info& info, byte_span bytes) override;
  result<void> close() override;
  [[nodiscard]] bool catches_up() const noexcept override { return true; }

 private:
  explicit queued_sink(std::shared_ptr<queue_view::state> shared) noexcept;
  std::shared_ptr<queue_view::state> state_;
};

struct deliver_options {
  queue_options queue = {};
  // A reel without an end: true goes on with what is appended to it until its end comes; false is content
  // with what is there.
  bool wait_for_end = false;
  // Asked several times a second, while waiting too; false gives up with interrupted.
  std::function<bool(const queue_counters&)> go_on = {};
};

// The same for a reel that is there already, finished or left behind: delivers what the other side does not
// have, retrying for as long as go_on allows. What is damaged or missing in the file is counted as lost. On
// the calling thread. Fails with what reader::open() says, or interrupted; a delivery's failure is in the
// counters.
result<queue_counters> deliver_reel(const file_path& reel, delivery& to, const deliver_options& options = {});
result<queue_counters> deliver_reel(const file_path& reel, delivery& to, const deliver_options& options,
                                    system_calls& calls);

}  // namespace reel
}  // namespace tickreel
