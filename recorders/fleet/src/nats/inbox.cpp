#include <condition_variable>
#include <deque>
#include <mutex>
#include <vector>

#include "link.hpp"

#include "tickreel/text/ascii.hpp"

namespace tickreel::fleet {

namespace {

using namespace std::chrono_literals;

// The library wakes no waiter when a connection breaks.
constexpr auto connection_check_interval = 100ms;

std::vector<std::string_view> tokens_of(std::string_view subject) {
  std::vector<std::string_view> out;
  while (true) {
    const auto dot = subject.find('.');
    out.push_back(subject.substr(0, dot));
    if (dot == std::string_view::npos) return out;
    subject.remove_prefix(dot + 1);
  }
}

}  // namespace

struct inbox::arrivals {
  std::mutex lock;
  std::condition_variable changed;
  std::deque<owned_message> messages;

  static void take(natsConnection* /*connection*/, natsSubscription* /*subscription*/, natsMsg* one,
                   void* closure) {
    owned_message held(one);
    auto& self = **static_cast<std::shared_ptr<arrivals>*>(closure);
    {
      const std::lock_guard guard(self.lock);
      self.messages.push_back(std::move(held));
    }
    self.changed.notify_one();
  }
  // The library calls it after the last take().
  static void release(void* closure) { delete static_cast<std::shared_ptr<arrivals>*>(closure); }
};

result<std::unique_ptr<inbox>> inbox::open(const std::shared_ptr<link>& on) {
  on->destroy_ended();
  natsInbox* name = nullptr;
  natsStatus status = natsInbox_Create(&name);
  const owned_inbox held(name);
  if (status != NATS_OK) return fail(error_of(status));
  auto made = std::unique_ptr<inbox>(new inbox);
  made->on_ = on;
  made->subject_ = name;
  made->arrived_ = std::make_shared<arrivals>();
  auto closure = std::make_unique<std::shared_ptr<arrivals>>(made->arrived_);
  natsSubscription* raw = nullptr;
  status = natsConnection_Subscribe(&raw, on->connection.get(), name, arrivals::take, closure.get());
  if (status != NATS_OK) return fail(error_of(status));
  made->held_ = owned_subscription(raw, {on});
  status = natsSubscription_SetOnCompleteCB(raw, arrivals::release, closure.get());
  // Before that call the library may still use it.
  void* const kept = closure.release();
  if (status != NATS_OK) return fail(error_of(status));
  (void)kept;
  // The broker's flow control is the limit.
  status = natsSubscription_SetPendingLimits(raw, -1, -1);
  if (status != NATS_OK) return fail(error_of(status));
  return made;
}

inbox::~inbox() = default;

bool inbox::is_control(natsMsg* one) const noexcept {
  const char* const subject = natsMsg_GetSubject(one);
  return subject == nullptr || subject_ == subject;
}

owned_message inbox::next(std::chrono::milliseconds wait) {
  const auto until = std::chrono::steady_clock::now() + wait;
  std::unique_lock guard(arrived_->lock);
  while (arrived_->messages.empty()) {
    const auto now = std::chrono::steady_clock::now();
    if (now >= until || natsConnection_Status(on_->connection.get()) != NATS_CONN_STATUS_CONNECTED) return {};
    (void)arrived_->changed.wait_until(guard, std::min(until, now + connection_check_interval));
  }
  owned_message out = std::move(arrived_->messages.front());
  arrived_->messages.pop_front();
  return out;
}

// $JS.ACK.<stream>.<consumer>.<deliveries>.<stream sequence>.<consumer sequence>.<time>.<left>
// $JS.ACK.<domain>.<account>.<stream>.<consumer>. followed by the same and more
std::optional<delivery_facts> read_delivery(std::string_view reply, std::string_view consumer) {
  const std::vector<std::string_view> tokens = tokens_of(reply);
  if (tokens.size() < 9 || tokens[0] != "$JS" || tokens[1] != "ACK") return std::nullopt;
  const std::size_t begin = tokens.size() == 9 ? 2 : 4;
  if (tokens.size() < begin + 7 || tokens[begin + 1] != consumer) return std::nullopt;
  delivery_facts out;
  const bool sound = text::parse_number(tokens[begin + 3], out.stream_sequence) &&
                     text::parse_number(tokens[begin + 4], out.consumer_sequence) &&
                     text::parse_number(tokens[begin + 5], out.stored_at_ns) &&
                     text::parse_number(tokens[begin + 6], out.left);
  return sound ? std::optional(out) : std::nullopt;
}

}  // namespace tickreel::fleet
