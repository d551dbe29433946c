#include "record_view.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <utility>

#include "console/console.hpp"
#include "tickreel/files/conversion.hpp"
#include "tickreel/io/filesystem_path.hpp"
#include "view_page.hpp"

namespace tickreel::cli {

namespace {

std::string name_of(const std::filesystem::path& path) {
  return file_path(path.filename()).utf8();
}

}  // namespace

std::unique_ptr<record_view> record_view::start(std::uint16_t port, const std::string& page,
                                                std::vector<std::string> targets) {
  auto files = viewer_page(page);
  if (!files) return nullptr;
  auto server = viewer::page_server::start(std::move(*files), {.port = port});
  if (!server) {
    (void)report_port(fmt::format("--view {}", port), server.error(), "--view");
    return nullptr;
  }
  if (targets.size() > 1) server->set_games(targets);
  // Pages that are opened before a match wait for it.
  for (std::size_t each = 0; each < std::max<std::size_t>(1, targets.size()); ++each)
    server->show({}, true, each);
  return std::unique_ptr<record_view>(new record_view(std::move(*server), targets));
}

void record_view::event(const echo_vr::record_event& what) {
  const std::lock_guard lock(mutex_);
  const std::filesystem::path path = filesystem_path(what.path);
  const auto found =
      games_.size() == 1 ? games_.begin() : std::ranges::find(games_, what.target, &game::target);
  if (found == games_.end()) return;
  const auto number = static_cast<std::size_t>(found - games_.begin());
  game& of = *found;
  if (what.kind == echo_vr::event_kind::file_started) {
    // Another format of the same match.
    const bool same_match = !of.finished && filesystem_path(of.shown).replace_extension() ==
                                                std::filesystem::path(path).replace_extension();
    if (same_match) return;
    of.shown = what.path;
    of.finished = false;
    std::filesystem::path reel = path;
    if (!files::is_reel_name(reel)) reel += ".reel";
    server_.show({{file_path(reel), name_of(path)}}, true, number);
    if (!games_[first_].finished && first_ != number) return;
    first_ = number;
    server_.prefer(number);
    return;
  }
  const bool over =
      what.kind == echo_vr::event_kind::file_finished || what.kind == echo_vr::event_kind::publish_failed;
  if (!over) return;
  if (what.path == of.shown) {
    // The reel is deleted; pages that open now get the finished file.
    if (what.kind == echo_vr::event_kind::file_finished && !files::is_reel_name(path)) {
      server_.moved({what.path, name_of(path)}, number);
    }
    of.finished = true;
  }
  // A reel that could not be published stays in its place.
  if (what.kind == echo_vr::event_kind::publish_failed) of.finished = true;
}

}  // namespace tickreel::cli
