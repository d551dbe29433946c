// A sink for destinations that may be slow, broken or absent for an hour. It counts its lag and delivers
// everything in the end, in order.
//
//   auto sink = reel::queued_sink::create("match.reel", std::make_unique<my_delivery>(...));
//   const reel::queue_view view = (*sink)->view();         // counters, from any thread, also after the end
//   ... give *sink to a recorder of "match.reel" ...
//
// The reel is the reference, and the queue a cache: records that do not fit into the queue, were sent before a
// connection broke, or were recorded before the sink joined are read from the reel's file by their
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

// Totals of a queue's records.
struct queue_counters {
  std::uint64_t accepted = 0;   // the sequence of the recorder's next record
  std::uint64_t sent = 0;       // successful calls of send(), including repeated records
  std::uint64_t confirmed = 0;  // all records with a lower sequence are confirmed, or lost

  // Lag: records that are not confirmed. Bytes and seconds (since the recorder wrote the oldest of them) are
  // exact while that record is in memory; otherwise they are upper bounds.
  std::uint64_t lag_records = 0;
  std::uint64_t lag_bytes = 0;
  double lag_seconds = 0;

  std::uint64_t queued_records = 0;  // in memory
  std::uint64_t queued_bytes = 0;

  std::uint64_t retried = 0;         // failures of the delivery, each followed by a new connection
  std::uint64_t overflowed = 0;      // records that left memory before they were confirmed, or did not fit
  std::uint64_t refilled = 0;        // records that were read from the reel's file
  std::uint64_t refilled_bytes = 0;  // of those
  // Records that cannot be delivered: without a file those that overflowed; with one those that are damaged
  // or missing there. Readers of the destination find their sequences missing.
  std::uint64_t lost = 0;

  bool connected = false;
  bool ended = false;               // the reel has its end, and all of it is delivered
  std::optional<error> last_error;  // not cleared by success
  // The current error: until a later record is confirmed, or a connection has nothing to send.
  std::optional<error> trouble;
};

// The destination of a queue. Called by one thread at a time, which may change. A call may wait a few
// seconds. No function throws.
class delivery {
 public:
  virtual ~delivery() = default;
  // Connects, or reconnects after any of these calls failed; `header_bytes` are the reel's header as stored
  // in the file. Returns the sequence of the first record that the destination may lack: the queue continues
  // there, also if that is before a confirmed record.
  virtual result<std::uint64_t> connect(const header& head, byte_span header_bytes) = 0;
  // Sends a whole record, byte for byte as in the reel; it need not be confirmed on return. In order from the
  // result of connect(); a sequence is skipped only if its record is lost. After a failure the record may or
  // may not have arrived.
  virtual result<void> send(const record_info& info, byte_span bytes) = 0;
  // Waits at most `wait` for confirmations, less if there are new ones. All records with a sequence below the
  // returned one are confirmed.
  virtual result<std::uint64_t> confirmed(std::chrono::milliseconds wait) = 0;
  // The reel has its end, and all of it is confirmed. Retried on failure.
  virtual result<void> end() { return {}; }
  // Called about once a second, connected or not, for status pages. A lost call has no effect on the
  // delivery.
  virtual void report(const queue_counters&) {}
};

struct queue_options {
  // Kept in memory until confirmed; beyond either limit the oldest are removed.
  std::uint32_t max_records = 4096;
  std::uint64_t max_bytes = 16u << 20;
  // Sent and not confirmed; sending continues below the limits. A single record may be larger.
  std::uint32_t max_unconfirmed_records = 256;
  std::uint64_t max_unconfirmed_bytes = 32u << 20;
  // If no confirmation arrives within this time while some are due, the connection counts as broken.
  std::uint32_t confirm_timeout_ms = 10'000;

  // Pause between two attempts to connect; doubles with each failure until a record is confirmed.
  std::uint32_t first_backoff_ms = 200;
  std::uint32_t longest_backoff_ms = 30'000;
  // The random part that is subtracted from the pause, so that many recorders do not reconnect in the same
  // moment.
  std::uint32_t jitter_percent = 50;

  // pumped: queue_view::pump() performs the work of the thread.
  threading mode = threading::own_thread;
  // How long close() waits until all is confirmed; the rest stays in the reel, for deliver_reel().
  std::uint32_t close_wait_ms = 5'000;
  // How much longer it waits for a call of the delivery that does not return; then the thread is detached,
  // and ends when the call returns.
  std::uint32_t call_wait_ms = 10'000;
};

// Access to a queue from other threads. Copies share it, and outlive the sink. Any thread.
class queue_view {
 public:
  [[nodiscard]] queue_counters counters() const;
  // threading::pumped: connects, sends and confirms without waiting for confirmations. One thread at a time;
  // a second one returns immediately. False if there is nothing to do before the next record, the next
  // confirmation, or the end of a back-off; always with own_thread.
  bool pump();

 private:
  friend class queued_sink;
  struct state;
  explicit queue_view(std::shared_ptr<state> shared) noexcept;
  std::shared_ptr<state> state_;
};

// accept_record() copies a record into memory and returns: it never waits for the delivery and never fails.
// close() reports records that are not delivered after queue_options::close_wait_ms as timed_out, which a
// recorder counts as a failed sink; nothing is lost as long as the reel's file stays. Without close() the
// destructor waits for the same time.
class queued_sink final : public sink {
 public:
  // `reel`: the file that the recorder writes, which need not exist yet; empty without a file: records that
  // overflow are then lost, and counted. `calls` reads it, and must outlive the sink.
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
  // For a reel without an end: true follows the reel until its end; false delivers the current content.
  bool wait_for_end = false;
  // Called several times a second, also while waiting; false aborts with interrupted.
  std::function<bool(const queue_counters&)> should_continue = {};
};

// The same for an existing reel, finished or abandoned: delivers the records that the destination lacks, and
// retries for as long as should_continue permits. Damaged or missing records are counted as lost. Runs on the calling
// thread. Fails with the errors of reader::open(), or interrupted; failures of the delivery are in the
// counters.
result<queue_counters> deliver_reel(const file_path& reel, delivery& to, const deliver_options& options = {});
result<queue_counters> deliver_reel(const file_path& reel, delivery& to, const deliver_options& options,
                                    system_calls& calls);

}  // namespace reel
}  // namespace tickreel
