// A minimal HTTP client: one kept-alive connection, blocking.
#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/read.hpp>
#include <boost/asio/read_until.hpp>
#include <boost/asio/streambuf.hpp>
#include <boost/asio/write.hpp>
#include <cstdint>
#include <string>

namespace tickreel::test {

struct http_reply {
  int status = 0;  // 0: the connection ended
  std::string head;
  std::string body;
};

class http_client {
 public:
  explicit http_client(std::uint16_t port) : host_("localhost:" + std::to_string(port)), socket_(context_) {
    socket_.connect({boost::asio::ip::address_v4::loopback(), port});
  }

  // `host`: the Host header; empty: the server's own name. `more`: further lines of the head.
  http_reply get(const std::string& path, const std::string& method = "GET", const std::string& host = {},
                 const std::string& more = {}) {
    http_reply reply;
    boost::system::error_code failed;
    const std::string head = method + ' ' + path + " HTTP/1.1\r\nHost: " + (host.empty() ? host_ : host);
    boost::asio::write(socket_, boost::asio::buffer(head + "\r\n" + more + "\r\n"), failed);
    if (failed) return reply;
    const std::size_t length = boost::asio::read_until(socket_, buffer_, "\r\n\r\n", failed);
    if (failed) return reply;
    reply.head = take(length);
    reply.status = std::stoi(reply.head.substr(reply.head.find(' ') + 1, 3));
    const std::size_t at = reply.head.find("Content-Length: ");
    const std::size_t size = at == std::string::npos ? 0 : std::stoul(reply.head.substr(at + 16));
    if (buffer_.size() < size) {
      boost::asio::read(socket_, buffer_, boost::asio::transfer_exactly(size - buffer_.size()), failed);
    }
    if (!failed) reply.body = take(size);
    return reply;
  }

 private:
  std::string take(std::size_t size) {
    const auto begin = boost::asio::buffers_begin(buffer_.data());
    std::string text(begin, begin + static_cast<std::ptrdiff_t>(size));
    buffer_.consume(size);
    return text;
  }

  std::string host_;
  boost::asio::io_context context_;
  boost::asio::ip::tcp::socket socket_;
  boost::asio::streambuf buffer_;
};

}  // namespace tickreel::test
