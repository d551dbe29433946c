// What a page's server sends back, before it is bytes.
#pragma once

#include <boost/beast/http/status.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "replies.hpp"
#include "tickreel/io/file.hpp"

namespace tickreel::viewer {

// A recording's bytes from here to there.
struct piece_of_file {
  std::optional<file> from;
  byte_range bytes;
};

struct reply {
  boost::beast::http::status status = boost::beast::http::status::not_found;
  std::string_view type = "text/plain; charset=utf-8";
  std::string own_type = {};  // instead of that
  std::string body = {};
  std::string_view standing = {};  // instead of the body: lives as long as the server
  piece_of_file piece = {};        // the same
  std::string range = {};          // Content-Range
};

inline reply told(boost::beast::http::status status, std::string_view sentence) {
  reply out;
  out.status = status;
  out.body = std::string(sentence) + "\n";
  return out;
}

}  // namespace tickreel::viewer
