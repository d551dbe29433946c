#include <algorithm>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <new>
#include <random>
#include <vector>

#include "link.hpp"

namespace tickreel::fleet {

namespace {

// The part of a server's address that its certificate names.
std::string host_of(std::string_view server) {
  server.remove_prefix(server.find("://") + 3);
  if (server.starts_with('[')) return std::string(server.substr(1, server.find(']') - 1));
  return std::string(server.substr(0, server.find(':')));
}

bool is_known(const std::string& host) {
  boost::asio::io_context context;
  boost::system::error_code failure;
  (void)boost::asio::ip::tcp::resolver(context).resolve(host, "", failure);
  return !failure;
}

result<owned_connection> connect_to(const std::string& server, bool tls, const broker_options& options,
                                    const connection_events& events) {
  natsOptions* raw = nullptr;
  natsStatus status = natsOptions_Create(&raw);
  const owned_options set(raw);
  const auto then = [&](auto call) {
    if (status == NATS_OK) status = call();
  };
  then([&] { return natsOptions_SetURL(raw, server.c_str()); });
  then([&] { return natsOptions_SetName(raw, options.client_name.c_str()); });
  then([&] { return natsOptions_SetTimeout(raw, options.connect.count()); });
  then([&] { return natsOptions_SetAllowReconnect(raw, false); });
  then([&] { return natsOptions_SetWriteDeadline(raw, options.wait.count()); });
  then([&] { return natsOptions_SetPingInterval(raw, std::max<std::int64_t>(options.wait.count(), 1000)); });
  then([&] { return natsOptions_SetMaxPingsOut(raw, 2); });
  then([&] { return natsOptions_SetSendAsap(raw, true); });
  then([&] { return natsOptions_SetIgnoreDiscoveredServers(raw, true); });
  then([&] { return events.listen(raw); });
  if (!options.credentials_file.empty()) {
    then([&] {
      return natsOptions_SetUserCredentialsFromFiles(raw, options.credentials_file.utf8().c_str(), nullptr);
    });
  }
  if (!options.token.empty()) then([&] { return natsOptions_SetToken(raw, options.token.c_str()); });
  if (!options.user.empty()) {
    then([&] { return natsOptions_SetUserInfo(raw, options.user.c_str(), options.password.c_str()); });
  }
  if (status != NATS_OK) return fail(error_of(status));
  const auto unusable = [](const char* detail) {
    return fail(error_code::invalid_argument, error::no_offset, detail);
  };
  const bool secure = tls || !options.ca_file.empty() || !options.certificate_file.empty();
  if (secure) {
    const std::string host = host_of(server);
    then([&] { return natsOptions_SetSecure(raw, true); });
    then([&] { return natsOptions_SetExpectedHostname(raw, host.c_str()); });
    if (status != NATS_OK) return fail(error_of(status));
    if (!options.ca_file.empty()) {
      then([&] { return natsOptions_LoadCATrustedCertificates(raw, options.ca_file.utf8().c_str()); });
    }
    if (status != NATS_OK) return unusable("TICKREEL_NATS_CA: the file has no usable certificates");
    if (!options.certificate_file.empty()) {
      then([&] {
        return natsOptions_LoadCertificatesChain(raw, options.certificate_file.utf8().c_str(),
                                                 options.key_file.utf8().c_str());
      });
    }
    if (status != NATS_OK) {
      return unusable(
          "TICKREEL_NATS_CERT and TICKREEL_NATS_KEY: the certificate and the key cannot be used, or do not "
          "match");
    }
  }
  natsConnection* connection = nullptr;
  // With a creds file, about one of 300 logins is refused although the credentials are right (nats.c 3.4.1,
  // nats-server 2.9.10): it depends on the broker's random challenge, and each login has another one.
  const int attempts = options.credentials_file.empty() ? 1 : 4;
  for (int i = 0; i < attempts && (i == 0 || status == NATS_CONNECTION_AUTH_FAILED); ++i) {
    status = natsConnection_Connect(&connection, raw);
  }
  if (status == NATS_OK) return owned_connection(connection);
  // The library returns one error for both.
  if (status == NATS_NO_SERVER && !is_known(host_of(server))) {
    return fail(error_code::name_not_resolved, error::no_offset, "of the broker");
  }
  return fail(error_of_connecting(status, options, secure));
}

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
  if (!events.wait_for_end(wait)) return;
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
    auto connected = connect_to(server, url.tls, options, made->to->events);
    if (connected) {
      made->to->connection = std::move(*connected);
      break;
    }
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
