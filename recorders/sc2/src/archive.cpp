#include "tickreel/sc2/archive.hpp"

#include <algorithm>
#include <tuple>

#include "member_names.hpp"
#include "mpq_tables.hpp"
#include "tickreel/reel/file.hpp"
#include "tickreel/sc2replay/header.hpp"

namespace tickreel::sc2 {

namespace {

// Names come from the archive itself.
constexpr std::size_t name_limit = 200;
constexpr std::size_t listed_limit = 4096;
constexpr std::uint64_t listfile_limit = 1u << 20;

std::vector<std::string> lines_of(std::string_view text) {
  std::vector<std::string> out;
  while (!text.empty() && out.size() < listed_limit) {
    const std::size_t end = std::min(text.find_first_of("\r\n;"), text.size());
    if (end > 0 && end <= name_limit) out.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return out;
}

}  // namespace

struct archive::state {
  archive_limits limits;
  byte_vector file;
  std::uint64_t archive_offset = 0;
  byte_span header;  // in the file
  mpq_tables tables;
  std::vector<member> members;
  std::vector<member> housekeeping;

  [[nodiscard]] byte_span archive_bytes() const noexcept {
    return byte_span(file).subspan(static_cast<std::size_t>(archive_offset));
  }
  std::optional<member> look_up(const std::string& name) const;
  void list();
  result<void> read(const member& of, byte_vector& into) const;
};

std::optional<member> archive::state::look_up(const std::string& name) const {
  const auto block = tables.find(name);
  if (!block) return std::nullopt;
  const block_row& row = tables.blocks()[*block];
  return member{name, row.bytes, row.packed_bytes, archive_offset + row.offset, *block, row.flags};
}

// As the tables say; where that fails, or says that a member is not packed that begins like one that is, it
// is unpacked whatever they say.
result<void> archive::state::read(const member& of, byte_vector& into) const {
  const char* const name = static_name(of.name);
  const byte_span from = archive_bytes();
  auto outcome = tables.check(from, of.block, of.name, limits, name);
  if (outcome && of.bytes <= of.packed_bytes && tables.unpack_anyway(from, of.block, of.name, limits, into)) {
    return {};
  }
  if (outcome) {
    into.resize(static_cast<std::size_t>(of.bytes));
    outcome = tables.unpack(from, of.block, of.name, into, name);
  }
  if (outcome || tables.unpack_anyway(from, of.block, of.name, limits, into)) return {};
  into.clear();
  return outcome;
}

void archive::state::list() {
  std::vector<std::string> names(known_members.begin(), known_members.end());
  for (const std::string_view name : {listfile_name, attributes_name}) {
    if (auto found = look_up(std::string(name))) housekeeping.push_back(std::move(*found));
  }
  byte_vector text;
  // Without it, the known names remain.
  if (!housekeeping.empty() && housekeeping[0].name == listfile_name &&
      housekeeping[0].bytes <= listfile_limit && read(housekeeping[0], text)) {
    for (std::string& each : lines_of(as_text(text))) names.push_back(std::move(each));
  }
  for (const std::string& name : names) {
    const bool seen =
        name == listfile_name || name == attributes_name ||
        std::any_of(members.begin(), members.end(), [&](const member& each) { return each.name == name; });
    if (seen) continue;
    if (auto found = look_up(name)) members.push_back(std::move(*found));
  }
  // Empty members take no place of their own.
  std::sort(members.begin(), members.end(), [](const member& left, const member& right) {
    return std::tie(left.offset, left.block) < std::tie(right.offset, right.block);
  });
}

result<archive> archive::open(byte_vector&& file, const archive_limits& limits) {
  if (file.size() > limits.file_bytes) return fail(error_code::over_limit, 0, "the file is too large");
  auto made = std::make_unique<state>();
  made->limits = limits;
  made->file = std::move(file);
  const byte_span bytes = made->file;
  if (auto prefix = sc2replay::read_prefix(bytes)) {
    made->archive_offset = prefix->archive_offset;
    if (made->archive_offset > bytes.size()) {
      return fail(error_code::truncated, bytes.size(), "the file ends before its archive");
    }
    made->header = bytes.subspan(sc2replay::prefix_bytes, prefix->header_bytes);
  } else if (prefix.error().code != error_code::bad_magic) {
    return fail(prefix.error());
  }
  auto tables = mpq_tables::read(made->archive_bytes(), made->archive_offset);
  if (!tables) {
    if (made->archive_offset == 0) return fail(error_code::bad_magic, 0, "not a StarCraft II replay");
    return fail(tables.error());
  }
  made->tables = std::move(*tables);
  made->list();
  std::uint64_t total = 0;
  for (const member& each : made->members) total += each.bytes;
  if (total > limits.total_bytes) {
    return fail(error_code::over_limit, made->archive_offset, "the archive's members together");
  }
  return archive(std::move(made));
}

result<archive> archive::open(byte_span file, const archive_limits& limits) {
  if (file.size() > limits.file_bytes) return fail(error_code::over_limit, 0, "the file is too large");
  return open(byte_vector(file.begin(), file.end()), limits);
}

result<archive> archive::open(const std::filesystem::path& path, const archive_limits& limits) {
  const std::u8string name = path.u8string();
  auto file = file::open_for_reading(std::string(name.begin(), name.end()));
  if (!file) return fail(file.error());
  auto size = file->size();
  if (!size) return fail(size.error());
  if (*size > limits.file_bytes) return fail(error_code::over_limit, 0, "the file is too large");
  byte_vector content(static_cast<std::size_t>(*size));
  auto count = file->read_at(content, 0);
  if (!count) return fail(count.error());
  content.resize(*count);
  return open(std::move(content), limits);
}

archive::archive(std::unique_ptr<state> owned) noexcept : state_(std::move(owned)) {}
archive::archive(archive&&) noexcept = default;
archive& archive::operator=(archive&&) noexcept = default;
archive::~archive() = default;

byte_span archive::header_bytes() const noexcept {
  return state_->header;
}

std::uint64_t archive::file_bytes() const noexcept {
  return state_->file.size();
}

std::span<const member> archive::members() const noexcept {
  return state_->members;
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
  if (found == nullptr) return fail(error_code::not_found, error::no_offset, static_name(name));
  return state_->read(*found, into);
}

}  // namespace tickreel::sc2
