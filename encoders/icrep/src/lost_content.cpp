#include "tickreel/icrep/lost_content.hpp"

#include "tickreel/icrep/fact_values.hpp"
#include "tickreel/text/json.hpp"

namespace tickreel::icrep {

std::optional<lost_content> lost_content_of(const metadata& facts) {
  lost_content lost;
  const bool all =
      read_numbers(facts, lost_metadata_key,
                   {{"ticks", &lost.ticks}, {"keyframes", &lost.keyframes}, {"events", &lost.events}});
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
