// Errors of the library and the broker as error values.
#include <charconv>
#include <string_view>

#include "link.hpp"

namespace tickreel::fleet {

namespace {

constexpr auto nowhere = error::no_offset;

// The library's text for its last failure on this thread: "(conn.c:733): SSL handshake error: ...".
std::string_view library_text() {
  natsStatus ignored = NATS_OK;
  const char* const said = nats_GetLastError(&ignored);
  return said != nullptr ? said : "";
}

// Whether the text is the broker's: a request that it answered with -ERR.
bool are_of_the_broker() {
  char calls[512] = {};  // the innermost first
  return nats_GetLastErrorStack(calls, sizeof calls) == NATS_OK &&
         std::string_view(calls).starts_with("_sendConnect");
}

// OpenSSL's code for an invalid certificate of the broker, see verify(1ssl): the number in "SSL handshake
// error: 10:certificate has expired:depth=0:cert=/CN=...". 0 if there is none.
int certificate_fault() {
  constexpr std::string_view before = "handshake error: ";
  const std::string_view said = library_text();
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
    case 9:  // Time fixes it, or a correct clock.
      return {error_code::connection_refused, nowhere,
              "TLS: the broker's certificate is not valid yet: wait, or correct this machine's clock"};
    case 10:
      return refused(
          "TLS: the broker's certificate, or its authority's, has expired: renew it, or "
          "correct this machine's clock");
    case 2:
    case 18:
    case 19:
    case 20:
    case 21:
      return refused(
          "TLS: the signer of the broker's certificate is unknown: TICKREEL_NATS_CA names the file with "
          "the authority to trust");
    case 62:
    case 64:
      return refused(
          "TLS: the broker's certificate is for another host: use the name that it was made for, in the "
          "address");
    default:
      return refused("TLS: the broker's certificate is not trusted: OpenSSL's verify error {}");
  }
  if (library_text().find("cert") != std::string_view::npos) return error_of(NATS_SSL_ERROR);
  return {error_code::connection_lost, nowhere, "the TLS handshake with the broker failed"};
}

// Errors during login can be temporary, except for wrong credentials.
error refusal_error() {
  const std::string_view said = library_text();
  const auto says = [&](std::string_view words) { return said.find(words) != std::string_view::npos; };
  if (says("connections exceeded")) {
    return {error_code::connection_refused, nowhere, "the broker has reached its connection limit"};
  }
  if (says("imeout")) {
    return {error_code::timed_out, nowhere, "the login at the broker timed out"};
  }
  return {error_code::connection_refused, nowhere, "the broker refused the login; its log has the reason"};
}

}  // namespace

error error_of_connecting(natsStatus status, const broker_options& options, bool tls) {
  switch (status) {
    case NATS_SSL_ERROR:
      return tls_error();
    case NATS_ERR:
      if (are_of_the_broker()) return refusal_error();
      if (options.credentials_file.empty()) break;
      // Detected before the connection.
      return {error_code::invalid_argument, nowhere,
              "TICKREEL_NATS_CREDS: the file has no usable credentials"};
    case NATS_PROTOCOL_ERROR:
    case NATS_IO_ERROR:
    case NATS_CONNECTION_CLOSED:
      if (!tls) break;
      // A broker that refuses the client certificate sends no error.
      return {error_code::connection_lost, nowhere,
              "the broker closed the connection without a response: it may require another certificate "
              "(TICKREEL_NATS_CERT, TICKREEL_NATS_KEY), and its log has the reason"};
    default:
      break;
  }
  return error_of(status);
}

namespace {

// An error that the broker's response contains.
error error_of_response(int code) noexcept {
  const auto refusal = [&](error_code as, const char* detail) {
    return error{as, error::no_offset, detail, {code, 0}, 0};
  };
  switch (code) {
    case JSStreamNotFoundErr:
      return refusal(error_code::not_found, "the broker has no such stream");
    case JSConsumerNotFoundErr:
      return refusal(error_code::not_found, "the broker has no such consumer");
    case JSNoMessageFoundErr:
      return refusal(error_code::not_found, "the broker has no such message");
    case JSStreamWrongLastSequenceErr:
      return refusal(error_code::in_use, "the broker has a newer message under the subject");
    case JSNotEnabledErr:
      return refusal(error_code::unsupported_operation,
                     "the broker runs without JetStream: start it as nats-server -js, with free disk space");
    case JSNotEnabledForAccountErr:
      return refusal(error_code::unsupported_operation,
                     "the broker has no JetStream for this user's account: enable it there");
    case JSAccountResourcesExceededErr:
    case JSInsufficientResourcesErr:
    case JSStorageResourcesExceededErr:
    case JSMemoryResourcesExceededErr:
    case JSStreamStoreFailedErr:
      return refusal(error_code::no_space, "the broker's stream or its disk is full");
    case JSClusterNoPeersErr:
      return refusal(error_code::unsupported_operation,
                     "the broker has fewer servers than the requested replicas: request fewer");
    case JSStreamReplicasNotSupportedErr:
      return refusal(
          error_code::unsupported_operation,
          "the broker is a single server, which stores one copy: replicas above 1 are not possible");
    default:
      return refusal(error_code::bad_answer, "the broker refused, with error {}");
  }
}

// An error of the client library.
error error_of_library(natsStatus status) noexcept {
  const auto made = [](error_code code, const char* detail) { return error{code, error::no_offset, detail}; };
  switch (status) {
    case NATS_NO_SERVER:
      return made(error_code::connection_refused, "no broker answers at this address");
    case NATS_CONNECTION_AUTH_FAILED:
      return made(error_code::permission_denied,
                  "the broker refused the credentials: set TICKREEL_NATS_CREDS, TICKREEL_NATS_TOKEN_FILE, or "
                  "TICKREEL_NATS_USER with TICKREEL_NATS_PASSWORD_FILE");
    case NATS_NOT_PERMITTED:
      return made(error_code::permission_denied, "this user lacks a permission of the broker");
    case NATS_SECURE_CONNECTION_REQUIRED:
      return made(error_code::permission_denied, "the broker requires TLS: use tls://");
    case NATS_SECURE_CONNECTION_WANTED:
      return made(error_code::connection_refused, "the broker does not support TLS");
    case NATS_SSL_ERROR:
      return made(error_code::permission_denied,
                  "TLS: the broker's certificate is not trusted; TICKREEL_NATS_CA names a file of trusted "
                  "authorities");
    case NATS_TIMEOUT:
      return made(error_code::timed_out, "the broker does not answer");
    case NATS_NO_RESPONDERS:
      return made(error_code::connection_lost,
                  "nothing stores this subject: the stream was deleted, or the broker's JetStream is off");
    case NATS_NOT_FOUND:
      return made(error_code::not_found, "the broker does not have it");
    case NATS_MAX_PAYLOAD:
      return made(error_code::over_limit, "larger than the broker's message limit");
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
      return made(error_code::connection_lost, "the server is not a NATS broker");
    default:
      break;
  }
  // The library's own texts: static storage.
  return made(error_code::connection_lost, natsStatus_GetText(status));
}

}  // namespace

error error_of(natsStatus status, int broker_code) noexcept {
  return broker_code != 0 ? error_of_response(broker_code) : error_of_library(status);
}

error error_of(const link& of, natsStatus status, int broker_code, std::string_view subject) {
  if (status == NATS_TIMEOUT && broker_code == 0) {
    if (const auto refused = of.events->of(subject)) return *refused;
  }
  return error_of(status, broker_code);
}

}  // namespace tickreel::fleet
