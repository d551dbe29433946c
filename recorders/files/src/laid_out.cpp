#include "laid_out.hpp"

#include <algorithm>
#include <memory>

#include "echo/echo_input.hpp"
#include "tickreel/butter/file.hpp"
#include "tickreel/files/format.hpp"
#include "tickreel/io/byte_source.hpp"

namespace tickreel::files {

namespace {

// A .butter is read as a whole elsewhere; here its first chunk is enough.
result<void> check_butter(const byte_source& from) {
  const auto size = from.size();
  if (!size) return fail(size.error());
  constexpr std::uint64_t usual_bytes = 1u << 20;
  byte_vector begin;
  for (std::uint64_t bytes = std::min(usual_bytes, *size);; bytes = std::min(bytes * 4, *size)) {
    begin.resize(static_cast<std::size_t>(bytes));
    const auto count = from.read_at(begin, 0);
    if (!count) return fail(count.error());
    auto reader = butter::reader::open(byte_span(begin).first(*count));
    if (reader && reader->chunk_count() == 0)
      return fail(error_code::truncated, *size, "there are no chunks");
    const bool all = bytes == *size;
    if (!reader) {
      if (all) return fail(reader.error());
      continue;
    }
    const std::size_t last = reader->chunk_count() - 1;
    if (reader->chunk_offset(last) + reader->chunk_bytes(last) != *size) {
      return fail(error_code::malformed, *size, "the table of chunks does not fit the file");
    }
    const auto first = reader->skip();
    if (first && *first) return {};
    if (all) return fail(first ? error{error_code::truncated, *size, "there is no tick"} : first.error());
  }
}

result<void> check_echoreplay(const byte_source& from) {
  auto input = open_echoreplay(from, {});
  if (!input) return fail(input.error());
  const auto state = std::make_unique<echo::state>();
  const auto first = (*input)->next(*state);
  if (!first) return fail(first.error());
  if (!*first) return fail(error_code::truncated, error::no_offset, "there is no tick");
  return {};
}

result<void> check(const file_path& path, std::string_view format) {
  const auto from = byte_source::open(path);
  if (!from) return fail(from.error());
  const auto found = detect(*from);
  if (!found) return fail(found.error());
  if ((*found)->name != format) return fail(error_code::not_recognised, 0, "it is taken for another format");
  return format == "butter" ? check_butter(*from) : check_echoreplay(*from);
}

}  // namespace

result<void> check_laid_out(const published_file& written, std::string_view format) {
  const auto checked = check(written.temporary_path(), format);
  if (checked || checked.error().system_error != 0) return checked;
  error what = checked.error();
  what.detail = "what was written could not be opened again, and was not kept";
  return fail(what);
}

}  // namespace tickreel::files
