#include "retention_list.hpp"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <iterator>
#include <optional>
#include <string_view>
#include <system_error>
#include <thread>
#include <utility>

#include "match_file.hpp"
#include "tickreel/bytes/span.hpp"
#include "tickreel/files/conversion.hpp"
#include "tickreel/files/extra.hpp"
#include "tickreel/io/file.hpp"
#include "tickreel/io/filesystem_path.hpp"
#include "tickreel/io/folder.hpp"

namespace tickreel::echo_vr {
namespace {

// Hundreds of thousands of recordings.
constexpr std::uint64_t max_list_bytes = 16u << 20;
constexpr int lock_attempts = 50;
constexpr std::chrono::milliseconds lock_interval{20};

struct entry {
  std::uint64_t bytes = 0;
  std::int64_t finished_ms = 0;
  std::int64_t written_at = 0;  // see write_time()
  std::string name;
};

// Time of the last write, only for comparison. Lists of 0.2.0 count from 2174, as GCC's file clock does.
std::int64_t write_time(const path_status& found) {
  constexpr std::int64_t seconds_to_2174 = 6'437'664'000;
  return found.modified_ns - seconds_to_2174 * 1'000'000'000;
}

bool is_plain_file(const path_status& found) {
  return found.kind == entry_kind::file && !found.is_link;
}

template <class Number>
bool take_number(std::string_view& line, Number& to) {
  const auto [end, failed] = std::from_chars(line.data(), line.data() + line.size(), to);
  if (failed != std::errc{} || end == line.data() + line.size() || *end != '\t') return false;
  line.remove_prefix(static_cast<std::size_t>(end - line.data()) + 1);
  return true;
}

// A manually edited list must not refer to files in other folders.
bool is_plain_name(std::string_view name) {
  return !name.empty() && name != "." && name != ".." && name != kept_list_name &&
         name.find_first_of(std::string_view("/\\:\0", 4)) == std::string_view::npos;
}

std::vector<entry> parse(std::string_view text) {
  std::vector<entry> entries;
  for (std::size_t at = 0, end = 0; (end = text.find('\n', at)) != std::string_view::npos; at = end + 1) {
    std::string_view line = text.substr(at, end - at);
    entry one;
    if (!take_number(line, one.bytes) || !take_number(line, one.finished_ms) ||
        !take_number(line, one.written_at) || !is_plain_name(line)) {
      continue;
    }
    one.name = line;
    // The name was free again.
    std::erase_if(entries, [&](const entry& older) { return older.name == one.name; });
    entries.push_back(std::move(one));
  }
  return entries;
}

std::string line_of(const entry& one) {
  return std::to_string(one.bytes) + '\t' + std::to_string(one.finished_ms) + '\t' +
         std::to_string(one.written_at) + '\t' + one.name + '\n';
}

// Another recorder locks the list only for a moment.
result<file> open_list(const std::filesystem::path& path) {
  for (int attempt = 1;; ++attempt) {
    auto opened = file::open_for_appending(path);
    if (!opened && opened.error().code == error_code::not_found) opened = file::create_new(path);
    const bool again = !opened && (opened.error().code == error_code::in_use ||
                                   opened.error().code == error_code::already_exists);
    if (!again || attempt == lock_attempts) return opened;
    std::this_thread::sleep_for(lock_interval);
  }
}

result<std::vector<entry>> read_list(const file& list) {
  const auto size = list.size();
  if (!size) return fail(size.error());
  if (*size > max_list_bytes) return fail(error_code::over_limit, *size, "the list of recorded files");
  byte_vector bytes(static_cast<std::size_t>(*size));
  const auto got = list.read_at(bytes, 0);
  if (!got) return fail(got.error());
  bytes.resize(*got);
  return parse(as_text(bytes));
}

constexpr std::string_view extra_ending = ".extra.json";

bool is_extra(const entry& one) {
  return one.name.ends_with(extra_ending);
}

// The recording whose values it holds.
std::string recording_of(const entry& extra) {
  return extra.name.substr(0, extra.name.size() - extra_ending.size()) +
         std::string(extension(record_format::butter));
}

// The file that was written with a .butter, if there is one: written after it, not an older one of that name.
std::optional<entry> extra_beside(const std::filesystem::path& recording, std::int64_t written_at) {
  const files::format* const kind = files::find_format(files::format_of_name(recording));
  if (kind == nullptr || !kind->as_echo_output.has_side_data) return std::nullopt;
  const std::filesystem::path beside = filesystem_path(files::extra_path(file_path(recording)));
  const auto found = status_of(beside);
  if (!found || !is_plain_file(*found) || write_time(*found) < written_at) return std::nullopt;
  return entry{found->bytes, 0, write_time(*found), file_path(beside.filename()).utf8()};
}

// Whether it is the published file, unchanged, and not open for writing.
bool is_ours(const std::filesystem::path& path, const entry& listed) {
  const auto found = status_of(path);
  if (!found || !is_plain_file(*found) || found->bytes != listed.bytes) return false;
  // An edit in place may leave the size unchanged.
  return write_time(*found) == listed.written_at && file::open_for_appending(path).has_value();
}

// Whether the file no longer exists; reported in `removed`.
bool remove(const std::filesystem::path& folder, const entry& one, bool too_old,
            std::vector<retention_list::removed_file>& removed) {
  retention_list::removed_file gone{folder / filesystem_path(file_path(one.name)), one.bytes, too_old, {}};
  const auto done = remove_file(gone.path);
  // Another program may have deleted it since.
  const bool is_gone = done || done.error().code == error_code::not_found;
  if (!is_gone) {
    gone.outcome =
        tl::unexpected<error>(from_system_error(done.error().system_error, "removing an old recording"));
  }
  removed.push_back(std::move(gone));
  return is_gone;
}

}  // namespace

retention_list::retention_list(std::filesystem::path folder, const retention_options& options)
    : folder_(std::move(folder)), options_(options) {}

result<void> retention_list::add(const std::filesystem::path& path, std::uint64_t bytes,
                                 std::int64_t now_ms) {
  const auto found = status_of(path);
  if (!found) {
    return tl::unexpected<error>(
        from_system_error(found.error().system_error, "asking when a recording was written"));
  }
  const std::int64_t written_at = write_time(*found);
  auto list = open_list(folder_ / kept_list_name);
  if (!list) return fail(list.error());
  std::string lines = line_of({bytes, now_ms, written_at, file_path(path.filename()).utf8()});
  if (auto beside = extra_beside(path, written_at)) {
    beside->finished_ms = now_ms;
    lines += line_of(*beside);
  }
  return list->append(as_bytes(lines));
}

result<std::vector<retention_list::removed_file>> retention_list::remove_surplus(std::int64_t now_ms) {
  auto list = open_list(folder_ / kept_list_name);
  if (!list) return fail(list.error());
  auto listed = read_list(*list);
  if (!listed) return fail(listed.error());
  const std::size_t before = listed->size();
  std::erase_if(*listed, [&](const entry& one) {
    return !is_ours(folder_ / filesystem_path(file_path(one.name)), one);
  });
  // They are deleted with their recordings, and stay where those were changed or deleted by another program.
  std::vector<entry> extras;
  std::copy_if(listed->begin(), listed->end(), std::back_inserter(extras), is_extra);
  std::erase_if(*listed, is_extra);
  const auto extra_of = [&](const entry& recording) {
    return std::find_if(extras.begin(), extras.end(),
                        [&](const entry& each) { return recording_of(each) == recording.name; });
  };
  std::stable_sort(listed->begin(), listed->end(),
                   [](const entry& a, const entry& b) { return a.finished_ms < b.finished_ms; });
  std::uint64_t total = 0;
  for (const entry& one : *listed) {
    total += one.bytes;
    if (const auto extra = extra_of(one); extra != extras.end()) total += extra->bytes;
  }

  std::vector<removed_file> removed;
  std::vector<entry> left;
  for (std::size_t i = 0; i < listed->size(); ++i) {
    const entry& one = (*listed)[i];
    const bool newest = i + 1 == listed->size();
    const bool too_old = options_.max_age_ms != 0 && now_ms - one.finished_ms > 0 &&
                         static_cast<std::uint64_t>(now_ms - one.finished_ms) > options_.max_age_ms;
    const bool too_much = options_.max_bytes != 0 && total > options_.max_bytes;
    const auto extra = extra_of(one);
    const bool has_extra = extra != extras.end();
    const bool gone = !newest && (too_old || too_much) && remove(folder_, one, too_old, removed);
    if (!gone) {
      left.push_back(one);
      if (has_extra) left.push_back(*extra);
      continue;
    }
    total -= one.bytes;
    if (has_extra && remove(folder_, *extra, too_old, removed)) total -= extra->bytes;
  }
  if (left.size() == before) return removed;
  std::string text;
  for (const entry& one : left) text += line_of(one);
  result<void> written = text.empty() ? result<void>() : list->overwrite(as_bytes(text), 0);
  if (written) written = list->truncate(text.size());
  if (!written) return fail(written.error());
  return removed;
}

}  // namespace tickreel::echo_vr
