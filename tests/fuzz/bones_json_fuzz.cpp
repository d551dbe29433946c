// A /player_bones response: a parsed one is written, and parses to the same text again.
#include <cstdlib>
#include <memory>
#include <string>

#include "tickreel/echo/json.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace tickreel::echo;
  static json_parser parser;
  static const auto out = std::make_unique<state>();
  static std::string first, second;
  if (!parser.parse_bones({reinterpret_cast<const char*>(data), size}, *out)) return 0;
  first.clear();
  second.clear();
  append_bones_json(*out, json_shape::api, number_style::shortest, first);
  if (!parser.parse_bones(first, *out)) std::abort();
  append_bones_json(*out, json_shape::api, number_style::shortest, second);
  if (first != second) std::abort();
  return 0;
}
