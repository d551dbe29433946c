// What the library and the broker say when something fails, as ours.
#include <charconv>
#include <string_view>

#include "link.hpp"

namespace tickreel::fleet {

namespace {

constexpr auto nowhere = error::no_offset;

// What the library says of its last failure on this thread: "(conn.c:733): SSL handshake error: ...".
std::string_view library_words() {
  natsStatus ignored = NATS_OK;
  const char* const said = nats_GetLastError(&ignored);
  return said != nullptr ? said : "";
}

// Whether those are the broker's own: it was asked, and answered -ERR.
bool are_of_the_broker() {
  char calls[512] = {};  // the innermost first
  return nats_GetLastErrorStack(calls, sizeof calls) == NATS_OK &&
         std::string_view(calls).starts_with("_sendConnect");
}

// OpenSSL's number of what is wrong with the broker's certificate, as verify(1ssl) lists them: it stands in
// "SSL handshake error: 10:certificate has expired:depth=0:cert=/CN=...". 0 where there is none.
int certificate_fault() {
  constexpr std::string_view before = "handshake error: ";
  const std::string_view said = library_words();
  const auto at = said.find(before);
  int number = 0;
  if (at == std::string_view::npos) return 0;
  const char* const digits = said.data() + at + before.size();
  const auto read = std::from_chars(digits, said.data() + said.size(), number);
  return read.ec == std::errc() && read.ptr != said.data() + said.size() && *read.ptr == ':' ? number : 0;
}

error tls_error() {
  const int fault = certificate_fault();
  const auto refused = [&](const char* detail) {
    return error{error_code::permission_denied, nowhere, detail, {fault, 0}, 0};
  };
  switch (fault) {
    case 0:
      break;
    case 9:  // Time mends it, or whoever sets the clock.
      return {
          error_code::connection_refused, nowhere,
          "TLS: the broker's certificate is not valid yet: it will be, or this machine's clock is behind"};
    case 10:
      return refused(
          "TLS: the broker's certificate, or its authority's, has expired and has to be renewed there; "
          "unless "
          "this machine's clock is ahead");
    case 2:
    case 18:
    case 19:
    case 20:
    case 21:
      return refused(
          "TLS: it is not known who signed the broker's certificate: TICKREEL_NATS_CA names the file with "
          "the "
          "authority to trust");
    case 62:
    case 64:
      return refused(
          "TLS: the broker's certificate is for another host: use the name that it was made for, in the "
          "address");
    default:
      return refused("TLS: the broker's certificate is not to be trusted: OpenSSL's 'verify' says {}");
  }
  if (library_words().find("cert") != std::string_view::npos) return error_of(NATS_SSL_ERROR);
  return {error_code::connection_lost, nowhere, "TLS with the broker could not be agreed on"};
}

// Of what the broker says to who comes in, but for other credentials, nothing is for good.
error refusal_error() {
  const std::string_view said = library_words();
  const auto says = [&](std::string_view words) { return said.find(words) != std::string_view::npos; };
  if (says("connections exceeded")) {
    return {error_code::connection_refused, nowhere, "the broker has as many connections as it takes"};
  }
  if (says("imeout")) {
    return {error_code::timed_out, nowhere, "the broker waited too long for who logs in"};
  }
  return {error_code::connection_refused, nowhere, "the broker does not let us in; its log says why"};
}

}  // namespace

error error_of_connecting(natsStatus status, const broker_options& options, bool tls) {
  switch (status) {
    case NATS_SSL_ERROR:
      return tls_error();
    case NATS_ERR:
      if (are_of_the_broker()) return refusal_error();
      if (options.credentials_file.empty()) break;
      // Before it was asked.
      return {error_code::invalid_argument, nowhere,
              "TICKREEL_NATS_CREDS: the file has no credentials that can be used"};
    case NATS_PROTOCOL_ERROR:
    case NATS_IO_ERROR:
    case NATS_CONNECTION_CLOSED:
      if (!tls) break;
      // One that does not take our certificate says nothing.
      return {error_code::connection_lost, nowhere,
              "the broker ended the connection before it answered: it may want another certificate "
              "(TICKREEL_NATS_CERT, TICKREEL_NATS_KEY), and its log says why"};
    default:
      break;
  }
  return error_of(status);
}

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
      return made(error_code::connection_refused, "no broker answers at this address");
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
    case NATS_IO_ERROR:
    case NATS_CONNECTION_CLOSED:
    case NATS_CONNECTION_DISCONNECTED:
    case NATS_INVALID_SUBSCRIPTION:
      return made(error_code::connection_lost, "the connection to the broker broke");
    case NATS_STALE_CONNECTION:
      return made(error_code::connection_lost, "the broker was silent for too long");
    case NATS_PROTOCOL_ERROR:
    case NATS_LINE_TOO_LONG:
      return made(error_code::connection_lost, "what answers there does not talk as a NATS broker does");
    default:
      break;
  }
  // The library's own words: it keeps them for ever.
  return made(error_code::connection_lost, natsStatus_GetText(status));
}

error error_of(const link& of, natsStatus status, int broker_code, std::string_view subject) {
  if (status == NATS_TIMEOUT && broker_code == 0) {
    if (const auto refused = of.refused.of(subject)) return *refused;
  }
  return error_of(status, broker_code);
}

}  // namespace tickreel::fleet
