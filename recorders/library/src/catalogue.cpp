#include "tickreel/library/catalogue.hpp"
#include "tickreel/io/folder.hpp"

#include <cstdlib>
#include <string>

#include "file_identity.hpp"
#include "state.hpp"
#include "tickreel/io/file.hpp"
#include "tickreel/io/filesystem_path.hpp"
#include "tickreel/library/index_writer.hpp"

namespace tickreel::library {

namespace {

std::filesystem::path from_environment(const char* name) {
#ifdef _WIN32
  // getenv() returns the user's code page, which may lack letters of their name.
  const std::wstring wide(name, name + std::char_traits<char>::length(name));
  const wchar_t* const value = ::_wgetenv(wide.c_str());
#else
  const char* const value = std::getenv(name);
#endif
  return value == nullptr ? std::filesystem::path() : std::filesystem::path(value);
}

}  // namespace

file_path default_database() {
#ifdef _WIN32
  const std::filesystem::path base = from_environment("LOCALAPPDATA");
#elif defined(__APPLE__)
  std::filesystem::path base = from_environment("HOME");
  if (!base.empty()) base = base / "Library" / "Application Support";
#else
  std::filesystem::path base = from_environment("XDG_DATA_HOME");
  if (!base.is_absolute()) {
    base = from_environment("HOME");
    if (!base.empty()) base = base / ".local" / "share";
  }
#endif
  if (base.empty()) return {};
  return base / "tickreel" / "library.db";
}

catalogue::catalogue(std::unique_ptr<state> owned) noexcept : state_(std::move(owned)) {}
catalogue::catalogue(catalogue&&) noexcept = default;
catalogue& catalogue::operator=(catalogue&&) noexcept = default;
catalogue::~catalogue() = default;

const file_path& catalogue::path() const noexcept {
  return state_->path;
}

result<catalogue> catalogue::open(const file_path& database, bool create) {
  if (auto checked = check_path(database); !checked) return fail(checked.error());
  const std::filesystem::path path = full_path(filesystem_path(database));
  if (create) {
    if (auto made = create_folders(path.parent_path()); !made) return fail(made.error());
  }
  using access = connection::access;
  auto index = open_to_write(path, create ? access::create : access::read_write);
  if (index) return catalogue(std::unique_ptr<state>(new state{path, std::move(*index)}));
  const error_code why = index.error().code;
  const bool refused = why == error_code::permission_denied || why == error_code::not_found;
  if (create || !refused || !path_exists(path)) return fail(index.error());
  auto reader = open_reader(path);
  if (reader)
    return catalogue(std::unique_ptr<state>(new state{path, std::move(reader->index), reader->how}));
  return fail(reader.error().code == error_code::unsupported_version ? reader.error() : index.error());
}

result<std::uint64_t> catalogue::sql(std::string_view text,
                                     const std::function<void(const std::vector<std::string>&)>& columns,
                                     const std::function<bool(const sql_row&)>& each,
                                     std::string& problem) const {
  auto reader = connection::open(state_->path, state_->reading);
  if (!reader) return fail(reader.error());
  reader->only_read();
  auto asked = reader->prepare(text, &problem);
  if (!asked) return fail(error_code::invalid_argument, error::no_offset, asked.error().detail);
  if (!asked->only_reads()) {
    problem = "only SELECT";
    return fail(error_code::invalid_argument, error::no_offset, "only SELECT");
  }
  std::vector<std::string> names;
  for (int column = 0; column < asked->columns(); ++column) names.emplace_back(asked->column_name(column));
  columns(names);
  std::uint64_t count = 0;
  sql_row row(names.size());
  for (;;) {
    const auto more = asked->step();
    if (!more) return fail(more.error());
    if (!*more) return count;
    for (int column = 0; column < asked->columns(); ++column) {
      auto& value = row[static_cast<std::size_t>(column)];
      value = asked->is_null(column) ? std::nullopt : std::optional(std::string(asked->text(column)));
    }
    ++count;
    if (!each(row)) return count;
  }
}

}  // namespace tickreel::library
