// One connection of a browser: requests one after the other, each with its answer, until it goes, is silent
// for too long, or becomes a WebSocket.
#pragma once

#include <boost/asio/ip/tcp.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/core/tcp_stream.hpp>
#include <boost/beast/http.hpp>
#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>

#include "reply.hpp"
#include "tickreel/bytes/span.hpp"
#include "tickreel/net/own_page.hpp"

namespace tickreel::viewer {

using page_request = boost::beast::http::request<boost::beast::http::string_body>;

class page_client;
// Who answers. Outlives the clients that it has not forgotten.
class page_host {
 public:
  virtual reply answer_to(const page_request& request) = 0;
  // Takes a stream whose request asks for a WebSocket, or leaves it and says why there is none.
  virtual std::optional<reply> take_socket(boost::beast::tcp_stream& stream, page_request request) = 0;
  virtual void forget(page_client& gone) noexcept = 0;
  [[nodiscard]] virtual std::uint16_t port() const noexcept = 0;
  [[nodiscard]] virtual const net::served_names& names() const noexcept = 0;

 protected:
  ~page_host() = default;
};

// On the thread of the socket's context. Lives as long as something is under way.
class page_client : public std::enable_shared_from_this<page_client> {
 public:
  page_client(boost::asio::ip::tcp::socket socket, page_host& host, std::uint32_t longest_silence_ms);
  ~page_client();
  page_client(const page_client&) = delete;
  page_client& operator=(const page_client&) = delete;

  void receive();
  void close();

 private:
  void limit_silence();
  void answer();
  void upgrade();
  void send(reply with);
  void go_on();
  void write(byte_span bytes);
  void finish();

  page_host& host_;
  const std::uint32_t longest_silence_ms_;
  boost::beast::tcp_stream stream_;
  boost::beast::flat_buffer buffer_;
  std::optional<boost::beast::http::request_parser<boost::beast::http::string_body>> parser_;
  boost::beast::http::response<boost::beast::http::empty_body> response_;
  std::optional<boost::beast::http::response_serializer<boost::beast::http::empty_body>> serializer_;
  reply current_;
  std::string_view left_;
  byte_vector piece_;
};

}  // namespace tickreel::viewer
