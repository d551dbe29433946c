// Scanning: one thread lists the folders, others read files, the caller's thread writes the index.
#include <algorithm>
#include <chrono>
#include <optional>
#include <system_error>
#include <thread>

#include "describe_file.hpp"
#include "rows.hpp"
#include "scan_objects.hpp"
#include "scan_work.hpp"
#include "state.hpp"
#include "tickreel/io/file.hpp"
#include "tickreel/io/filesystem_path.hpp"
#include "tickreel/io/folder.hpp"
#include "tickreel/workers/worker_pool.hpp"

namespace tickreel::library {

namespace {

constexpr auto forever = std::chrono::hours(1);

// The index itself and the files that SQLite keeps beside it.
bool belongs_to_index(const std::filesystem::path& path, const file_path& database) {
  const std::string name = file_path(path).utf8();
  const std::string& index = database.utf8();
  return name.starts_with(index) &&
         (name == index || name == index + "-wal" || name == index + "-shm" || name == index + "-journal");
}

void meet_file(const std::filesystem::path& path, shared_state& all) {
  const auto identity = identify(path);
  if (!identity || belongs_to_index(path, all.database)) return;
  all.meet(file_path(path).utf8(), {.path = path, .identity = *identity});
}

void walk(const std::filesystem::path& root, shared_state& all) {
  if (!is_folder(root)) {
    meet_file(root, all);
    return;
  }
  std::vector<std::filesystem::path> folders = {root};
  while (!folders.empty() && !all.stop) {
    const std::filesystem::path folder = std::move(folders.back());
    folders.pop_back();
    const auto read = visit_folder(folder, [&](const folder_entry& entry) {
      if (entry.kind != entry_kind::folder) {
        meet_file(filesystem_path(entry.path), all);
      } else if (!entry.is_link) {
        folders.push_back(filesystem_path(entry.path));
      }
      return !all.stop;
    });
    if (!read) all.cannot_read(folder);
  }
}

// The row of a file with this content that no longer exists.
std::optional<std::pair<std::int64_t, std::string>> moved_from(statement& by_hash, std::uint64_t hash,
                                                               std::uint64_t bytes) {
  std::optional<std::pair<std::int64_t, std::string>> found;
  by_hash.bind(1, static_cast<std::int64_t>(hash)).bind(2, static_cast<std::int64_t>(bytes));
  for (auto more = by_hash.step(); more && *more && !found; more = by_hash.step()) {
    if (store::is_s3_url(by_hash.text(1))) continue;  // not a file, or not of this machine
    const auto there = identify(filesystem_path(by_hash.text(1)));
    if (!there && there.error().code == error_code::not_found) {
      found = {by_hash.integer(0), std::string(by_hash.text(1))};
    }
  }
  by_hash.reset();
  return found;
}

std::optional<outcome> look_at(const job& file, statement& by_hash, shared_state& all) {
  outcome out;
  out.path = file_path(file.path).utf8();
  out.identity = file.identity;
  out.known = file.known;
  // A time stamp that no file has, so that the next scan reads it again.
  const auto look_again = [&out] {
    out.identity.modified_ns = 0;
    out.identity.inode = 0;
  };
  // The index keeps its facts while the file cannot be read.
  const auto stays = [&](const error& why) {
    if (file.known) all.cannot_fetch(out.path, why);
    return file.known;
  };
  const std::string format = format_of(file.path);
  if (format.empty()) {
    if (auto there = tickreel::file::open_for_reading(file.path); !there && is_local_failure(there.error())) {
      if (stays(there.error())) return std::nullopt;
      look_again();
    }
    return out;
  }
  const auto hash = fingerprint(file.path, file.identity.bytes);
  if (!hash) {
    if (is_local_failure(hash.error()) && stays(hash.error())) return std::nullopt;
    look_again();
    out.facts.format = format;
    out.facts.health = "damaged";
    out.facts.reason = describe(hash.error());
    out.facts.games.push_back({});
    return out;
  }
  out.hash = *hash;
  if (!file.known && file.identity.bytes != 0) {
    if (auto moved = moved_from(by_hash, out.hash, file.identity.bytes)) {
      out.what = outcome::kind::moved;
      std::tie(out.id, out.from) = std::move(*moved);
      return out;
    }
  }
  const files::monitor watch{.cancelled = [&all] { return all.stop.load(); }};
  auto facts = describe_file(file.path, format, all.options->thorough, watch);
  if (!facts) return std::nullopt;
  out.facts = std::move(*facts);
  if (out.facts.machine_refused) {
    if (stays(*out.facts.machine_refused)) return std::nullopt;
    look_again();
  }
  return out;
}

constexpr const char* find_by_hash = "SELECT id, path FROM files WHERE hash = ?1 AND bytes = ?2";

void read_files(shared_state& all) {
  auto index = connection::open(all.database, connection::access::read_only);
  result<statement> by_hash = fail(error_code::not_found);
  if (index) by_hash = index->prepare(find_by_hash);
  if (!by_hash) {
    all.stop = true;
    return;
  }
  object_reader objects(all);
  while (!all.stop) {
    const auto next = all.jobs.take(forever);
    if (!next) {
      if (all.jobs.ended()) return;
      continue;
    }
    auto found = next->stored ? objects.look_at(*next) : look_at(*next, *by_hash, all);
    all.bytes_read += next->identity.bytes;
    if (found && !all.outcomes.give(std::move(*found))) return;
  }
}

// The threads of a scan; the destructor ends them in every case.
class crew {
 public:
  explicit crew(shared_state& all) : all_(&all) {}
  crew(const crew&) = delete;
  crew& operator=(const crew&) = delete;
  ~crew() {
    all_->stop = true;
    all_->jobs.close();
    all_->outcomes.close();
    threads_.reset();
  }

  // Call it once. `roots` and `stores` must outlive the crew.
  result<void> start(const std::vector<std::filesystem::path>& roots, const std::vector<store_root>& stores) {
    // Fetching threads wait more than they compute.
    constexpr unsigned fetchers = 8;
    const unsigned all_cores = std::max(std::thread::hardware_concurrency(), stores.empty() ? 0 : fetchers);
    const unsigned wanted = all_->options->threads != 0 ? all_->options->threads : all_cores;
    running_ = std::clamp(wanted, 1u, 64u);
    const unsigned readers = running_;
    threads_.emplace(readers + 1);
    // All threads or none: a reader in the place of the lister would block.
    if (auto started = threads_->start(); !started) return started;
    for (unsigned each = 0; each < readers; ++each) threads_->add([this] { read(); });
    threads_->add([this, &roots, &stores] {
      for (const auto& root : roots) walk(root, *all_);
      for (const store_root& each : stores) walk_store(each, *all_);
      all_->jobs.finish();
    });
    return {};
  }

 private:
  void read() {
    read_files(*all_);
    if (--running_ != 0) return;
    // Without readers the lister would wait for space without end.
    all_->jobs.close();
    all_->outcomes.finish();
  }

  shared_state* all_;
  std::atomic<unsigned> running_ = 0;
  std::optional<workers::worker_pool> threads_;
};

class index_writer {
 public:
  index_writer(connection& index, row_writer& rows, scan_report& report, bool thorough)
      : index_(&index), rows_(&rows), report_(&report), thorough_(thorough) {}

  result<void> take(outcome&& found) {
    if (!batch_) {
      auto begun = transaction::begin(*index_);
      if (!begun) return fail(begun.error());
      batch_.emplace(std::move(*begun));
      began_ = std::chrono::steady_clock::now();
      in_batch_ = 0;
    }
    if (auto done = store(std::move(found)); !done) return done;
    ++in_batch_;
    return {};
  }

  // Ends the batch if it is large or old enough, or if `now` is set.
  result<void> settle(bool now) {
    constexpr std::size_t most = 1000;
    constexpr auto oldest = std::chrono::milliseconds(500);
    if (!batch_) return {};
    if (!now && in_batch_ < most && std::chrono::steady_clock::now() - began_ < oldest) return {};
    auto done = batch_->commit();
    batch_.reset();
    return done;
  }

 private:
  result<void> store(outcome&& found) {
    if (found.what == outcome::kind::unchanged_again) return rows_->mark_present(found.id);
    if (found.what == outcome::kind::moved) {
      const auto moved = rows_->move(found.id, found.from, found.path, found.identity);
      if (!moved) return fail(moved.error());
      if (*moved) {
        ++report_->moved;
        return {};
      }
      // Another scan was faster, so this is a copy.
      const auto path = filesystem_path(found.path);
      auto facts = describe_file(path, format_of(path), thorough_, {});
      if (!facts) return fail(facts.error());
      found.facts = std::move(*facts);
    }
    const auto put = rows_->put(found.path, found.identity, found.hash, found.facts);
    if (!put) return fail(put.error());
    if (!found.facts.is_recording()) {
      ++report_->ignored;
    } else {
      ++(found.known ? report_->changed : report_->added);
      if (found.facts.damaged()) ++report_->damaged;
    }
    return {};
  }

  connection* index_;
  row_writer* rows_;
  scan_report* report_;
  bool thorough_;
  std::optional<transaction> batch_;
  std::chrono::steady_clock::time_point began_;
  std::size_t in_batch_ = 0;
};

// A path that cannot be checked may still exist.
bool is_gone(const std::string& path, const shared_state& all) {
  if (store::is_s3_url(path)) {
    return std::ranges::none_of(all.unlisted,
                                [&path](const std::string& root) { return path.starts_with(root + '/'); });
  }
  const auto there = identify(filesystem_path(path));
  return !there && there.error().code == error_code::not_found;
}

result<void> mark_vanished(shared_state& all, connection& index, row_writer& rows, scan_report& report) {
  std::optional<transaction> batch;
  for (const auto& [path, file] : all.known) {
    if (file.seen || file.vanished || !is_gone(path, all)) continue;
    if (!batch) {
      auto begun = transaction::begin(index);
      if (!begun) return fail(begun.error());
      batch.emplace(std::move(*begun));
    }
    const auto marked = rows.mark_vanished(file.id, path);
    if (!marked) return fail(marked.error());
    if (*marked) ++report.vanished;
  }
  return batch ? batch->commit() : result<void>();
}

// The address in the form that rows begin with.
result<store_root> open_root(const file_path& root, shared_state& all) {
  auto opened = store::open(root.utf8(), {.cancelled = [&all] { return all.stop.load(); }});
  if (!opened) return fail(opened.error());
  std::string address = (*opened)->url_of("");
  while (address.ends_with('/')) address.pop_back();
  return store_root{std::move(address), std::move(*opened)};
}

}  // namespace

void shared_state::meet(const std::string& path, job found) {
  const auto at = known.find(path);
  found.known = at != known.end();
  if (found.known) {
    if (at->second.seen) return;  // two roots that overlap
    at->second.seen = true;
  }
  ++seen;
  const bool asked_again = options->everything || (found.known && at->second.unread && options->thorough);
  if (found.known && at->second.identity == found.identity && !asked_again) {
    ++unchanged;
    if (!at->second.vanished) return;
    outcome back;
    back.what = outcome::kind::unchanged_again;
    back.path = path;
    back.id = at->second.id;
    outcomes.give(std::move(back));
    return;
  }
  bytes_found += found.identity.bytes;
  jobs.give(std::move(found));
}

result<scan_report> catalogue::scan(const std::vector<file_path>& roots, const scan_options& options) {
  scan_report report;
  auto rows = row_writer::prepare(state_->index);
  if (!rows) return fail(rows.error());
  shared_state all;
  all.options = &options;
  all.database = state_->path;
  std::vector<std::filesystem::path> full;
  std::vector<store_root> stores;
  for (const auto& root : roots) {
    if (store::is_s3_url(root.utf8())) {
      auto opened = open_root(root, all);
      if (!opened) {
        all.cannot_list(root.utf8(), opened.error());
        continue;
      }
      stores.push_back(std::move(*opened));
      if (auto loaded = load_known_files(state_->index, stores.back().address, '/', all.known); !loaded) {
        return fail(loaded.error());
      }
      continue;
    }
    if (auto checked = check_path(root); !checked) return fail(checked.error());
    full.push_back(full_path(filesystem_path(root)));
    if (auto loaded = load_known_files(state_->index, full.back(), all.known); !loaded) {
      return fail(loaded.error());
    }
  }
  {
    index_writer writer(state_->index, *rows, report, options.thorough);
    crew hands(all);
    if (auto started = hands.start(full, stores); !started) return fail(started.error());
    while (!all.outcomes.ended()) {
      auto found = all.outcomes.take(std::chrono::milliseconds(50));
      if (found) {
        if (auto taken = writer.take(std::move(*found)); !taken) return fail(taken.error());
      }
      if (auto settled = writer.settle(!found); !settled) return fail(settled.error());
      options.watch.report(all.bytes_read, all.bytes_found);
      if (options.watch.stop()) {
        report.interrupted = true;
        break;
      }
    }
    if (all.stop && !report.interrupted) {
      return fail(error_code::io_failed, error::no_offset, "a reader thread cannot open the index");
    }
    if (auto settled = writer.settle(true); !settled) return fail(settled.error());
  }
  report.seen = all.seen;
  report.unchanged = all.unchanged;
  report.unreadable_folders = all.unreadable_folders;
  report.unreadable = std::move(all.unreadable);
  report.unreadable_objects = all.unreadable_objects;
  report.unread = all.unfetched();
  report.unlisted = all.unlisted.size();
  if (report.interrupted) return report;
  if (auto marked = mark_vanished(all, state_->index, *rows, report); !marked) return fail(marked.error());
  return report;
}

}  // namespace tickreel::library
