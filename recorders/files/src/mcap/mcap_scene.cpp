#include "mcap_scene.hpp"

#include <algorithm>
#include <initializer_list>
#include <string_view>
#include <utility>

#include "tickreel/codec/codec.hpp"
#include "tickreel/text/json.hpp"

namespace tickreel::files {

namespace {

constexpr std::string_view scene_frame = "world";
// The standard schema's number of the deletion of one entity.
constexpr int matching_id = 0;

struct colour {
  double red = 0;
  double green = 0;
  double blue = 0;
};
constexpr colour grey{0.75, 0.75, 0.75};
constexpr colour palette[] = {{0.90, 0.60, 0.00}, {0.35, 0.70, 0.90}, {0.00, 0.60, 0.50}, {0.95, 0.90, 0.25},
                              {0.00, 0.45, 0.70}, {0.80, 0.40, 0.00}, {0.80, 0.60, 0.70}};

colour colour_of(std::string_view group) {
  if (group == "blue") return {0.25, 0.55, 1.0};
  if (group == "orange") return {1.0, 0.55, 0.1};
  return group.empty() ? grey : palette[xxh3_64(as_bytes(group)) % std::size(palette)];
}

using schema_member = std::pair<std::string_view, std::string_view>;
std::string object_of(std::initializer_list<schema_member> members) {
  std::string out;
  text::json_writer json(out);
  json.begin_object().member("type", "object").key("properties").begin_object();
  for (const auto& [name, schema] : members) json.key(name).raw(schema);
  json.end_object().end_object();
  return out;
}
std::string list_of(std::string_view item) {
  return R"({"type":"array","items":)" + std::string(item) + "}";
}

void append_time(std::string_view name, std::uint64_t time_ns, text::json_writer& json) {
  constexpr std::uint64_t ns_per_s = 1'000'000'000;
  json.key(name)
      .begin_object()
      .member("sec", time_ns / ns_per_s)
      .member("nsec", time_ns % ns_per_s)
      .end_object();
}
void append_vector(std::string_view name, double x, double y, double z, text::json_writer& json) {
  json.key(name).begin_object().member("x", x).member("y", y).member("z", z).end_object();
}
void append_pose(const place& of, double above, text::json_writer& json) {
  json.key("pose").begin_object();
  append_vector("position", of.x, of.y, of.z + above, json);
  json.key("orientation").begin_object();
  json.member("x", 0).member("y", 0).member("z", 0).member("w", 1).end_object().end_object();
}
void append_colour(const colour& of, text::json_writer& json) {
  json.key("color").begin_object();
  json.member("r", of.red).member("g", of.green).member("b", of.blue).member("a", 1).end_object();
}

void append_entity(const place& of, std::uint64_t time_ns, text::json_writer& json) {
  constexpr int font_size = 14;
  json.begin_object();
  append_time("timestamp", time_ns, json);
  json.member("frame_id", scene_frame).member("id", of.id);
  append_time("lifetime", 0, json);  // until the next message
  json.member("frame_locked", false).key("metadata").begin_array();
  for (const auto& [key, value] : {schema_member("name", of.name), schema_member("group", of.group)}) {
    if (!value.empty()) json.begin_object().member("key", key).member("value", value).end_object();
  }
  json.end_array().key("spheres").begin_array().begin_object();
  append_pose(of, 0, json);
  append_vector("size", of.diameter, of.diameter, of.diameter, json);
  append_colour(colour_of(of.group), json);
  json.end_object().end_array().key("texts").begin_array();
  if (!of.name.empty()) {
    json.begin_object();
    append_pose(of, of.diameter, json);
    json.member("billboard", true).member("font_size", font_size).member("scale_invariant", true);
    append_colour(grey, json);
    json.member("text", of.name).end_object();
  }
  json.end_array().end_object();
}

}  // namespace

std::string scene_schema() {
  constexpr std::string_view number = R"({"type":"number"})";
  constexpr std::string_view integer = R"({"type":"integer"})";
  constexpr std::string_view words = R"({"type":"string"})";
  constexpr std::string_view truth = R"({"type":"boolean"})";
  constexpr std::string_view deletion =
      R"({"oneOf":[{"title":"MATCHING_ID","const":0},{"title":"ALL","const":1}]})";
  const std::string time = object_of({{"sec", integer}, {"nsec", integer}});
  const std::string vector = object_of({{"x", number}, {"y", number}, {"z", number}});
  const std::string turn = object_of({{"x", number}, {"y", number}, {"z", number}, {"w", number}});
  const std::string pose = object_of({{"position", vector}, {"orientation", turn}});
  const std::string colours = object_of({{"r", number}, {"g", number}, {"b", number}, {"a", number}});
  const std::string sphere = object_of({{"pose", pose}, {"size", vector}, {"color", colours}});
  const std::string label = object_of({{"pose", pose},
                                       {"billboard", truth},
                                       {"font_size", number},
                                       {"scale_invariant", truth},
                                       {"color", colours},
                                       {"text", words}});
  const std::string entity = object_of({{"timestamp", time},
                                        {"frame_id", words},
                                        {"id", words},
                                        {"lifetime", time},
                                        {"frame_locked", truth},
                                        {"metadata", list_of(object_of({{"key", words}, {"value", words}}))},
                                        {"spheres", list_of(sphere)},
                                        {"texts", list_of(label)}});
  const std::string deletions = list_of(object_of({{"timestamp", time}, {"type", deletion}, {"id", words}}));
  return object_of({{"deletions", deletions}, {"entities", list_of(entity)}});
}

bool scene_writer::append(std::uint64_t time_ns, const std::vector<place>& places, std::string& out) {
  if (places.empty() && shown_.empty()) return false;
  std::vector<std::string> now;
  now.reserve(places.size());
  for (const place& each : places) now.push_back(each.id);
  std::ranges::sort(now);
  text::json_writer json(out);
  json.begin_object().key("deletions").begin_array();
  for (const std::string& each : shown_) {
    if (std::ranges::binary_search(now, each)) continue;
    json.begin_object();
    append_time("timestamp", time_ns, json);
    json.member("type", matching_id).member("id", each).end_object();
  }
  json.end_array().key("entities").begin_array();
  for (const place& each : places) append_entity(each, time_ns, json);
  json.end_array().end_object();
  shown_ = std::move(now);
  return true;
}

}  // namespace tickreel::files
