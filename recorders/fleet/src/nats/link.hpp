// What the pieces of a broker share: the library's objects, owned, and its failures as ours.
#pragma once

#include <nats/nats.h>

#include <cstdint>
#include <memory>
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
using owned_subscription = owned<natsSubscription, natsSubscription_Destroy>;
using owned_message = owned<natsMsg, natsMsg_Destroy>;
using owned_inbox = owned<natsInbox, natsInbox_Destroy>;

// What the broker tells a connection that its user may not do: it comes by itself, on a thread of the
// library's, and no call hears of it. What may still be told when a connection is gone finds nobody.
class refusals {
 public:
  refusals();
  refusals(const refusals&) = delete;
  refusals& operator=(const refusals&) = delete;
  ~refusals();
  // Has the library tell it.
  [[nodiscard]] natsStatus listen(natsOptions* options) const;
  // What keeps calls from being answered at all: JetStream may not be asked, or answers not be read.
  [[nodiscard]] std::optional<error> of_calls() const;
  // The same, or that the subject may not be published on.
  [[nodiscard]] std::optional<error> of(std::string_view subject) const;

 private:
  static void hear(natsConnection* connection, natsSubscription* subscription, natsStatus what,
                   void* closure);
  struct refused_subject {
    std::string text;
    bool whole;  // else it begins so
    error why;
  };
  void note(std::string_view text);

  std::uintptr_t number_;
  // Under the lock of all.
  std::vector<refused_subject> subjects_;
  std::optional<error> of_calls_;
};

// Of a connection, for as long as anything of it is in use.
struct link {
  refusals refused;  // ends last
  owned_connection connection;
  owned_context context;
  std::chrono::milliseconds wait{5000};
};

// The broker's number says more than the library's, where it said one.
[[nodiscard]] error error_of(natsStatus status, int broker_code = 0) noexcept;
// Of a connection that did not come about; on the thread that asked for it.
[[nodiscard]] error error_of_connecting(natsStatus status, const broker_options& options, bool tls);
// The broker answers nothing to what a user may not ask: it tells the connection.
[[nodiscard]] error error_of(const link& of, natsStatus status, int broker_code = 0,
                             std::string_view subject = {});

struct message::state {
  owned_message held;
  std::uint64_t stream_sequence = 0;
  std::uint64_t consumer_sequence = 0;
  std::uint64_t left = 0;
  std::int64_t stored_at_us = 0;
  std::shared_ptr<link> from;
};
[[nodiscard]] message own_message(natsMsg* raw, const std::shared_ptr<link>& from);

struct subscription::state {
  std::shared_ptr<link> from;
  owned_subscription held;
  std::uint64_t waiting_at_begin = 0;
  std::uint64_t last_consumer_sequence = 0;
  ~state();
};

struct work_queue::state {
  std::shared_ptr<link> from;
  owned_subscription held;
  std::string stream;
  std::string durable;
};

struct broker::state {
  std::shared_ptr<link> to;
  std::string answers_to;  // the inbox's name
  owned_subscription answers;
  std::string awaited;         // the subject of what was published last and waits for an answer
  std::set<std::string> made;  // streams that surely have their store
};
// Whether the stream can be read without harm; not_found where there is none.
[[nodiscard]] result<bool> has_store(broker& of, broker::state& state, const std::string& stream);

[[nodiscard]] result<stored_at> read_answer(natsMsg* answer);

}  // namespace tickreel::fleet
