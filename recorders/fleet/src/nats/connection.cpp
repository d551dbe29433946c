#include <algorithm>
#include <random>
#include <vector>

#include "link.hpp"

namespace tickreel::fleet {

namespace {

// Errors come back from the calls that they are about; the library would print those of its threads.
void ignore(natsConnection* /*connection*/, natsSubscription* /*subscription*/, natsStatus /*what*/,
            void* /*closure*/) {}

// What of a server's address a certificate names.
std::string host_of(std::string_view server) {
  server.remove_prefix(server.find("://") + 3);
  if (server.starts_with('[')) return std::string(server.substr(1, server.find(']') - 1));
  return std::string(server.substr(0, server.find(':')));
}

// Of the last failure of TLS, by the library's own words: a connection that broke is none of that.
bool is_about_certificates() {
  natsStatus ignored = NATS_OK;
  const char* const said = nats_GetLastError(&ignored);
  return said != nullptr && std::string_view(said).find("cert") != std::string_view::npos;
}

result<owned_connection> connect_to(const std::string& server, bool tls, const broker_options& options) {
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
  then([&] { return natsOptions_SetErrorHandler(raw, ignore, nullptr); });
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
  if (tls || !options.ca_file.empty() || !options.certificate_file.empty()) {
    const std::string host = host_of(server);
    then([&] { return natsOptions_SetSecure(raw, true); });
    then([&] { return natsOptions_SetExpectedHostname(raw, host.c_str()); });
    if (status != NATS_OK) return fail(error_of(status));
    if (!options.ca_file.empty()) {
      then([&] { return natsOptions_LoadCATrustedCertificates(raw, options.ca_file.utf8().c_str()); });
    }
    if (status != NATS_OK) return unusable("TICKREEL_NATS_CA: the file has no certificates that can be used");
    if (!options.certificate_file.empty()) {
      then([&] {
        return natsOptions_LoadCertificatesChain(raw, options.certificate_file.utf8().c_str(),
                                                 options.key_file.utf8().c_str());
      });
    }
    if (status != NATS_OK) {
      return unusable(
          "TICKREEL_NATS_CERT and TICKREEL_NATS_KEY: the certificate and the key cannot be used, or are not "
          "a "
          "pair");
    }
  }
  natsConnection* connection = nullptr;
  status = natsConnection_Connect(&connection, raw);
  if (status == NATS_OK) return owned_connection(connection);
  if (status == NATS_SSL_ERROR && !is_about_certificates()) {
    return fail(error_code::connection_lost, error::no_offset, "TLS with the broker could not be agreed on");
  }
  // Before anybody is asked.
  if (status == NATS_ERR && !options.credentials_file.empty()) {
    return unusable("TICKREEL_NATS_CREDS: the file has no credentials that can be used");
  }
  return fail(error_of(status));
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

error error_of(natsStatus status, int broker_code) noexcept {
  const auto made = [&](error_code code, const char* detail) {
    return error{code, error::no_offset, detail, {broker_code, 0}, 0};
  };
  switch (broker_code) {
    case 0:
      break;
    case JSStreamNotFoundErr:
      return made(error_code::not_found, "the broker has no such stream");
    case JSConsumerNotFoundErr:
      return made(error_code::not_found, "the broker has no such consumer");
    case JSNoMessageFoundErr:
      return made(error_code::not_found, "the broker has no such message");
    case JSNotEnabledErr:
      return made(error_code::unsupported_operation,
                  "the broker runs without JetStream: start it as nats-server -js, with room on its disk");
    case JSNotEnabledForAccountErr:
      return made(error_code::unsupported_operation,
                  "the broker has no JetStream for this user's account: enable it there");
    case JSAccountResourcesExceededErr:
    case JSInsufficientResourcesErr:
    case JSStorageResourcesExceededErr:
    case JSMemoryResourcesExceededErr:
    case JSStreamStoreFailedErr:
      return made(error_code::no_space, "the broker's stream or its disk is full");
    case JSClusterNoPeersErr:
      return made(error_code::unsupported_operation,
                  "the broker has fewer servers than replicas are wanted: ask for fewer");
    case JSStreamReplicasNotSupportedErr:
      return made(error_code::unsupported_operation,
                  "the broker is one server alone, which keeps one copy: ask for no more replicas than 1");
    default:
      return made(error_code::bad_answer, "the broker refused, with error {}");
  }
  switch (status) {
    case NATS_NO_SERVER:
      return made(error_code::connection_refused, "no broker answers there");
    case NATS_CONNECTION_AUTH_FAILED:
      return made(error_code::permission_denied,
                  "the broker wants other credentials: TICKREEL_NATS_CREDS, TICKREEL_NATS_TOKEN_FILE, or "
                  "TICKREEL_NATS_USER with TICKREEL_NATS_PASSWORD_FILE tell who logs in");
    case NATS_NOT_PERMITTED:
      return made(error_code::permission_denied, "the broker does not permit that to this user");
    case NATS_SECURE_CONNECTION_REQUIRED:
      return made(error_code::permission_denied, "the broker wants TLS: tls://");
    case NATS_SECURE_CONNECTION_WANTED:
      return made(error_code::connection_refused, "the broker has no TLS");
    case NATS_SSL_ERROR:
      return made(error_code::permission_denied,
                  "TLS: the broker's certificate is not to be trusted; TICKREEL_NATS_CA names whom to trust");
    case NATS_TIMEOUT:
      return made(error_code::timed_out, "the broker does not answer");
    case NATS_NO_RESPONDERS:
      return made(error_code::connection_lost,
                  "nobody stores there now: the stream is gone, or the broker's JetStream is off");
    case NATS_NOT_FOUND:
      return made(error_code::not_found, "the broker has no such thing");
    case NATS_MAX_PAYLOAD:
      return made(error_code::over_limit, "more than the broker takes in one message");
    case NATS_NO_MEMORY:
      return made(error_code::out_of_memory, "");
    case NATS_INVALID_ARG:
    case NATS_ADDRESS_MISSING:
    case NATS_INVALID_SUBJECT:
      return made(error_code::invalid_argument, "the broker's address or a name");
    case NATS_MISMATCH:
    case NATS_MISSED_HEARTBEAT:
    case NATS_SLOW_CONSUMER:
      return made(error_code::connection_lost, "messages of the broker were missed");
    default:
      break;
  }
  return error{error_code::connection_lost,
               error::no_offset,
               "the broker's library says {}",
               {static_cast<std::int64_t>(status), 0},
               0};
}

error error_of(const link& of, natsStatus status, int broker_code) noexcept {
  if (status == NATS_TIMEOUT && broker_code == 0) {
    const char* ignored = nullptr;
    const natsStatus told = natsConnection_GetLastError(of.connection.get(), &ignored);
    if (told == NATS_NOT_PERMITTED) return error_of(told);
  }
  return error_of(status, broker_code);
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
    auto connected = connect_to(server, url.tls, options);
    if (connected) {
      made->to->connection = std::move(*connected);
      break;
    }
    // What one of the servers says for good counts more than that another one is away.
    if (heals_by_waiting(last)) last = connected.error();
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
  made->answers.reset(answers);
  return broker(std::move(made));
}

broker::broker(std::unique_ptr<state> owned) noexcept : state_(std::move(owned)) {}
broker::broker(broker&&) noexcept = default;
broker& broker::operator=(broker&&) noexcept = default;
broker::~broker() = default;

bool broker::is_open() const noexcept {
  return natsConnection_Status(state_->to->connection.get()) == NATS_CONN_STATUS_CONNECTED;
}

std::size_t broker::most_message_bytes() const noexcept {
  const std::int64_t most = natsConnection_GetMaxPayload(state_->to->connection.get());
  return most > 0 ? static_cast<std::size_t>(most) : std::size_t{1} << 20;
}

}  // namespace tickreel::fleet
