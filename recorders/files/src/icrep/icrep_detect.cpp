// Detects an .icrep, and finds its end in a longer file.
#include "icrep_format.hpp"
#include "tickreel/icrep/header.hpp"

namespace tickreel::files {

claim claims_icrep(const probe& file) noexcept {
  return as_text(file.head).starts_with("ICRP") ? claim::certain : claim::no;
}

// A live recording ends at the end of the file.
std::optional<std::uint64_t> find_end_of_icrep(byte_source& from, std::uint64_t /*file_bytes*/) {
  const auto bytes = from.view(0, icrep::header_bytes);
  if (!bytes) return std::nullopt;
  const auto head = icrep::read_header(*bytes);
  if (!head || head->live) return std::nullopt;
  return icrep::end_of_sections(*head);
}

}  // namespace tickreel::files
