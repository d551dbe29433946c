#include "login.hpp"

#include <algorithm>
#include <atomic>
#include <boost/asio/buffer.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/read_until.hpp>
#include <condition_variable>
#include <cstdint>
#include <exception>
#include <functional>
#include <limits>
#include <map>
#include <mutex>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

namespace tickreel::fleet {

namespace {

namespace asio = boost::asio;
using asio::ip::tcp;
using std::chrono::milliseconds;
using login_clock = std::chrono::steady_clock;

constexpr milliseconds cancel_poll_interval{20};

// nats.c before 3.8 has a fault: after the timeout of a login whose INFO line has arrived, it reads in a busy loop that
// allocates memory. A connection of those versions gets the longest timeout, and waits for the server without processor time.
constexpr std::uint32_t first_version_with_login_timeout = 0x030800;

std::int64_t library_timeout_ms(const broker_options& options) {
  if (nats_GetVersionNumber() >= first_version_with_login_timeout) return options.connect.count();
  return std::numeric_limits<std::int32_t>::max();
}

// The part of a server's address that its certificate names.
std::string host_of(std::string_view server) {
  server.remove_prefix(server.find("://") + 3);
  if (server.starts_with('[')) return std::string(server.substr(1, server.find(']') - 1));
  return std::string(server.substr(0, server.find(':')));
}

std::string port_of(std::string_view server) {
  server.remove_prefix(server.find("://") + 3);
  const auto bracket = server.find(']');
  const auto colon = server.find(':', bracket == std::string_view::npos ? 0 : bracket);
  return colon == std::string_view::npos ? "4222" : std::string(server.substr(colon + 1));
}

bool is_secure(bool tls, const broker_options& options) {
  return tls || !options.ca_file.empty() || !options.certificate_file.empty();
}

using addresses = std::vector<tcp::endpoint>;

result<addresses> resolve(const std::string& server) {
  asio::io_context context;
  boost::system::error_code failure;
  const auto found = tcp::resolver(context).resolve(host_of(server), port_of(server), failure);
  addresses out;
  for (const auto& each : found) {
    if (std::ranges::find(out, each.endpoint()) == out.end()) out.push_back(each.endpoint());
  }
  if (failure || out.empty()) return fail(error_code::name_not_resolved, error::no_offset, "of the broker");
  return out;
}

// "nats://10.0.0.1:4222": the library would divide its own timeout among the addresses of a host.
std::string server_at(const std::string& server, const tcp::endpoint& address) {
  std::string host = address.address().to_string();
  if (address.address().is_v6()) host = '[' + host + ']';
  return server.substr(0, server.find("://") + 3) + host + ':' + std::to_string(address.port());
}

// Abandoned logins, by address. They end when their server ends the connection.
struct abandoned {
  std::size_t count = 0;
  login_clock::time_point newest = {};
};
struct abandoned_logins {
  std::mutex lock;
  std::map<tcp::endpoint, abandoned> by_address;
};

abandoned_logins& all_abandoned() {
  static abandoned_logins* const made = new abandoned_logins;  // the threads may outlive static objects
  return *made;
}

// Enough for a server that accepts a login again after it has ignored some; each holds a thread and a connection.
constexpr std::size_t max_abandoned = 16;
// Above it, one login per pause: a server that lost its power does not end its connections, but may work again.
constexpr std::chrono::minutes pause_at_limit{1};
constexpr std::size_t max_abandoned_with_pauses = 256;

abandoned abandoned_at(const tcp::endpoint& address) {
  abandoned_logins& all = all_abandoned();
  const std::lock_guard guard(all.lock);
  const auto found = all.by_address.find(address);
  return found == all.by_address.end() ? abandoned{} : found->second;
}

void change_abandoned(const tcp::endpoint& address, bool more) {
  abandoned_logins& all = all_abandoned();
  const std::lock_guard guard(all.lock);
  abandoned& known = all.by_address[address];
  if (more) {
    ++known.count;
    known.newest = login_clock::now();
  } else if (--known.count == 0) {
    all.by_address.erase(address);
  }
}

// A call on a thread of its own. If the caller abandons it, the thread drops the value when the call ends.
template <class Value>
class timed_call {
 public:
  // `count_abandoned_call` gets true when the call is abandoned, and then false when it ends.
  template <class Work>
  static result<std::shared_ptr<timed_call>> start(Work work,
                                                   std::function<void(bool)> count_abandoned_call = {}) {
    auto made = std::make_shared<timed_call>();
    made->count_abandoned_call_ = std::move(count_abandoned_call);
    try {
      std::thread([made, work = std::move(work)]() mutable {
        try {
          made->finish(work(*made));
        } catch (const std::exception&) {
          made->finish(fail(error_code::out_of_memory, error::no_offset, "connecting"));
        }
      }).detach();
    } catch (const std::system_error&) {
      return fail(error_code::out_of_memory, error::no_offset, "starting a thread");
    }
    return made;
  }

  // Fails with timed_out or interrupted without the value.
  result<Value> wait(login_clock::time_point end, const broker_options& options) {
    std::unique_lock guard(lock_);
    while (!value_) {
      const auto now = login_clock::now();
      const bool stops = options.cancelled && options.cancelled();
      if (!stops && now < end) {
        changed_.wait_until(guard, std::min(end, now + cancel_poll_interval));
        continue;
      }
      is_abandoned_ = true;
      if (count_abandoned_call_) count_abandoned_call_(true);
      if (stops) return fail(error_code::interrupted);
      return fail(error_of(NATS_TIMEOUT));
    }
    return std::move(*value_);
  }
  [[nodiscard]] bool is_abandoned() const {
    const std::lock_guard guard(lock_);
    return is_abandoned_;
  }

 private:
  void finish(result<Value> value) {
    const std::lock_guard guard(lock_);
    if (is_abandoned_) {
      if (count_abandoned_call_) count_abandoned_call_(false);
      return;
    }
    value_.emplace(std::move(value));
    changed_.notify_all();
  }

  mutable std::mutex lock_;
  std::condition_variable changed_;
  std::optional<result<Value>> value_;
  bool is_abandoned_ = false;
  std::function<void(bool)> count_abandoned_call_;
};

// Whether the server sends a line until `end`: its INFO.
bool sends_line(const tcp::endpoint& address, login_clock::time_point end,
                const broker_options& options) try {
  constexpr std::size_t max_line_bytes = std::size_t{64} << 10;
  asio::io_context context;
  tcp::socket socket(context);
  std::string line;
  bool has_line = false;
  socket.async_connect(address, [&](const boost::system::error_code& failure) {
    if (failure) return;
    asio::async_read_until(socket, asio::dynamic_buffer(line, max_line_bytes), '\n',
                           [&](const boost::system::error_code& failed, std::size_t) { has_line = !failed; });
  });
  while (!context.stopped() && login_clock::now() < end && !(options.cancelled && options.cancelled())) {
    context.run_for(cancel_poll_interval);
  }
  return has_line;
} catch (const std::exception&) {
  return false;  // no more descriptors
}

// Blocks until the server lets it go on. `is_abandoned` ends repeated logins.
result<logged_in> connect_to(const std::string& server, const std::string& host, bool tls,
                             const broker_options& options, const std::function<bool()>& is_abandoned) {
  logged_in out{std::make_unique<connection_events>(), {}};
  natsOptions* raw = nullptr;
  natsStatus status = natsOptions_Create(&raw);
  const owned_options set(raw);
  const auto then = [&](auto call) {
    if (status == NATS_OK) status = call();
  };
  then([&] { return natsOptions_SetURL(raw, server.c_str()); });
  then([&] { return natsOptions_SetName(raw, options.client_name.c_str()); });
  then([&] { return natsOptions_SetTimeout(raw, library_timeout_ms(options)); });
  then([&] { return natsOptions_SetAllowReconnect(raw, false); });
  then([&] { return natsOptions_SetWriteDeadline(raw, options.wait.count()); });
  then([&] { return natsOptions_SetPingInterval(raw, std::max<std::int64_t>(options.wait.count(), 1000)); });
  then([&] { return natsOptions_SetMaxPingsOut(raw, 2); });
  then([&] { return natsOptions_SetSendAsap(raw, true); });
  then([&] { return natsOptions_SetIgnoreDiscoveredServers(raw, true); });
  then([&] { return out.events->listen(raw); });
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
  const bool secure = is_secure(tls, options);
  if (secure) {
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
  for (int i = 0; i < attempts && (i == 0 || status == NATS_CONNECTION_AUTH_FAILED) && !is_abandoned(); ++i) {
    status = natsConnection_Connect(&connection, raw);
  }
  if (status == NATS_OK) {
    out.connection.reset(connection);
    return out;
  }
  return fail(error_of_connecting(status, options, secure));
}

result<logged_in> log_in_at(const tcp::endpoint& address, const std::string& server, bool tls, bool by_name,
                            const broker_options& options, login_clock::time_point end) {
  // A server that ignores logins does not get a thread for each attempt.
  const abandoned known = abandoned_at(address);
  const bool is_limited = known.count >= max_abandoned && login_clock::now() - known.newest < pause_at_limit;
  if (is_limited || known.count >= max_abandoned_with_pauses ||
      (known.count != 0 && !sends_line(address, end, options))) {
    return fail(options.cancelled && options.cancelled() ? error{error_code::interrupted}
                                                         : error_of(NATS_TIMEOUT));
  }
  const auto login = timed_call<logged_in>::start(
      [where = by_name ? server : server_at(server, address), host = host_of(server), tls,
       options](const auto& call) {
        return connect_to(where, host, tls, options, [&] { return call.is_abandoned(); });
      },
      [address](bool begins) { change_abandoned(address, begins); });
  if (!login) return fail(login.error());
  return (*login)->wait(end, options);
}

}  // namespace

result<logged_in> log_in(const std::string& server, bool tls, const broker_options& options) {
  const auto end = login_clock::now() + options.connect;
  const auto resolving = timed_call<addresses>::start([server](const auto&) { return resolve(server); });
  if (!resolving) return fail(resolving.error());
  const auto found = (*resolving)->wait(end, options);
  if (!found) return fail(found.error());
  error last = error_of(NATS_TIMEOUT);
  // With TLS a server also learns its name from the client.
  const bool by_name = is_secure(tls, options) && found->size() == 1;
  for (std::size_t each = 0; each < found->size(); ++each) {
    const auto now = login_clock::now();
    const auto share = (end - now) / static_cast<std::int64_t>(found->size() - each);
    auto connected = log_in_at((*found)[each], server, tls, by_name, options, now + share);
    if (connected) return connected;
    last = connected.error();
    if (!is_transient(last) || last.code == error_code::interrupted) break;
  }
  return fail(last);
}

}  // namespace tickreel::fleet
