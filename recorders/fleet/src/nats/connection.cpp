#include <algorithm>
#include <new>
#include <random>
#include <utility>
#include <vector>

#include "link.hpp"
#include "login.hpp"

namespace tickreel::fleet {

namespace {

std::vector<std::string> listed(std::string_view servers) {
  std::vector<std::string> out;
  while (true) {
    const auto comma = servers.find(',');
    out.emplace_back(servers.substr(0, comma));
    if (comma == std::string_view::npos) break;
    servers.remove_prefix(comma + 1);
  }
  std::ranges::shuffle(out, std::minstd_rand(std::random_device{}()));
  return out;
}

}  // namespace

link::~link() {
  if (connection == nullptr) return;
  natsConnection_Close(connection.get());
  // Otherwise they leak: this is better than a crash.
  if (!events->wait_for_end(wait)) return;
  for (natsSubscription* const each : ended_) natsSubscription_Destroy(each);
}

void link::end(natsSubscription* subscription) noexcept {
  (void)natsSubscription_Unsubscribe(subscription);
  const std::lock_guard guard(lock_);
  try {
    ended_.push_back(subscription);
  } catch (const std::bad_alloc&) {
    // It leaks: this is better than a crash.
  }
}

void link::destroy_ended() noexcept {
  std::vector<natsSubscription*> all;
  {
    const std::lock_guard guard(lock_);
    all.swap(ended_);
  }
  if (all.empty()) return;
  // Without an answer they wait for the next call.
  constexpr std::int64_t ping_ms = 200;
  const bool left = natsConnection_FlushTimeout(connection.get(), ping_ms) == NATS_OK;
  for (natsSubscription* const each : all) {
    if (left) {
      natsSubscription_Destroy(each);
    } else {
      end(each);
    }
  }
}

bool has_broker() noexcept {
  return true;
}

result<broker> broker::connect(const nats_url& url, const broker_options& options) {
  if (url.servers.empty()) {
    return fail(error_code::invalid_argument, error::no_offset, "the address of a broker has no host");
  }
  auto made = std::make_unique<state>();
  made->to = std::make_shared<link>();
  made->to->wait = options.wait;
  error last{error_code::connection_refused};
  for (const std::string& server : listed(url.servers)) {
    auto connected = log_in(server, url.tls, options);
    if (connected) {
      made->to->events = std::move(connected->events);
      made->to->connection = std::move(connected->connection);
      break;
    }
    if (connected.error().code == error_code::interrupted) return fail(connected.error());
    // A final error of one server has priority over an unreachable other one.
    if (is_transient(last)) last = connected.error();
  }
  if (!made->to->connection) return fail(last);
  jsOptions with;
  jsOptions_Init(&with);
  with.Wait = options.wait.count();
  jsCtx* context = nullptr;
  natsStatus status = natsConnection_JetStream(&context, made->to->connection.get(), &with);
  if (status != NATS_OK) return fail(error_of(status));
  made->to->context.reset(context);
  natsInbox* inbox = nullptr;
  status = natsInbox_Create(&inbox);
  const owned_inbox held(inbox);
  if (status != NATS_OK) return fail(error_of(status));
  made->answers_to = inbox;
  natsSubscription* answers = nullptr;
  status =
      natsConnection_SubscribeSync(&answers, made->to->connection.get(), (made->answers_to + ".*").c_str());
  if (status != NATS_OK) return fail(error_of(status));
  made->answers = owned_subscription(answers, {made->to});
  return broker(std::move(made));
}

broker::broker(std::unique_ptr<state> owned) noexcept : state_(std::move(owned)) {}
broker::broker(broker&&) noexcept = default;
broker& broker::operator=(broker&&) noexcept = default;
broker::~broker() = default;

bool broker::is_open() const noexcept {
  return natsConnection_Status(state_->to->connection.get()) == NATS_CONN_STATUS_CONNECTED;
}

std::size_t broker::max_message_bytes() const noexcept {
  const std::int64_t most = natsConnection_GetMaxPayload(state_->to->connection.get());
  return most > 0 ? static_cast<std::size_t>(most) : std::size_t{1} << 20;
}

}  // namespace tickreel::fleet
