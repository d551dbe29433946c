#include "record_publish.hpp"

#include <fmt/format.h>

#include <utility>

#include "console/console.hpp"

namespace tickreel::cli {

std::optional<echo_vr::match_sinks> published_matches(const publish_arguments& arguments,
                                                      echo_vr::record_format first, delivery_watch& watch) {
  auto url = broker_address(arguments.url, "--publish " + arguments.url);
  if (!url) return std::nullopt;
  if (!url->match.empty()) {
    (void)report_usage(
        fmt::format("--publish {}: matches have the names of their files; remove the match from the address",
                    arguments.url));
    return std::nullopt;
  }
  auto options = arguments.options();
  if (!options) return std::nullopt;
  return [url = std::move(*url), options = std::move(*options), first,
          &watch](const echo_vr::match_reel& match) {
    std::vector<std::unique_ptr<reel::sink>> out;
    if (match.format != first) return out;
    auto made = fleet::publish_to(url, match.path, options);
    if (made) {
      out.push_back(watch.watch(match.path, std::move(*made)));
    } else {
      // The recording continues; the match can be published later under another name.
      report_error(match.path, made.error());
    }
    return out;
  };
}

}  // namespace tickreel::cli
