// Opens the port of a server: exclusively, and not inherited by child processes.
#pragma once

#include <boost/asio/ip/address.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <cstdint>

#include "tickreel/result.hpp"

namespace tickreel::net {

// Opens the acceptor on `address`; port 0: any free port. Returns the port. `what` is the error's detail,
// such as "listening for API clients". address_in_use if another program listens there. Call it on the
// acceptor's thread.
result<std::uint16_t> listen(boost::asio::ip::tcp::acceptor& acceptor,
                             const boost::asio::ip::address& address, std::uint16_t port, const char* what);

// Prevents child processes from inheriting the connection, so that it ends when its server closes it.
// listen() does the same for its acceptor. On Windows connections are not inherited by default.
void keep_from_children(boost::asio::ip::tcp::socket& socket) noexcept;

// The number of connections that a server of this process may hold, at most `wanted`. Raises the soft limit
// of open files if necessary, and reserves descriptors for files and other connections.
[[nodiscard]] std::size_t allowed_clients(std::size_t wanted) noexcept;

}  // namespace tickreel::net
