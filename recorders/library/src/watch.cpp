
#include "file_identity.hpp"
#include "folder_events.hpp"
#include "tickreel/io/file.hpp"
#include "tickreel/io/filesystem_path.hpp"
#include "tickreel/library/catalogue.hpp"
#include "tickreel/store/object_store.hpp"

namespace tickreel::library {

namespace {

void add(scan_report& all, const scan_report& one) {
  all.seen += one.seen;
  all.unchanged += one.unchanged;
  all.added += one.added;
  all.changed += one.changed;
  all.moved += one.moved;
  all.vanished += one.vanished;
  all.damaged += one.damaged;
  all.ignored += one.ignored;
  all.unreadable_folders += one.unreadable_folders;
  if (all.unreadable.empty()) all.unreadable = one.unreadable;
}

}  // namespace

result<scan_report> catalogue::watch(const std::vector<file_path>& roots, const watch_options& options) {
  using namespace std::chrono;
  std::vector<std::filesystem::path> full;
  for (const auto& root : roots) {
    if (store::is_s3_url(root.utf8())) {
      return fail(error_code::invalid_argument, error::no_offset, "a store cannot be watched: scan it");
    }
    if (auto checked = check_path(root); !checked) return fail(checked.error());
    full.push_back(full_path(filesystem_path(root)));
  }
  // Watches before the scan, so that no change is missed between them.
  const auto events = watch_folders(full, milliseconds(options.poll_ms), options.always_poll);
  std::set<std::filesystem::path> touched(full.begin(), full.end());
  scan_report all;
  auto last_change = steady_clock::now() - milliseconds(options.settle_ms);
  for (;;) {
    if (options.scan.watch.stop()) return all;
    if (!touched.empty() && steady_clock::now() - last_change >= milliseconds(options.settle_ms)) {
      const std::vector<file_path> places(touched.begin(), touched.end());
      touched.clear();
      auto found = scan(places, options.scan);
      if (!found) return fail(found.error());
      add(all, *found);
      if (found->interrupted) return all;
      if (options.updated && found->has_changes()) options.updated(*found);
    }
    const std::size_t before = touched.size();
    constexpr auto quick_summary = milliseconds(100);
    if (auto waited = events->wait(quick_summary, touched); !waited) return fail(waited.error());
    if (touched.size() != before) last_change = steady_clock::now();
  }
}

}  // namespace tickreel::library
