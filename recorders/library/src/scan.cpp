// Scanning: one thread walks the folders, others read files, the caller's thread writes the index.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <optional>
#include <system_error>
#include <thread>

#include "describe_file.hpp"
#include "rows.hpp"
#include "state.hpp"
#include "tickreel/io/file.hpp"
#include "tickreel/io/filesystem_path.hpp"
#include "tickreel/workers/worker_pool.hpp"

namespace tickreel::library {

namespace {

// Hands things from some threads to others; who gives waits while there is no room.
template <class Thing>
class hand_over {
 public:
  explicit hand_over(std::size_t room) : room_(room) {}

  // False when nobody takes any more.
  bool give(Thing thing) {
    std::unique_lock lock(mutex_);
    has_room_.wait(lock, [&] { return closed_ || things_.size() < room_; });
    if (closed_) return false;
    things_.push_back(std::move(thing));
    has_things_.notify_one();
    return true;
  }
  // Empty at the end, or when nothing came in time.
  std::optional<Thing> take(std::chrono::milliseconds patience) {
    std::unique_lock lock(mutex_);
    has_things_.wait_for(lock, patience, [&] { return !things_.empty() || closed_ || finished_; });
    if (things_.empty() || closed_) return std::nullopt;
    Thing out = std::move(things_.front());
    things_.pop_front();
    has_room_.notify_one();
    return out;
  }
  // Nothing more will be given.
  void finish() {
    const std::lock_guard lock(mutex_);
    finished_ = true;
    has_things_.notify_all();
  }
  // Nothing more is wanted.
  void close() {
    const std::lock_guard lock(mutex_);
    closed_ = true;
    has_things_.notify_all();
    has_room_.notify_all();
  }
  [[nodiscard]] bool ended() {
    const std::lock_guard lock(mutex_);
    return closed_ || (finished_ && things_.empty());
  }

 private:
  std::mutex mutex_;
  std::condition_variable has_room_, has_things_;
  std::deque<Thing> things_;
  std::size_t room_;
  bool finished_ = false;
  bool closed_ = false;
};

constexpr auto forever = std::chrono::hours(1);

struct job {
  std::filesystem::path path;
  file_identity identity;
  bool known = false;
};

struct outcome {
  enum class kind : std::uint8_t { described, moved, unchanged_again };
  kind what = kind::described;
  std::string path;
  file_identity identity;
  bool known = false;
  std::uint64_t hash = 0;
  description facts;
  // moved: the row, and the path that it had.
  std::int64_t id = 0;
  std::string from;
};

struct shared_state {
  known_files known;
  const scan_options* options = nullptr;
  file_path database;
  std::atomic<bool> stop = false;
  std::atomic<std::uint64_t> seen = 0, unchanged = 0, unreadable_folders = 0;
  std::atomic<std::uint64_t> bytes_found = 0, bytes_read = 0;
  hand_over<job> jobs{1024};
  hand_over<outcome> outcomes{1024};
  std::vector<file_path> unreadable;  // the walker's, until it is joined

  void cannot_read(const std::filesystem::path& folder) {
    constexpr std::size_t named = 10;
    if (++unreadable_folders <= named) unreadable.emplace_back(folder);
  }
};

// The index itself and what SQLite keeps beside it.
bool belongs_to_index(const std::filesystem::path& path, const file_path& database) {
  const std::string name = file_path(path).utf8();
  const std::string& index = database.utf8();
  return name.starts_with(index) &&
         (name == index || name == index + "-wal" || name == index + "-shm" || name == index + "-journal");
}

void meet_file(const std::filesystem::path& path, shared_state& all) {
  const auto identity = identify(path);
  if (!identity || belongs_to_index(path, all.database)) return;
  const auto known = all.known.find(file_path(path).utf8());
  const bool is_known = known != all.known.end();
  if (is_known) {
    if (known->second.seen) return;  // two roots that overlap
    known->second.seen = true;
  }
  ++all.seen;
  if (is_known && known->second.identity == *identity && !all.options->everything) {
    ++all.unchanged;
    if (!known->second.vanished) return;
    outcome back;
    back.what = outcome::kind::unchanged_again;
    back.path = file_path(path).utf8();
    back.id = known->second.id;
    all.outcomes.give(std::move(back));
    return;
  }
  all.bytes_found += identity->bytes;
  all.jobs.give({path, *identity, is_known});
}

void walk(const std::filesystem::path& root, shared_state& all) {
  std::error_code problem;
  if (!std::filesystem::is_directory(root, problem)) {
    meet_file(root, all);
    return;
  }
  std::vector<std::filesystem::path> folders = {root};
  while (!folders.empty() && !all.stop) {
    const std::filesystem::path folder = std::move(folders.back());
    folders.pop_back();
    std::filesystem::directory_iterator entries(folder, problem);
    if (problem) {
      all.cannot_read(folder);
      continue;
    }
    while (entries != std::filesystem::directory_iterator() && !all.stop) {
      std::error_code ignored;
      const bool link = entries->is_symlink(ignored);
      if (entries->is_directory(ignored)) {
        if (!link) folders.push_back(entries->path());
      } else {
        meet_file(entries->path(), all);
      }
      entries.increment(problem);
      if (problem) {
        all.cannot_read(folder);
        break;
      }
    }
  }
}

// The row of a file that had this content and is not there any more.
std::optional<std::pair<std::int64_t, std::string>> moved_from(statement& by_hash, std::uint64_t hash,
                                                               std::uint64_t bytes) {
  std::optional<std::pair<std::int64_t, std::string>> found;
  by_hash.bind(1, static_cast<std::int64_t>(hash)).bind(2, static_cast<std::int64_t>(bytes));
  for (auto more = by_hash.step(); more && *more && !found; more = by_hash.step()) {
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
  // Another time stamp than any file has, so that the next scan looks at it again.
  const auto look_again = [&out] {
    out.identity.modified_ns = 0;
    out.identity.inode = 0;
  };
  const std::string format = format_of(file.path);
  if (format.empty()) {
    if (auto there = tickreel::file::open_for_reading(file.path);
        !there && is_of_the_machine(there.error())) {
      look_again();
    }
    return out;
  }
  const auto hash = fingerprint(file.path, file.identity.bytes);
  if (!hash) {
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
  if (out.facts.machine_refused) look_again();
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
  while (!all.stop) {
    const auto next = all.jobs.take(forever);
    if (!next) {
      if (all.jobs.ended()) return;
      continue;
    }
    auto found = look_at(*next, *by_hash, all);
    all.bytes_read += next->identity.bytes;
    if (found && !all.outcomes.give(std::move(*found))) return;
  }
}

// The threads of a scan; ends them, however it ends.
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

  // Once. `roots` must outlive the crew.
  result<void> start(const std::vector<std::filesystem::path>& roots) {
    const unsigned wanted =
        all_->options->threads != 0 ? all_->options->threads : std::thread::hardware_concurrency();
    running_ = std::clamp(wanted, 1u, 64u);
    const unsigned readers = running_;
    threads_.emplace(readers + 1);
    // All of them or nothing: a reader in the place of the walker would wait for ever.
    if (auto started = threads_->start(); !started) return started;
    for (unsigned each = 0; each < readers; ++each) threads_->add([this] { read(); });
    threads_->add([this, &roots] {
      for (const auto& root : roots) walk(root, *all_);
      all_->jobs.finish();
    });
    return {};
  }

 private:
  void read() {
    read_files(*all_);
    if (--running_ != 0) return;
    // Without readers the walker would wait for room for ever.
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

  // Ends the batch when it is large or old enough, or when `now`.
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
      // Somebody else was quicker, so this is a copy.
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

result<void> mark_vanished(shared_state& all, connection& index, row_writer& rows, scan_report& report) {
  std::optional<transaction> batch;
  for (const auto& [path, file] : all.known) {
    if (file.seen || file.vanished) continue;
    const auto there = identify(filesystem_path(path));
    // What cannot be looked at may well be there.
    if (there || there.error().code != error_code::not_found) continue;
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

}  // namespace

result<scan_report> catalogue::scan(const std::vector<file_path>& roots, const scan_options& options) {
  scan_report report;
  auto rows = row_writer::prepare(state_->index);
  if (!rows) return fail(rows.error());
  shared_state all;
  all.options = &options;
  all.database = state_->path;
  std::vector<std::filesystem::path> full;
  for (const auto& root : roots) {
    if (auto checked = check_path(root); !checked) return fail(checked.error());
    full.push_back(full_path(filesystem_path(root)));
    if (auto loaded = load_known_files(state_->index, full.back(), all.known); !loaded) {
      return fail(loaded.error());
    }
  }
  {
    index_writer writer(state_->index, *rows, report, options.thorough);
    crew hands(all);
    if (auto started = hands.start(full); !started) return fail(started.error());
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
      return fail(error_code::io_failed, error::no_offset, "the index cannot be opened a second time");
    }
    if (auto settled = writer.settle(true); !settled) return fail(settled.error());
  }
  report.seen = all.seen;
  report.unchanged = all.unchanged;
  report.unreadable_folders = all.unreadable_folders;
  report.unreadable = std::move(all.unreadable);
  if (report.interrupted) return report;
  if (auto marked = mark_vanished(all, state_->index, *rows, report); !marked) return fail(marked.error());
  return report;
}

}  // namespace tickreel::library
