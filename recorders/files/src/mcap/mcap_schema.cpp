#include "mcap_schema.hpp"

#include <simdjson.h>

#include "tickreel/text/json.hpp"

namespace tickreel::files {

namespace {

using json_value = simdjson::dom::element;
using simdjson::dom::element_type;

constexpr int max_schema_depth = 32;  // deeper objects are left out

// The type of each element of a list; false if viewers have none.
bool item_of(const json_value& list, json_value& out) {
  simdjson::dom::array items;
  if (list.get(items) != simdjson::SUCCESS || items.begin() == items.end()) return false;
  out = *items.begin();
  return true;
}
bool has_type(const json_value& of, int depth) {
  if (of.type() == element_type::NULL_VALUE || depth > max_schema_depth) return false;
  if (of.type() != element_type::ARRAY) return true;
  json_value item;
  return item_of(of, item) && item.type() != element_type::ARRAY && has_type(item, depth + 1);
}

void append_type(const json_value& of, text::json_writer& json, int depth) {
  json.begin_object();
  switch (of.type()) {
    case element_type::OBJECT: {
      json.member("type", "object").key("properties").begin_object();
      simdjson::dom::object members;
      if (of.get(members) == simdjson::SUCCESS) {
        for (const auto [key, value] : members) {
          if (!has_type(value, depth + 1)) continue;
          json.key(key);
          append_type(value, json, depth + 1);
        }
      }
      json.end_object();
      break;
    }
    case element_type::ARRAY: {
      json.member("type", "array").key("items");
      json_value item;
      if (item_of(of, item)) append_type(item, json, depth + 1);
      break;
    }
    case element_type::STRING:
      json.member("type", "string");
      break;
    case element_type::BOOL:
      json.member("type", "boolean");
      break;
    default:
      // A whole number may have a fraction in another tick.
      json.member("type", "number");
  }
  json.end_object();
}

}  // namespace

void append_json_schema(std::string_view tick, std::string& out) {
  simdjson::dom::parser parser;
  json_value root;
  if (parser.parse(tick.data(), tick.size()).get(root) == simdjson::SUCCESS && root.is_object()) {
    text::json_writer json(out);
    append_type(root, json, 0);
  } else {
    out += R"({"type":"object","properties":{}})";
  }
}

}  // namespace tickreel::files
