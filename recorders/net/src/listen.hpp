// How every server of the recorders begins: a port that one program has alone, and no child of it.
#pragma once

#include <boost/asio/ip/address.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <cstdint>

#include "tickreel/result.hpp"

namespace tickreel::net {

// Opens the acceptor on `address`; port 0: any that is free. Returns the port. `what` stands in the error, as
// in "listening for API clients". address_in_use where another program listens there. The acceptor's thread.
result<std::uint16_t> listen(boost::asio::ip::tcp::acceptor& acceptor,
                             const boost::asio::ip::address& address, std::uint16_t port, const char* what);

// Programs that this one starts do not inherit the connection: it ends when its server says so. listen() does
// the same for its acceptor. Windows hands on nothing that is not asked for.
void keep_from_children(boost::asio::ip::tcp::socket& socket) noexcept;

// How many connections a server of this process may hold, at most `wanted`. Raises the process's soft limit
// of open files where that is too low, and leaves descriptors for files and other connections.
[[nodiscard]] std::size_t allowed_clients(std::size_t wanted) noexcept;

}  // namespace tickreel::net
