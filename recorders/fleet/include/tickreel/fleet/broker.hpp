// A connection to a NATS server with JetStream. This header does not expose the NATS library.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tickreel/bytes/span.hpp"
#include "tickreel/fleet/message.hpp"
#include "tickreel/fleet/nats_url.hpp"
#include "tickreel/result.hpp"

namespace tickreel::fleet {

// Whether this build contains the NATS client; otherwise connect() fails with unsupported_operation.
[[nodiscard]] bool has_broker() noexcept;
// The same, as an error with a remedy.
[[nodiscard]] result<void> require_broker() noexcept;

// Whether a failed broker call may succeed later. Not for wrong credentials or permissions, a broker without
// JetStream, invalid arguments, or another reel under the same name.
[[nodiscard]] bool is_transient(const error& why) noexcept;
[[deprecated("is_transient")]] inline bool heals_by_waiting(const error& why) noexcept {
  return is_transient(why);
}

// Policy for clients that reconnect: an error that retries cannot fix is final until a connection has worked
// once, because the settings are probably wrong. After that it is retried, because an administrator may be
// fixing it.
class retry_policy {
 public:
  void worked() noexcept { worked_ = true; }
  [[nodiscard]] bool ends_with(const error& why) const noexcept { return !worked_ && !is_transient(why); }

 private:
  bool worked_ = false;
};

struct stream_settings {
  std::string name;
  std::vector<std::string> subjects;
  std::int64_t replicas = 1;
  std::chrono::seconds max_age{0};  // 0: unlimited
  std::int64_t max_bytes = -1;      // -1: limited by the disk
  bool refuse_when_full = true;     // otherwise the oldest are discarded
  std::int64_t max_per_subject = -1;
  std::chrono::seconds duplicates_within{120};
  bool work_queue = false;  // a message is deleted when it is acknowledged
};

struct stream_facts {
  std::uint64_t messages = 0;
  std::uint64_t bytes = 0;
  std::uint64_t first_sequence = 0;
  std::uint64_t last_sequence = 0;
  std::uint64_t deleted = 0;    // one after the last
  std::int64_t created_ns = 0;  // since 1970 UTC: differs for another stream under the same name
  // Messages are discarded automatically: after a time, or the oldest when the stream is full.
  bool expires = false;
  // The number of messages under each requested subject; subjects without messages are absent.
  std::map<std::string, std::uint64_t> subjects = {};
};

// A received message. Its views are valid as long as it exists.
class message {
 public:
  message(message&&) noexcept;
  message& operator=(message&&) noexcept;
  ~message();

  [[nodiscard]] std::string_view subject() const noexcept;
  [[nodiscard]] byte_span body() const noexcept;
  // Empty if the header is absent.
  [[nodiscard]] std::string_view field(const char* name) const noexcept;
  [[nodiscard]] result<message_head> head() const;
  // In the stream; 0 if it is not from a stream.
  [[nodiscard]] std::uint64_t stream_sequence() const noexcept;
  // The number of messages that the consumer has after this one.
  [[nodiscard]] std::uint64_t left() const noexcept;
  [[nodiscard]] std::uint64_t consumer_sequence() const noexcept;
  // When the stream stored it, in microseconds since 1970 UTC.
  [[nodiscard]] std::int64_t stored_at_us() const noexcept;

  // For consumers that require it.
  // acknowledges, and waits for the broker's response
  result<void> acknowledge();
  result<void> still_working();                             // restarts the acknowledgement timeout
  result<void> give_back(std::chrono::milliseconds delay);  // redelivers to any consumer after that time

  struct state;
  explicit message(std::unique_ptr<state> owned) noexcept;

 private:
  std::unique_ptr<state> state_;
};

// An ephemeral reader of one stream; acknowledges nothing.
class subscription {
 public:
  subscription(subscription&&) noexcept;
  subscription& operator=(subscription&&) noexcept;
  ~subscription();

  // The next message within `wait`; no value if there is none. Any failure, a missed message and a deleted
  // stream or consumer are errors: then subscribe again, after the last received message. One thread at a
  // time.
  result<std::optional<message>> next(std::chrono::milliseconds wait);
  // The number of messages at the begin; left() of a message is the number remaining.
  [[nodiscard]] std::uint64_t waiting_at_begin() const noexcept;

  struct state;
  explicit subscription(std::unique_ptr<state> owned) noexcept;

 private:
  std::unique_ptr<state> state_;
};

// A durable consumer that several clients share: each message goes to one of them.
class work_queue {
 public:
  work_queue(work_queue&&) noexcept;
  work_queue& operator=(work_queue&&) noexcept;
  ~work_queue();
  result<std::optional<message>> next(std::chrono::milliseconds wait);
  // Unacknowledged messages: delivered to a client, or waiting.
  result<std::uint64_t> given_out();

  struct state;
  explicit work_queue(std::unique_ptr<state> owned) noexcept;

 private:
  std::unique_ptr<state> state_;
};

// An acknowledgement by the broker.
struct stored_at {
  std::uint64_t stream_sequence = 0;
  bool duplicate = false;
};

// One connection. It never reconnects by itself: after any error that does not concern the call's arguments,
// create another one. Every call has the timeout of the options. One thread at a time, except for different
// subscriptions.
class broker {
 public:
  static result<broker> connect(const nats_url& url, const broker_options& options = {});
  broker(broker&&) noexcept;
  broker& operator=(broker&&) noexcept;
  ~broker();

  [[nodiscard]] bool is_open() const noexcept;
  // The largest message that it accepts, with headers.
  [[nodiscard]] std::size_t max_message_bytes() const noexcept;

  // Creates the stream; an existing one is not changed.
  result<void> ensure_stream(const stream_settings& settings);
  // Fails with not_found if the stream does not exist. `subject` may have wildcards; without one, messages
  // are not counted by subject.
  result<stream_facts> stream(const std::string& name, const std::string& subject = {});
  // The names of the streams with that prefix.
  result<std::vector<std::string>> streams(std::string_view prefix);
  result<void> delete_stream(const std::string& name);

  // Stores a message and waits for the acknowledgement. Fails with no_space if the stream or its disk is
  // full, and with in_use if the field `replaces_field` does not name the last message of the subject.
  result<stored_at> publish(const std::string& subject, byte_span body, const header_fields& fields = {});
  // The same without waiting: next_answer() returns responses, in any order, each with its `token`. If the
  // user may not publish on the subject, the broker does not respond: next_answer() then fails with
  // permission_denied, unless the token is 0, whose response is ignored.
  result<void> publish_later(const std::string& subject, byte_span body, const header_fields& fields,
                             std::uint64_t token);
  struct answer {
    std::uint64_t token = 0;
    result<stored_at> stored;
  };
  result<std::optional<answer>> next_answer(std::chrono::milliseconds wait);

  // The last message under a subject; no value if there is none or the stream does not exist.
  result<std::optional<message>> last(const std::string& stream, const std::string& subject);
  // The message with that sequence; no value if it does not exist any more.
  result<std::optional<message>> at(const std::string& stream, std::uint64_t sequence);

  struct reading {
    std::string subject;              // may have wildcards
    std::uint64_t from_sequence = 1;  // of the stream
    bool last_per_subject = false;    // with that prefix
    bool heads_only = false;          // bodies are empty
  };
  result<subscription> subscribe(const std::string& stream, const reading& what);

  // Messages that are not acknowledged within `acknowledge_within` are redelivered.
  result<work_queue> share_work(const std::string& stream, const std::string& durable,
                                std::chrono::seconds acknowledge_within, int max_open);

  struct state;
  explicit broker(std::unique_ptr<state> owned) noexcept;

 private:
  std::unique_ptr<state> state_;
};

}  // namespace tickreel::fleet
