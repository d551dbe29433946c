#include "tickreel/icrep/fact_values.hpp"

#include <simdjson.h>

#include <algorithm>

namespace tickreel::icrep {

const std::string* fact_of(const metadata& facts, std::string_view key) noexcept {
  const auto known = std::ranges::find(facts.others, key, &other_members::value_type::first);
  return known != facts.others.end() ? &known->second : nullptr;
}

std::string read_text(const metadata& facts, std::string_view key) {
  const std::string* const json = fact_of(facts, key);
  simdjson::dom::parser parser;
  std::string_view text;
  if (json == nullptr || parser.parse(*json).get(text) != simdjson::SUCCESS) return {};
  return std::string(text);
}

bool read_numbers(const metadata& facts, std::string_view key, std::initializer_list<fact_number> wanted) {
  const std::string* const json = fact_of(facts, key);
  simdjson::dom::parser parser;
  simdjson::dom::element root;
  if (json == nullptr || parser.parse(*json).get(root) != simdjson::SUCCESS) return false;
  return std::ranges::all_of(wanted, [&](const fact_number& one) {
    return root[one.name].get(*one.number) == simdjson::SUCCESS && *one.number <= one.most;
  });
}

}  // namespace tickreel::icrep
