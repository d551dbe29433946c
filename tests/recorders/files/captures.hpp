// The content of captures, and captures written by this project.
#pragma once

#include "fixtures.hpp"

namespace tickreel::test {

// The ticks of any recording, also of a damaged one.
struct capture_content {
  std::vector<echo::state> ticks;
  files::verification checked;
  std::string failure;  // of opening it
  std::vector<std::string> losses;
};
inline capture_content read_capture(const std::filesystem::path& path) {
  capture_content out;
  auto opened = files::open(path);
  if (!opened) {
    out.failure = describe(opened.error());
    return out;
  }
  auto checked = (*opened)->verify({});
  BOOST_REQUIRE_MESSAGE(checked, path << ": " << (checked ? "" : describe(checked.error())));
  out.checked = std::move(*checked);
  auto source = files::open_echo(path, {.tolerant = true});
  BOOST_REQUIRE(source);
  const auto tick = std::make_unique<echo::state>();
  while (true) {
    const auto more = (*source)->next(*tick);
    BOOST_REQUIRE_MESSAGE(more, path << ": " << (more ? "" : describe(more.error())));
    if (!*more) break;
    if (out.ticks.size() < 400) out.ticks.push_back(*tick);
  }
  out.losses = sentences((*source)->losses());
  return out;
}
inline bool has_errors(const files::verification& of) {
  return std::any_of(of.findings.begin(), of.findings.end(),
                     [](const files::finding& each) { return each.level == files::severity::error; });
}

// A short match whose record of events is as full as the simulator makes it.
inline std::filesystem::path written(const scratch_folder& folder, const char* name, bool bones = true) {
  const auto path = folder.path() / name;
  write_match(path, {}, short_match(bones));
  return path;
}

}  // namespace tickreel::test
