#include "view_page.hpp"

#include "console/console.hpp"

namespace tickreel::cli {

std::optional<viewer::page> viewer_page(const std::string& folder) {
  if (folder.empty()) {
    auto inside = viewer::built_in_page();
    if (!inside) {
      report_error("this program was built without the viewer's page");
      report_advice(
          "build the program with recorders/viewer/bundle, or pass the folder of a page: --page FOLDER");
    }
    return inside;
  }
  auto found = viewer::page_in(folder);
  if (!found) {
    report_error(folder, found.error());
    return std::nullopt;
  }
  return std::move(*found);
}

}  // namespace tickreel::cli
