#include "record_view.hpp"

#include <fmt/format.h>

#include <memory>
#include <utility>

#include "console/console.hpp"
#include "tickreel/io/filesystem_path.hpp"
#include "view_page.hpp"

namespace tickreel::cli {

namespace {

std::string name_of(const std::filesystem::path& path) {
  return file_path(path.filename()).utf8();
}

}  // namespace

std::unique_ptr<record_view> record_view::start(std::uint16_t port, const std::string& page) {
  auto files = viewer_page(page);
  if (!files) return nullptr;
  auto server = viewer::page_server::start(std::move(*files), {.port = port});
  if (!server) {
    report_error(fmt::format("--view {}: {}", port, describe(server.error())));
    return nullptr;
  }
  // Pages that come before a match wait for it.
  server->show({}, true);
  return std::unique_ptr<record_view>(new record_view(std::move(*server)));
}

void record_view::event(const echo_vr::record_event& what) {
  const std::lock_guard lock(mutex_);
  const std::filesystem::path path = filesystem_path(what.path);
  if (what.kind == echo_vr::event_kind::file_started) {
    const bool same_match = !finished_ && filesystem_path(shown_).replace_extension() ==
                                              std::filesystem::path(path).replace_extension();
    if (same_match || (!finished_ && what.target != target_)) return;
    target_ = what.target;
    shown_ = what.path;
    finished_ = false;
    std::filesystem::path reel = path;
    if (reel.extension() != ".reel") reel += ".reel";
    server_.show({{file_path(reel), name_of(path)}}, true);
    return;
  }
  const bool over =
      what.kind == echo_vr::event_kind::file_finished || what.kind == echo_vr::event_kind::publish_failed;
  if (!over || what.target != target_) return;
  if (what.path == shown_) {
    // The reel has gone; who opens the page now gets the finished file.
    if (what.kind == echo_vr::event_kind::file_finished && path.extension() != ".reel") {
      server_.moved({what.path, name_of(path)});
    }
    finished_ = true;
  }
  // A reel that could not be laid out stays where it is.
  if (what.kind == echo_vr::event_kind::publish_failed) finished_ = true;
}

}  // namespace tickreel::cli
