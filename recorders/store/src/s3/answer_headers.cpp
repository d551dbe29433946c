#include "answer_headers.hpp"

#include <charconv>

namespace tickreel::store {

namespace {

std::string text_of(const http_answer& answer, const char* header) {
  const auto found = answer.headers.find(header);
  return found == answer.headers.end() ? std::string() : found->second;
}

// "bytes 0-99/1234"; the size may be "*".
std::optional<std::uint64_t> bytes_of_whole(const http_answer& answer) {
  const std::string range = text_of(answer, "content-range");
  const std::size_t size_at = range.rfind('/') + 1;
  std::uint64_t bytes = 0;
  const auto read = std::from_chars(range.data() + size_at, range.data() + range.size(), bytes);
  return size_at != 0 && read.ec == std::errc() ? std::optional(bytes) : std::nullopt;
}

}  // namespace

std::uint64_t number_of(const std::map<std::string, std::string>& headers, const std::string& name) {
  const auto found = headers.find(name);
  std::uint64_t number = 0;
  if (found != headers.end()) {
    const std::string& text = found->second;
    (void)std::from_chars(text.data(), text.data() + text.size(), number);
  }
  return number;
}

std::string tag_of(const http_answer& answer) {
  return text_of(answer, "etag");
}

object_identity identity_of(const http_answer& answer) {
  return {tag_of(answer), text_of(answer, "last-modified"), bytes_of_whole(answer)};
}

}  // namespace tickreel::store
