// Shared by the broker's parts: owners of the library's objects, and conversion of its errors.
#pragma once

#include <nats/nats.h>

#include <chrono>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "tickreel/fleet/broker.hpp"

namespace tickreel::fleet {

template <auto Destroy>
struct destroy_with {
  template <class Object>
  void operator()(Object* object) const noexcept {
    Destroy(object);
  }
};
template <class Object, auto Destroy>
using owned = std::unique_ptr<Object, destroy_with<Destroy>>;

using owned_options = owned<natsOptions, natsOptions_Destroy>;
using owned_connection = owned<natsConnection, natsConnection_Destroy>;
using owned_context = owned<jsCtx, jsCtx_Destroy>;
using owned_message = owned<natsMsg, natsMsg_Destroy>;
using owned_inbox = owned<natsInbox, natsInbox_Destroy>;

// Events of a connection, from the library's threads: missing permissions, and its end. Events after this object is
// destroyed are dropped.
class connection_events {
 public:
  connection_events();
  connection_events(const connection_events&) = delete;
  connection_events& operator=(const connection_events&) = delete;
  ~connection_events();
  // Registers with the library.
  [[nodiscard]] natsStatus listen(natsOptions* options) const;
  // Whether the connection is closed and none of its threads receives any more.
  [[nodiscard]] bool wait_for_end(std::chrono::milliseconds wait) const;
  // A missing permission that prevents all responses: to use JetStream, or to receive responses.
  [[nodiscard]] std::optional<error> of_calls() const;
  // The same, or a missing permission to publish on the subject.
  [[nodiscard]] std::optional<error> of(std::string_view subject) const;

 private:
  static void hear(natsConnection* connection, natsSubscription* subscription, natsStatus what,
                   void* closure);
  static void end(natsConnection* connection, void* closure);
  struct refused_subject {
    std::string text;
    bool whole;  // otherwise a prefix
    error why;
  };
  void note(std::string_view text);

  std::uintptr_t number_;
  // The caller holds the common lock.
  std::vector<refused_subject> subjects_;
  std::optional<error> of_calls_;
  bool has_ended_ = false;
};

// Of a connection, for as long as anything of it is in use.
struct link {
  link() = default;
  link(const link&) = delete;
  link& operator=(const link&) = delete;
  ~link();
  // Ends a subscription. nats.c before 3.6 may still use it, if a message for it arrives at that moment: it is
  // destroyed later.
  void end(natsSubscription* subscription) noexcept;
  // Destroys the ended subscriptions. The broker's response to a ping proves that the library has left them.
  void destroy_ended() noexcept;

  std::unique_ptr<connection_events> events;  // destroyed last
  owned_connection connection;
  owned_context context;
  std::chrono::milliseconds wait{5000};

 private:
  std::mutex lock_;
  std::vector<natsSubscription*> ended_;
};

struct end_subscription {
  std::shared_ptr<link> on;
  void operator()(natsSubscription* subscription) const noexcept { on->end(subscription); }
};
using owned_subscription = std::unique_ptr<natsSubscription, end_subscription>;

// The broker's error code has priority over the library's, if it sent one.
[[nodiscard]] error error_of(natsStatus status, int broker_code = 0) noexcept;
// Of a failed connection; on the thread that requested it.
[[nodiscard]] error error_of_connecting(natsStatus status, const broker_options& options, bool tls);
// The broker does not respond to a request without permission: it sends an error to the connection.
[[nodiscard]] error error_of(const link& of, natsStatus status, int broker_code = 0,
                             std::string_view subject = {});

// A subscription to a new inbox, which gets every message unmodified. The library's own JetStream calls
// consume each empty message with a status line, by any publisher. Here the broker's control messages are
// those whose subject is the inbox; a stored message keeps the subject under which it was published.
class inbox {
 public:
  [[nodiscard]] static result<std::unique_ptr<inbox>> open(const std::shared_ptr<link>& on);
  inbox(const inbox&) = delete;
  inbox& operator=(const inbox&) = delete;
  ~inbox();

  [[nodiscard]] const std::string& subject() const noexcept { return subject_; }
  [[nodiscard]] bool is_control(natsMsg* one) const noexcept;
  // Null after `wait`, and if the connection breaks.
  [[nodiscard]] owned_message next(std::chrono::milliseconds wait);

 private:
  struct arrivals;  // shared with the library's thread
  inbox() = default;

  std::shared_ptr<link> on_;
  std::string subject_;
  std::shared_ptr<arrivals> arrived_;
  owned_subscription held_;
};

// JetStream's facts about a stored message, from the subject that acknowledges it.
struct delivery_facts {
  std::uint64_t stream_sequence = 0;
  std::uint64_t consumer_sequence = 0;
  std::int64_t stored_at_ns = 0;
  std::uint64_t left = 0;
};
[[nodiscard]] std::optional<delivery_facts> read_delivery(std::string_view reply, std::string_view consumer);

struct message::state {
  owned_message held;
  delivery_facts facts;
  std::shared_ptr<link> from;
};
[[nodiscard]] message own_message(natsMsg* raw, const std::shared_ptr<link>& from,
                                  const delivery_facts& facts);

struct subscription::state {
  std::shared_ptr<link> from;
  std::unique_ptr<inbox> arriving;
  std::string stream;
  std::string consumer;
  std::uint64_t waiting_at_begin = 0;
  std::uint64_t last_consumer_sequence = 0;
  std::chrono::steady_clock::time_point heard_at;
  ~state();
  [[nodiscard]] result<void> check_consumer();
};

struct work_queue::state {
  std::shared_ptr<link> from;
  std::unique_ptr<inbox> arriving;
  std::string stream;
  std::string durable;
  // A pending request; the broker forgets it at that time.
  std::optional<std::chrono::steady_clock::time_point> asked_until;
};

struct broker::state {
  std::shared_ptr<link> to;
  std::string answers_to;  // the inbox's name
  owned_subscription answers;
  std::string awaited;         // the subject of the last published message that awaits a response
  std::set<std::string> made;  // streams that surely have their store
};
// Whether the stream can be read safely; not_found if it does not exist.
[[nodiscard]] result<bool> has_store(broker& of, broker::state& state, const std::string& stream);

[[nodiscard]] result<stored_at> read_answer(natsMsg* answer);

}  // namespace tickreel::fleet
