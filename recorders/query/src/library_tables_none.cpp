// Builds without files: there is no library.
#include "library_tables.hpp"

namespace tickreel::query {

result<std::unique_ptr<library_index>> library_index::open(const file_path&, bool, work&) {
  return fail(error_code::unsupported_operation, error::no_offset, "there is no library");
}

std::shared_ptr<const event_list> library_index::events(const input&, const limits&, bool) const {
  return nullptr;
}

std::unique_ptr<file_rows> library_index::open_kept_rows(const request&, const input&, rows_opener) const {
  return nullptr;
}

std::unique_ptr<file_rows> library_index::keep_rows(const request&, const input&,
                                                    std::unique_ptr<file_rows> rows) {
  return rows;
}

std::vector<std::string> library_index::keeping_notes() const {
  return {};
}

bool is_library_table(std::string_view) noexcept {
  return false;
}

std::vector<std::string_view> library_table_names() {
  return {};
}

result<void> add_library_tables(sqlite3*, work&, library_index&) {
  return {};
}

}  // namespace tickreel::query
