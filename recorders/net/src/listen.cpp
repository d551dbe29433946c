#include "listen.hpp"

#include <boost/asio/error.hpp>
#include <boost/asio/socket_base.hpp>

#ifndef _WIN32
#include <fcntl.h>
#include <sys/resource.h>
#endif

#include <algorithm>

namespace tickreel::net {
namespace {

namespace asio = boost::asio;
using asio::ip::tcp;

template <class Socket>
void close_on_exec([[maybe_unused]] Socket& socket) noexcept {
#ifndef _WIN32
  const int flags = ::fcntl(socket.native_handle(), F_GETFD);
  if (flags >= 0) (void)::fcntl(socket.native_handle(), F_SETFD, flags | FD_CLOEXEC);
#endif
}

}  // namespace

result<std::uint16_t> listen(tcp::acceptor& acceptor, const asio::ip::address& address, std::uint16_t port,
                             const char* what) {
  boost::system::error_code failed;
  const tcp::endpoint endpoint(address, port);
  (void)acceptor.open(endpoint.protocol(), failed);
  if (!failed) close_on_exec(acceptor);
#ifndef _WIN32
  // On Windows this option would let two programs share the port.
  if (!failed) (void)acceptor.set_option(tcp::acceptor::reuse_address(true), failed);
#endif
  if (!failed) (void)acceptor.bind(endpoint, failed);
  if (!failed) (void)acceptor.listen(asio::socket_base::max_listen_connections, failed);
  tcp::endpoint bound;
  if (!failed) bound = acceptor.local_endpoint(failed);
  if (failed == asio::error::address_in_use) {
    return fail(error_code::address_in_use, error::no_offset, "another program listens on this port");
  }
  if (failed) return tl::unexpected<error>(from_system_error(failed.value(), what));
  return bound.port();
}

void keep_from_children(tcp::socket& socket) noexcept {
  close_on_exec(socket);
}

std::size_t allowed_clients(std::size_t wanted) noexcept {
#ifndef _WIN32
  constexpr rlim_t reserved_descriptors = 64;
  rlimit files{};
  if (::getrlimit(RLIMIT_NOFILE, &files) != 0 || files.rlim_cur == RLIM_INFINITY) return wanted;
  const rlim_t needed = static_cast<rlim_t>(wanted) + reserved_descriptors;
  if (files.rlim_cur >= needed) return wanted;
  rlimit raised = files;
  raised.rlim_cur = files.rlim_max == RLIM_INFINITY ? needed : std::min(needed, files.rlim_max);
  if (::setrlimit(RLIMIT_NOFILE, &raised) == 0) files = raised;
  if (files.rlim_cur >= needed) return wanted;
  const rlim_t reserved = std::min(reserved_descriptors, files.rlim_cur / 2);
  return std::max<std::size_t>(1, static_cast<std::size_t>(files.rlim_cur - reserved));
#else
  return wanted;
#endif
}

}  // namespace tickreel::net
