// A /session response: a parsed one is written in both shapes, and the API's shape parses again.
#include <cstdlib>
#include <memory>
#include <string>

#include "tickreel/echo/json.hpp"
#include "tickreel/text/json_repair.hpp"
#include "tickreel/text/utf8.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace tickreel::echo;
  static json_parser parser;
  static const auto out = std::make_unique<state>();
  static std::string api, model, repaired;
  const std::string_view json(reinterpret_cast<const char*>(data), size);
  (void)classify_reply(200, json);
  repaired.clear();
  tickreel::text::append_repaired_json(json, repaired);
  if (!tickreel::text::is_utf8(repaired) || tickreel::text::has_lone_surrogate(repaired)) std::abort();
  if (!parser.parse_session(json, *out)) return 0;
  api.clear();
  model.clear();
  append_session_json(*out, json_shape::api, number_style::shortest, api);
  append_session_json(*out, json_shape::model, number_style::game, model);
  if (!parser.parse_session(model, *out) || !parser.parse_session(api, *out)) std::abort();
  model.clear();
  append_session_json(*out, json_shape::api, number_style::shortest, model);
  if (model != api) std::abort();
  return 0;
}
