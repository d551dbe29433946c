// Builds without files: there is no library.
#include "library_tables.hpp"

namespace tickreel::query {

result<std::unique_ptr<library_index>> library_index::open(const file_path&, work&) {
  return fail(error_code::unsupported_operation, error::no_offset, "there is no library");
}

std::shared_ptr<const event_list> library_index::events(const input&, const limits&, bool) const {
  return nullptr;
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
