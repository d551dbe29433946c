#include "format_lists.hpp"

#include <fmt/format.h>

namespace tickreel::cli {

std::string list_of(const std::vector<std::string_view>& words) {
  std::string text;
  for (std::size_t at = 0; at < words.size(); ++at) {
    if (at != 0) text += at + 1 == words.size() ? " and " : ", ";
    text += words[at];
  }
  return text;
}

std::string codecs_of(const files::format& output) {
  std::vector<std::string_view> names;
  for (const codec_id each : output.codecs) names.push_back(name(each));
  return fmt::format("{} takes {}", output.extension, names.empty() ? "any" : list_of(names));
}

std::string codecs_of_outputs() {
  std::string text;
  for (const files::format& each : files::formats()) {
    if (files::is_output(each.name)) text += (text.empty() ? "" : ", ") + codecs_of(each);
  }
  return text;
}

}  // namespace tickreel::cli
