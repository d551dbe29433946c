#include "tickreel/icrep/lost_content.hpp"

#include <simdjson.h>

#include <algorithm>

#include "tickreel/text/json.hpp"

namespace tickreel::icrep {

std::optional<lost_content> lost_content_of(const metadata& facts) {
  const auto said = std::ranges::find(facts.others, lost_metadata_key, &other_members::value_type::first);
  if (said == facts.others.end()) return std::nullopt;
  simdjson::dom::parser parser;
  simdjson::dom::element root;
  if (parser.parse(said->second).get(root) != simdjson::SUCCESS) return std::nullopt;
  lost_content lost;
  const bool all = root["ticks"].get(lost.ticks) == simdjson::SUCCESS &&
                   root["keyframes"].get(lost.keyframes) == simdjson::SUCCESS &&
                   root["events"].get(lost.events) == simdjson::SUCCESS;
  return all ? std::optional(lost) : std::nullopt;
}

void set_lost_content(metadata& facts, const lost_content& lost) {
  std::erase_if(facts.others, [](const auto& each) { return each.first == lost_metadata_key; });
  std::string text;
  text::json_writer json(text);
  json.begin_object();
  json.member("ticks", lost.ticks);
  json.member("keyframes", lost.keyframes);
  json.member("events", lost.events);
  json.end_object();
  facts.others.emplace_back(lost_metadata_key, std::move(text));
}

}  // namespace tickreel::icrep
