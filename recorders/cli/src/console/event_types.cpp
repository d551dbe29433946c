#include "event_types.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "console.hpp"
#include "tickreel/text/suggestion.hpp"
#include "verb.hpp"

namespace tickreel::cli {

std::string columns_of(const std::vector<std::string_view>& names) {
  std::string text;
  std::size_t width = 0;
  for (const std::string_view name : names) {
    const bool first = text.empty();
    if (width + name.size() > 96 || first) {
      text += first ? "  " : ",\n  ";
      width = 0;
    } else {
      text += ", ";
    }
    text += name;
    width += name.size() + 2;
  }
  return text + "\n";
}

int refuse_unknown_types(files::recording& of, std::string_view option,
                         const std::vector<std::string>& wanted) {
  const auto known = of.event_types();
  // The caller gets the reason in the message.
  if (!known || known->empty()) return done;
  for (const std::string& each : wanted) {
    if (std::ranges::find(*known, each) != known->end()) continue;
    std::vector<std::string> shown;
    for (const std::string& type : *known) shown.push_back(printable(type));
    std::string names = columns_of({shown.begin(), shown.end()});
    names.pop_back();
    return report_usage(fmt::format("{} {}: unknown event type{}; the types are\n{}", option, printable(each),
                                    text::suggestion(each, shown), names));
  }
  return done;
}

}  // namespace tickreel::cli
