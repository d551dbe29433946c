#include "store_files.hpp"

#include "console.hpp"
#include "stop_signal.hpp"
#include "tickreel/files/distant_files.hpp"
#include "tickreel/store/object_pool.hpp"

namespace tickreel::cli {

namespace {

store::store_options reading_options() {
  return {.cancelled = stop_requested};
}

result<files::distant_file> open_object(const std::string& url) {
  static store::object_pool pool(reading_options());
  auto bytes = pool.open(url);
  if (!bytes) return fail(bytes.error());
  return files::distant_file{*bytes, [from = *bytes] { return from->failure(); }};
}

}  // namespace

void read_objects_as_files() noexcept {
  files::register_distant_place({.has = &store::is_s3_url, .open = &open_object});
}

bool add_objects(const std::string& address, std::vector<named_file>& out) {
  auto found = store::find_objects(address, reading_options());
  if (!found) {
    report_error(address, found.error());
    return false;
  }
  for (store::found_object& each : found->all) {
    out.push_back(
        {std::move(each.url), !found->is_one, files::object_version{each.bytes, std::move(each.tag)}});
  }
  return true;
}

}  // namespace tickreel::cli
