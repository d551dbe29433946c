#include "fact_numbers.hpp"

#include <simdjson.h>

#include <algorithm>

namespace tickreel::game {

const std::string* fact_of(const icrep::metadata& facts, std::string_view key) noexcept {
  const auto known = std::ranges::find(facts.others, key, &std::pair<std::string, std::string>::first);
  return known != facts.others.end() ? &known->second : nullptr;
}

bool read_numbers(const icrep::metadata& facts, std::string_view key,
                  std::initializer_list<fact_number> wanted) {
  const std::string* const json = fact_of(facts, key);
  simdjson::dom::parser parser;
  simdjson::dom::element root;
  if (json == nullptr || parser.parse(*json).get(root) != simdjson::SUCCESS) return false;
  return std::ranges::all_of(wanted, [&](const fact_number& one) {
    return root[one.name].get(*one.number) == simdjson::SUCCESS && *one.number <= one.most;
  });
}

}  // namespace tickreel::game
