// A minimal page, and a plain client.
#pragma once

#include <boost/asio/connect.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/read.hpp>
#include <boost/asio/write.hpp>
#include <boost/test/unit_test.hpp>
#include <fstream>
#include <string>

#include "scratch_folder.hpp"
#include "tickreel/viewer/page.hpp"

namespace tickreel::test {

inline void write_text(const std::string& path, std::string_view text) {
  std::ofstream(path, std::ios::binary) << text;
}

inline constexpr const char* stand_in_html =
    "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
    "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; script-src 'self'\">\n"
    "<title>stand-in</title>\n<link rel=\"stylesheet\" href=\"app.css\">\n</head>\n<body>\n"
    "<div id=\"app\"></div>\n<script src=\"app.js\"></script>\n</body>\n</html>\n";

// Writes the page's files into `folder` and reads them.
inline viewer::page stand_in_page(const scratch_folder& folder) {
  write_text(folder / "index.html", stand_in_html);
  write_text(folder / "app.js",
             "document.title = 'shown </script><!-- ' + "
             "atob(document.getElementById('recording')?.textContent ?? '');");
  write_text(folder / "worker.js", "postMessage(1);");
  write_text(folder / "app.css", "body { color: teal; }");
  write_text(folder / "reader.wasm", std::string_view("\0asm\1\0\0\0", 8));
  write_text(folder / "others.wasm", std::string_view("\0asm\1\0\0\0others", 14));
  write_text(folder / "captures.wasm", std::string_view("\0asm\1\0\0\0captures", 16));
  write_text(folder / "query.wasm", std::string_view("\0asm\1\0\0\0query", 13));
  auto found = viewer::page_in(folder.path());
  BOOST_REQUIRE(found.has_value());
  return std::move(*found);
}

struct http_answer {
  int status = 0;
  std::string head;
  std::string body;
};

// One request; the server is asked to close the connection.
inline http_answer ask(std::uint16_t port, const std::string& target, const std::string& more = {},
                       const std::string& method = "GET", const std::string& host = {}) {
  boost::asio::io_context context;
  boost::asio::ip::tcp::socket socket(context);
  socket.connect({boost::asio::ip::address_v4::loopback(), port});
  const std::string name = host.empty() ? "127.0.0.1:" + std::to_string(port) : host;
  boost::asio::write(socket, boost::asio::buffer(method + " " + target + " HTTP/1.1\r\nHost: " + name +
                                                 "\r\nConnection: close\r\n" + more + "\r\n"));
  std::string all;
  boost::system::error_code ended;
  boost::asio::read(socket, boost::asio::dynamic_buffer(all), ended);
  http_answer out;
  const std::size_t gap = all.find("\r\n\r\n");
  if (gap == std::string::npos || all.size() < 12) return out;
  out.status = std::stoi(all.substr(9, 3));
  out.head = all.substr(0, gap + 2);
  out.body = all.substr(gap + 4);
  return out;
}

}  // namespace tickreel::test
