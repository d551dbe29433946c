// What the records of an MCAP file contain.
#pragma once

#include <cstdint>
#include <string_view>
#include <utility>

#include "tickreel/bytes/span.hpp"

namespace tickreel::mcap {

// The first and the last bytes of a file.
inline constexpr std::string_view magic = "\x89MCAP0\r\n";

// A stream of messages. Texts are UTF-8.
struct channel {
  std::string_view topic;        // "/tick"
  std::string_view schema_name;  // "foxglove.SceneUpdate"
  std::string_view schema;       // of JSON messages, a JSON Schema of an object
  std::string_view schema_encoding = "jsonschema";
  std::string_view encoding = "json";  // of the messages
  bool has_schema = true;
  byte_span metadata = {};  // a map of texts, as the file stores it, without its length
};

struct message {
  std::uint16_t channel = 0;
  std::uint32_t sequence = 0;
  std::uint64_t time_ns = 0;  // when it was recorded
  std::uint64_t publish_time_ns = 0;
  byte_span data = {};
};

// A file inside the file.
struct attachment {
  std::string_view name = {};
  std::string_view media_type = {};
  std::uint64_t time_ns = 0;     // when it was recorded
  std::uint64_t created_ns = 0;  // 0: unknown
  std::uint64_t bytes = 0;
};

// A member of a metadata record.
using entry = std::pair<std::string_view, std::string_view>;

}  // namespace tickreel::mcap
