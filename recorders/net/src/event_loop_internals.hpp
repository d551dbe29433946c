// The internals of an event_loop, for sources that use the network.
#pragma once

#include <boost/asio/io_context.hpp>

#include "tickreel/net/event_loop.hpp"

namespace tickreel::net {

struct event_loop::internals {
  boost::asio::io_context context{1};  // one thread runs it
};

}  // namespace tickreel::net
