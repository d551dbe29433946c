// The JSON objects that verbs print.
#pragma once

#include <simdjson.h>

#include <boost/test/unit_test.hpp>
#include <string>

namespace tickreel::test {

namespace dom = simdjson::dom;

// The object in `text`, valid as long as the parser.
inline dom::object parse(dom::parser& parser, const std::string& text) {
  dom::object object;
  BOOST_REQUIRE_MESSAGE(parser.parse(text).get(object) == simdjson::SUCCESS, "not a JSON object: " << text);
  return object;
}

}  // namespace tickreel::test
