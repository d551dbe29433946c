// What S3 answers, in the little XML that it needs. Pure, and for bytes of anybody.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tickreel/result.hpp"
#include "tickreel/store/object_store.hpp"

namespace tickreel::store {

// The text of the first element of this name, wherever it stands, with entities resolved; empty-handed when
// there is none or it holds others.
[[nodiscard]] std::optional<std::string> element(std::string_view xml, std::string_view name);

struct listed {
  std::vector<object> objects;
  std::string next;  // what to ask for the rest with; empty when this was all
};
// bad_answer when it is no list. Keys are complete, with the prefix that was asked for.
[[nodiscard]] result<listed> parse_list(std::string_view xml);

struct unfinished_upload {
  std::string key;
  std::string id;
};
struct unfinished_list {
  std::vector<unfinished_upload> uploads;
  std::string next_key;
  std::string next_id;  // both empty when this was all
};
[[nodiscard]] result<unfinished_list> parse_uploads(std::string_view xml);

// "%20" as a space, and so on; what is no escape stays.
[[nodiscard]] std::string percent_decoded(std::string_view text);
// For the text of an element.
[[nodiscard]] std::string xml_escaped(std::string_view text);

// What went wrong as one of our errors, and whether it may go better the next time. `code` as S3 names it, or
// empty.
struct refusal {
  error what;
  bool again = false;
};
[[nodiscard]] refusal refusal_of(long status, std::string_view code);

}  // namespace tickreel::store
