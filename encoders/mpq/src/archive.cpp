#include "tickreel/mpq/archive.hpp"

#include <algorithm>
#include <optional>
#include <set>
#include <tuple>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "cipher.hpp"
#include "frame.hpp"
#include "names.hpp"
#include "tables.hpp"
#include "tickreel/mpq/attributes.hpp"

namespace tickreel::mpq {

namespace {

// The compression of an uncompressed member is unknown; it is derived from its neighbours.
constexpr std::size_t neighbours_asked = 16;

std::vector<std::string> lines_of(std::string_view text) {
  std::vector<std::string> out;
  while (!text.empty() && out.size() < listed_limit) {
    const std::size_t end = std::min(text.find_first_of(name_ends), text.size());
    if (end > 0 && end <= name_limit) out.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return out;
}

}  // namespace

bool is_housekeeping(std::string_view name) noexcept {
  return name == listfile_name || name == attributes_name;
}

struct archive::state {
  open_options options;
  byte_vector owned;
  byte_span file;
  file_prefix prefix;
  bool has_prefix = false;
  archive_tables tables;
  std::vector<member> members;
  std::vector<member> housekeeping;
  std::size_t nameless = 0;
  bool has_unnamed_block = false;  // also an empty one
  std::vector<std::string> lost;
  std::vector<std::string> removed;
  std::size_t broken_entries = 0;
  std::vector<frame_fault> frame_faults;
  bool has_list = false;
  packing usual_packing = packing::bzip2;

  [[nodiscard]] std::uint64_t archive_offset() const noexcept {
    return has_prefix ? prefix.archive_offset : 0u;
  }
  [[nodiscard]] byte_span archive_bytes() const noexcept {
    return file.subspan(static_cast<std::size_t>(archive_offset()));
  }
  std::optional<member> look_up(const std::string& name) const;
  std::vector<std::string> listed_names();
  void list();
  void find_lost(const std::vector<std::string>& listed);
  result<void> read(const member& of, byte_vector& into) const;
};

std::optional<member> archive::state::look_up(const std::string& name) const {
  const auto block = tables.find(name);
  if (!block) return std::nullopt;
  const block_row& row = tables.blocks()[*block];
  return member{name, row.bytes, row.packed_bytes, archive_offset() + row.offset, *block};
}

// As stated by the tables. If that fails, or a member flagged as uncompressed begins like a compressed one,
// it is decompressed regardless.
result<void> archive::state::read(const member& of, byte_vector& into) const {
  const char* const name = static_name(of.name, options.known_names);
  const byte_span from = archive_bytes();
  auto outcome = tables.check(from, of.block, of.name, options.limits, name);
  if (outcome && of.bytes <= of.packed_bytes &&
      tables.unpack_ignoring_size(from, of.block, of.name, options.limits, into)) {
    return {};
  }
  if (outcome) {
    into.resize(static_cast<std::size_t>(of.bytes));
    outcome = tables.unpack(from, of.block, of.name, into, name);
  }
  if (outcome || tables.unpack_ignoring_size(from, of.block, of.name, options.limits, into)) return {};
  into.clear();
  return outcome;
}

std::vector<std::string> archive::state::listed_names() {
  byte_vector text;
  // Without a list only the known names are used.
  if (housekeeping.empty() || housekeeping[0].name != listfile_name ||
      housekeeping[0].bytes > listfile_limit || !read(housekeeping[0], text)) {
    return {};
  }
  has_list = true;
  return lines_of(as_text(text));
}

void archive::state::find_lost(const std::vector<std::string>& listed) {
  std::set<hashed_name> reported;
  broken_entries = tables.entries_without_block();
  const auto report = [&](const std::string& name) {
    if (look_up(name) || !reported.insert(hashed(name)).second) return;
    const bool has_entry = tables.has_entry(name);
    (has_entry || has_unnamed_block ? lost : removed).push_back(name);
    if (has_entry) --broken_entries;
  };
  for (const std::string& name : listed) report(name);
  // The list may be damaged, too.
  std::vector<std::string> known(options.known_names.begin(), options.known_names.end());
  known.emplace_back(listfile_name);
  known.emplace_back(attributes_name);
  for (const std::string& name : known) {
    if (tables.has_entry(name)) report(name);
  }
  std::unordered_map<std::uint32_t, std::size_t> names_of;  // by block
  for (const auto* list : {&housekeeping, &members}) {
    for (const member& each : *list) ++names_of[each.block];
  }
  for (const auto* list : {&housekeeping, &members}) {
    for (const member& each : *list) {
      if (names_of[each.block] > 1) lost.push_back(each.name);
    }
  }
}

void archive::state::list() {
  std::unordered_set<std::uint32_t> named;
  for (const std::string_view name : {listfile_name, attributes_name}) {
    if (auto found = look_up(std::string(name))) housekeeping.push_back(std::move(*found));
  }
  for (const member& each : housekeeping) named.insert(each.block);
  std::set<hashed_name> seen = {hashed(listfile_name), hashed(attributes_name)};
  const std::vector<std::string> listed = listed_names();
  std::vector<std::string> names(options.known_names.begin(), options.known_names.end());
  names.insert(names.end(), listed.begin(), listed.end());
  for (const std::string& name : names) {
    if (!seen.insert(hashed(name)).second) continue;
    if (auto found = look_up(name)) {
      named.insert(found->block);
      members.push_back(std::move(*found));
    }
  }
  // Empty members occupy no bytes.
  std::sort(members.begin(), members.end(), [](const member& left, const member& right) {
    return std::tie(left.offset, left.block) < std::tie(right.offset, right.block);
  });
  for (std::uint32_t block = 0; block < tables.blocks().size(); ++block) {
    const block_row& row = tables.blocks()[block];
    if ((row.flags & block_exists) == 0 || named.contains(block)) continue;
    has_unnamed_block = true;
    // An empty one is no loss.
    if (row.bytes > 0) ++nameless;
  }
  find_lost(listed);
  for (std::size_t i = 0; i < std::min(members.size(), neighbours_asked); ++i) {
    if (const auto found = tables.packing_of(archive_bytes(), members[i].block, members[i].name)) {
      usual_packing = *found;
      return;
    }
  }
}

result<archive> archive::open(std::unique_ptr<state> made) {
  const byte_span bytes = made->file;
  if (bytes.size() > made->options.limits.file_bytes) {
    return fail(error_code::over_limit, 0, "the file is too large");
  }
  if (auto prefix = read_prefix(bytes)) {
    made->has_prefix = true;
    made->prefix = *prefix;
    if (prefix->archive_offset > bytes.size()) {
      return fail(error_code::truncated, bytes.size(), "the file ends before its archive");
    }
  } else if (prefix.error().code != error_code::bad_magic) {
    return fail(prefix.error());
  }
  auto tables = archive_tables::read(made->archive_bytes(), made->archive_offset());
  if (!tables) return fail(tables.error());
  made->tables = std::move(*tables);
  made->list();
  made->frame_faults = find_frame_faults(bytes, made->has_prefix ? &made->prefix : nullptr);
  std::uint64_t total = 0;
  for (const member& each : made->members) total += each.bytes;
  if (total > made->options.limits.total_bytes) {
    return fail(error_code::over_limit, made->archive_offset(), "the archive's members together");
  }
  return archive(std::move(made));
}

result<archive> archive::open(byte_span file, const open_options& options) {
  auto made = std::make_unique<state>();
  made->options = options;
  made->file = file;
  return open(std::move(made));
}

result<archive> archive::open(byte_vector&& file, const open_options& options) {
  auto made = std::make_unique<state>();
  made->options = options;
  made->owned = std::move(file);
  made->file = made->owned;
  return open(std::move(made));
}

archive::archive(std::unique_ptr<state> owned) noexcept : state_(std::move(owned)) {}
archive::archive(archive&&) noexcept = default;
archive& archive::operator=(archive&&) noexcept = default;
archive::~archive() = default;

byte_span archive::user_data() const noexcept {
  if (!state_->has_prefix) return {};
  return state_->file.subspan(prefix_bytes, state_->prefix.user_data_bytes);
}

std::uint64_t archive::file_bytes() const noexcept {
  return state_->file.size();
}

std::span<const member> archive::members() const noexcept {
  return state_->members;
}

std::size_t archive::nameless() const noexcept {
  return state_->nameless;
}

std::span<const std::string> archive::lost() const noexcept {
  return state_->lost;
}

std::span<const std::string> archive::removed() const noexcept {
  return state_->removed;
}

std::size_t archive::broken_entries() const noexcept {
  return state_->broken_entries;
}

std::span<const frame_fault> archive::frame_faults() const noexcept {
  return state_->frame_faults;
}

bool archive::has_list() const noexcept {
  return state_->has_list;
}

const member* archive::find(std::string_view name) const noexcept {
  for (const auto* list : {&state_->members, &state_->housekeeping}) {
    for (const member& each : *list) {
      if (each.name == name) return &each;
    }
  }
  return nullptr;
}

result<byte_vector> archive::read(std::string_view name) const {
  byte_vector out;
  auto read_it = read(name, out);
  if (!read_it) return fail(read_it.error());
  return out;
}

result<void> archive::read(std::string_view name, byte_vector& into) const {
  into.clear();
  const member* found = find(name);
  if (found == nullptr) {
    return fail(error_code::not_found, error::no_offset, static_name(name, state_->options.known_names));
  }
  return state_->read(*found, into);
}

storage archive::storage_of(const member& of) const {
  const std::uint32_t flags = state_->tables.blocks()[of.block].flags;
  storage out;
  out.in_sectors = (flags & block_single_unit) == 0;
  out.sector_checksums = (flags & block_sector_checksums) != 0;
  out.enciphered = (flags & block_enciphered) != 0;
  out.key_depends_on_place = (flags & block_key_depends_on_place) != 0;
  if ((flags & block_compressed) == 0) {
    out.packing = packing::none;
  } else {
    const auto found = state_->tables.packing_of(state_->archive_bytes(), of.block, of.name);
    out.packing = found.value_or(state_->usual_packing);
  }
  return out;
}

archive_shape archive::shape() const {
  archive_shape out;
  out.has_user_data = state_->has_prefix;
  if (out.has_user_data) {
    // Existing data is preserved, whatever the prefix states.
    out.user_data_room = std::max(state_->prefix.user_data_room, state_->prefix.user_data_bytes);
    out.archive_offset = state_->prefix.archive_offset;
  }
  out.sector_bytes = state_->tables.sector_bytes();
  out.hash_rows = std::min(state_->tables.hash_rows(), largest_hash_rows);
  out.listfile = find(listfile_name) != nullptr;
  out.housekeeping.packing = state_->usual_packing;
  if (!state_->housekeeping.empty()) out.housekeeping = storage_of(state_->housekeeping.front());
  const auto kept = read_attributes(*this);
  // An unreadable one is written like the game does.
  if (!kept) return out;
  out.crc32 = kept->crc32;
  out.file_times = kept->file_times;
  out.md5 = kept->md5;
  return out;
}

}  // namespace tickreel::mpq
