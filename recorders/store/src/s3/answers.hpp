// Parses responses of S3, with the small part of XML that it uses. Pure functions, safe for hostile input.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tickreel/result.hpp"
#include "tickreel/store/object_store.hpp"

namespace tickreel::store {

// The text of the first element of this name, at any depth, with entities resolved; empty if there is none or
// it contains other elements.
[[nodiscard]] std::optional<std::string> element(std::string_view xml, std::string_view name);

struct listed {
  std::vector<object> objects;
  std::string next;  // the parameter for the next request; empty if this was all
};
// bad_answer if it is not a list. Keys are complete, with the requested prefix.
[[nodiscard]] result<listed> parse_list(std::string_view xml);

struct unfinished_upload {
  std::string key;
  std::string id;
};
struct unfinished_list {
  std::vector<unfinished_upload> uploads;
  std::string next_key;
  std::string next_id;  // both empty if this was all
};
[[nodiscard]] result<unfinished_list> parse_uploads(std::string_view xml);

// Decodes "%20" and other escapes; other text is unchanged.
[[nodiscard]] std::string percent_decoded(std::string_view text);
// For the text of an element.
[[nodiscard]] std::string xml_escaped(std::string_view text);

// The error of a response, and whether a retry may succeed. `code` as in S3, or empty.
struct refusal {
  error what;
  bool again = false;
};
[[nodiscard]] refusal refusal_of(long status, std::string_view code);
// Of a request with a condition: in_use if the object is not what the condition requires, unsupported_operation if
// the server may have rejected the condition itself.
[[nodiscard]] refusal conditional_refusal_of(long status, std::string_view code);

}  // namespace tickreel::store
