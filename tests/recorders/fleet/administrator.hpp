// A client with every right at the broker, or with those of a user. It speaks the NATS protocol itself, because no client library
// writes the header lines that only the broker should.
#pragma once

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include <boost/test/unit_test.hpp>
#include <string>
#include <string_view>

namespace tickreel::test {

class administrator {
 public:
  explicit administrator(std::uint16_t port, const std::string& user = {}, const std::string& password = {})
      : socket_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    const timeval timeout{60, 0};
    ::setsockopt(socket_, SOL_SOCKET, SO_RCVTIMEO, &timeout, sizeof timeout);
    BOOST_REQUIRE(::connect(socket_, reinterpret_cast<sockaddr*>(&address), sizeof address) == 0);
    const std::string login =
        user.empty() ? std::string() : ",\"user\":\"" + user + "\",\"pass\":\"" + password + '"';
    write("CONNECT {\"verbose\":false,\"pedantic\":false,\"headers\":true,\"no_responders\":true" + login +
          "}\r\nSUB " + answers_ + " 1\r\n");
    flush();
  }
  administrator(const administrator&) = delete;
  administrator& operator=(const administrator&) = delete;
  ~administrator() { ::close(socket_); }

  bool remove(const std::string& stream, std::uint64_t place) {
    return succeeded("STREAM.MSG.DELETE." + stream, "{\"seq\":" + std::to_string(place) + "}");
  }
  bool purge(const std::string& stream, const std::string& subject = "") {
    return succeeded("STREAM.PURGE." + stream, subject.empty() ? "" : "{\"filter\":\"" + subject + "\"}");
  }
  bool delete_stream(const std::string& stream) { return succeeded("STREAM.DELETE." + stream, ""); }
  // A message of a league's stream, as a recorder publishes it.
  bool set_max_bytes(const std::string& league, std::int64_t bytes) {
    return request("STREAM.UPDATE.TICKREEL_L_" + league,
                   "{\"name\":\"TICKREEL_L_" + league + "\",\"subjects\":[\"tickreel." + league +
                       ".>\"],\"retention\":\"limits\",\"max_consumers\":-1,\"max_msgs\":-1,\"max_bytes\":" +
                       std::to_string(bytes) +
                       ",\"max_age\":0,\"max_msgs_per_subject\":-1,\"max_msg_size\":-1,\"discard\":\"new\","
                       "\"storage\":\"file\",\"num_replicas\":1,\"duplicate_window\":120000000000}")
               .find("\"error\"") == std::string::npos;
  }
  // Messages that a consumer gave out, each as often as it did.
  std::uint64_t deliveries(const std::string& stream, const std::string& consumer) {
    constexpr std::string_view mark = "\"delivered\":{\"consumer_seq\":";
    const std::string answer = request("CONSUMER.INFO." + stream + '.' + consumer, "");
    const auto at = answer.find(mark);
    return at == std::string::npos ? 0 : std::stoull(answer.substr(at + mark.size()));
  }
  // An empty message with that header line, as the broker writes control messages.
  void publish_status_line(const std::string& subject, const std::string& line) {
    const std::string header = "NATS/1.0 " + line + "\r\n\r\n";
    write("HPUB " + subject + ' ' + std::to_string(header.size()) + ' ' + std::to_string(header.size()) +
          "\r\n" + header + "\r\n");
    flush();
  }
  // Whether the user may publish there. The body is not a valid request of JetStream.
  bool may_publish(const std::string& subject) {
    write("PUB " + subject + " 1\r\n?\r\nPING\r\n");
    return read_before("PONG\r\n").find("Permissions Violation") == std::string::npos;
  }
  void publish(const std::string& subject, const std::string& body) {
    write("PUB " + subject + ' ' + std::to_string(body.size()) + "\r\n" + body + "\r\n");
    flush();
  }

 private:
  bool succeeded(const std::string& api, const std::string& body) {
    return request(api, body).find("\"success\":true") != std::string::npos;
  }
  std::string request(const std::string& api, const std::string& body) {
    write("PUB $JS.API." + api + ' ' + answers_ + ' ' + std::to_string(body.size()) + "\r\n" + body + "\r\n");
    // MSG <subject> 1 <bytes>\r\n<body>\r\n
    return read_until("MSG " + answers_ + " 1 ", "\r\n", 2);
  }
  void flush() {
    write("PING\r\n");
    (void)read_until("PONG", "\r\n", 1);
  }
  void write(std::string_view text) {
    while (!text.empty()) {
      const ssize_t written = ::send(socket_, text.data(), text.size(), MSG_NOSIGNAL);
      BOOST_REQUIRE(written > 0);
      text.remove_prefix(static_cast<std::size_t>(written));
    }
  }
  // Reads until `mark` and that many line ends after it; returns the text after the mark.
  std::string read_until(std::string_view mark, std::string_view end, int lines) {
    for (;;) {
      std::size_t at = unread_.find(mark);
      std::size_t stop = at;
      for (int each = 0; each < lines && stop != std::string::npos; ++each) {
        stop = unread_.find(end, stop);
        if (stop != std::string::npos) stop += end.size();
      }
      if (stop != std::string::npos) {
        std::string out = unread_.substr(at, stop - at);
        unread_.erase(0, stop);
        return out;
      }
      receive();
    }
  }
  std::string read_before(std::string_view mark) {
    while (unread_.find(mark) == std::string::npos) receive();
    const std::size_t at = unread_.find(mark);
    std::string out = unread_.substr(0, at);
    unread_.erase(0, at + mark.size());
    return out;
  }
  void receive() {
    char bytes[4096];
    const ssize_t came = ::recv(socket_, bytes, sizeof bytes, 0);
    BOOST_REQUIRE(came > 0);
    unread_.append(bytes, static_cast<std::size_t>(came));
  }

  const std::string answers_ = "_INBOX.administrator";
  int socket_;
  std::string unread_;
};

}  // namespace tickreel::test
