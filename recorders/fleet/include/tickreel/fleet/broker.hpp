// A connection to a NATS server with JetStream. The library behind it stays behind it: this header needs none
// of it.
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
#include "tickreel/io/path.hpp"
#include "tickreel/result.hpp"

namespace tickreel::fleet {

// Whether this build can talk to a broker at all; connect() answers unsupported_operation otherwise.
[[nodiscard]] bool has_broker() noexcept;
// The same; the error says what to do.
[[nodiscard]] result<void> require_broker() noexcept;

// Whether waiting may mend what a call of a broker failed with. Not other credentials or rights, a broker
// without JetStream, arguments that it cannot take, or another reel under the same name.
[[nodiscard]] bool heals_by_waiting(const error& why) noexcept;

// Of whoever connects again and again: what waiting does not mend is an end until a broker has worked for the
// first time, as then the settings are wrong. What worked once is waited for: somebody may be mending it.
class patience {
 public:
  void worked() noexcept { worked_ = true; }
  [[nodiscard]] bool ends_with(const error& why) const noexcept { return !worked_ && !heals_by_waiting(why); }

 private:
  bool worked_ = false;
};

struct stream_settings {
  std::string name;
  std::vector<std::string> subjects;
  std::int64_t replicas = 1;
  std::chrono::seconds max_age{0};  // 0: for ever
  std::int64_t max_bytes = -1;      // -1: as many as the disk takes
  bool refuse_when_full = true;     // else the oldest go
  std::int64_t max_per_subject = -1;
  std::chrono::seconds duplicates_within{120};
  bool work_queue = false;  // a message goes when it is acknowledged
};

struct stream_facts {
  std::uint64_t messages = 0;
  std::uint64_t bytes = 0;
  std::uint64_t first_sequence = 0;
  std::uint64_t last_sequence = 0;
  std::uint64_t deleted = 0;    // behind the first
  std::int64_t created_ns = 0;  // since 1970 UTC: another stream under the same name differs
  // Messages go by themselves: after a time, or the oldest when it is full.
  bool expires = false;
  // The number of messages under each subject that was asked for; a subject without messages is missing.
  std::map<std::string, std::uint64_t> subjects = {};
};

// A message that came. What it returns lives as long as it does.
class message {
 public:
  message(message&&) noexcept;
  message& operator=(message&&) noexcept;
  ~message();

  [[nodiscard]] std::string_view subject() const noexcept;
  [[nodiscard]] byte_span body() const noexcept;
  // Empty where it is missing.
  [[nodiscard]] std::string_view field(const char* name) const noexcept;
  [[nodiscard]] result<message_head> head() const;
  // Of the stream; 0 for what came from no stream.
  [[nodiscard]] std::uint64_t stream_sequence() const noexcept;
  // How many more the consumer has, as of this one.
  [[nodiscard]] std::uint64_t left() const noexcept;
  [[nodiscard]] std::uint64_t consumer_sequence() const noexcept;
  // When the stream took it, microseconds since 1970 UTC.
  [[nodiscard]] std::int64_t stored_at_us() const noexcept;

  // Of consumers that want it.
  result<void> acknowledge();                               // done, waits for the broker's word
  result<void> still_working();                             // the clock of its acknowledgement starts again
  result<void> give_back(std::chrono::milliseconds delay);  // to whoever comes, after that time

  struct state;
  explicit message(std::unique_ptr<state> owned) noexcept;

 private:
  std::unique_ptr<state> state_;
};

// One reader of a stream that is gone with it; acknowledges nothing.
class subscription {
 public:
  subscription(subscription&&) noexcept;
  subscription& operator=(subscription&&) noexcept;
  ~subscription();

  // The next message within `wait`: nothing when there is none. Any failure, a message that went missing on
  // the way, and a stream or consumer that was deleted, is an error: subscribe again then, behind the last
  // that came. One thread at a time.
  result<std::optional<message>> next(std::chrono::milliseconds wait);
  // How many messages there were when it began; left() of a message tells how many are left.
  [[nodiscard]] std::uint64_t waiting_at_begin() const noexcept;

  struct state;
  explicit subscription(std::unique_ptr<state> owned) noexcept;

 private:
  std::unique_ptr<state> state_;
};

// A durable consumer that several share: each message goes to one of them.
class work_queue {
 public:
  work_queue(work_queue&&) noexcept;
  work_queue& operator=(work_queue&&) noexcept;
  ~work_queue();
  result<std::optional<message>> next(std::chrono::milliseconds wait);
  // How much is not done: with somebody, us or others, or with nobody yet.
  result<std::uint64_t> given_out();

  struct state;
  explicit work_queue(std::unique_ptr<state> owned) noexcept;

 private:
  std::unique_ptr<state> state_;
};

// An acknowledgement of the broker.
struct stored_at {
  std::uint64_t stream_sequence = 0;
  bool duplicate = false;
};

// One connection. It never reconnects by itself: after any error that is not about the call's arguments make
// another one. Everything waits at most the options' time. One thread at a time, but for different
// subscriptions.
class broker {
 public:
  static result<broker> connect(const nats_url& url, const broker_options& options = {});
  broker(broker&&) noexcept;
  broker& operator=(broker&&) noexcept;
  ~broker();

  [[nodiscard]] bool is_open() const noexcept;
  // The largest message it takes, headers and all.
  [[nodiscard]] std::size_t most_message_bytes() const noexcept;

  // Makes the stream, or leaves the one that is there as it is.
  result<void> ensure_stream(const stream_settings& settings);
  // not_found where there is no such stream. `subject` may have wildcards; without one no messages are
  // counted by subject.
  result<stream_facts> stream(const std::string& name, const std::string& subject = {});
  // The names of the streams that begin so.
  result<std::vector<std::string>> streams(std::string_view prefix);
  result<void> delete_stream(const std::string& name);

  // Stores a message and waits for the acknowledgement. no_space where the stream or its disk is full.
  result<stored_at> publish(const std::string& subject, byte_span body, const header_fields& fields = {});
  // The same without waiting: answers come by next_answer(), in any order, each with its `token`. To what may
  // not be published there the broker answers nothing: next_answer() fails then with permission_denied,
  // unless the token is 0, of which nobody wants to know.
  result<void> publish_later(const std::string& subject, byte_span body, const header_fields& fields,
                             std::uint64_t token);
  struct answer {
    std::uint64_t token = 0;
    result<stored_at> stored;
  };
  result<std::optional<answer>> next_answer(std::chrono::milliseconds wait);

  // The last message under a subject; nothing where there is none, or no such stream.
  result<std::optional<message>> last(const std::string& stream, const std::string& subject);
  // The message of that sequence; nothing where it is gone.
  result<std::optional<message>> at(const std::string& stream, std::uint64_t sequence);

  struct reading {
    std::string subject;              // may have wildcards
    std::uint64_t from_sequence = 1;  // of the stream
    bool last_per_subject = false;    // begins with those
    bool heads_only = false;          // bodies are empty
  };
  result<subscription> subscribe(const std::string& stream, const reading& what);

  // What nobody acknowledges within `acknowledge_within` comes back.
  result<work_queue> share_work(const std::string& stream, const std::string& durable,
                                std::chrono::seconds acknowledge_within, int most_open);

  struct state;
  explicit broker(std::unique_ptr<state> owned) noexcept;

 private:
  std::unique_ptr<state> state_;
};

}  // namespace tickreel::fleet
