#include "tickreel/files/conversion.hpp"

#include <algorithm>
#include <filesystem>
#include <vector>

#include "echo/echo_access.hpp"
#include "open_file.hpp"
#include "paths.hpp"
#include "reels/reel_encoders.hpp"
#include "tickreel/files/format.hpp"
#include "tickreel/io/filesystem_path.hpp"

namespace tickreel::files {

std::vector<conversion> conversions() {
  std::vector<conversion> all;
  for (const format& each : formats()) {
    all.insert(all.end(), each.conversions.begin(), each.conversions.end());
  }
  return all;
}

result<const conversion*> find_conversion(const file_path& input, std::string_view to, bool of_range) {
  const auto file = open_file(input);
  if (!file) return fail(file.error());
  const auto found = detect(*file);
  if (!found && found.error().code != error_code::not_recognised) return fail(found.error());
  const std::string from = found ? std::string((*found)->name) : format_of_name(input);
  const conversion* of_any = nullptr;
  for (const format& owner : formats()) {
    for (const conversion& each : owner.conversions) {
      if (each.to != to || (each.only_ranges && !of_range)) continue;
      if (each.from == from) return &each;
      if (each.from == any_recording && found && !(*found)->is_only_written) of_any = &each;
    }
  }
  return of_any;
}

std::string format_of_name(const file_path& path) {
  return extension_of(path);
}

bool is_reel_name(const file_path& path) {
  const format* const named = find_format(format_of_name(path));
  return named != nullptr && named->has_records;
}

const format* echo_output_of(std::string_view name) noexcept {
  const format* const found = find_format(name);
  return found != nullptr && found->echo != nullptr && found->echo->write != nullptr ? found : nullptr;
}

std::vector<std::string_view> echo_outputs() {
  std::vector<std::string_view> names;
  for (const format& each : formats()) {
    if (echo_output_of(each.name) != nullptr) names.push_back(each.name);
  }
  std::ranges::sort(names);
  return names;
}

std::string recording_name(const file_path& path) {
  std::filesystem::path name = filesystem_path(path).filename();
  if (is_reel_name(name)) name = name.stem();
  if (find_format(format_of_name(name)) != nullptr) name = name.stem();
  return file_path(name).utf8();
}

bool is_output(std::string_view name) {
  const auto has_name = [&](const conversion& each) { return each.to == name; };
  return std::ranges::any_of(conversions(), has_name) || echo_output_of(name) != nullptr;
}

result<void> check_output_name(const format& of, const file_path& output) {
  const std::string named = format_of_name(output);
  if (named == of.name || (find_format(named) == nullptr && !is_output(named))) return {};
  return fail(
      error_code::invalid_argument, error::no_offset,
      "the output has the format of the input: give it such a name; 'tickreel convert' writes other formats");
}

namespace {

// For unknown and damaged files. A failure to read is an error: the file may be whole.
template <class T>
result<T> usual_if_damaged(const error& why, T usual) {
  if (!is_damage(why.code)) return fail(why);
  return usual;
}

}  // namespace

result<content> content_of(const file_path& path) {
  const auto found = detect(path);
  if (!found) return usual_if_damaged(found.error(), content::ticks);
  if (!(*found)->has_records) return (*found)->holds;
  const auto source = reel::reader::open(path);
  if (!source) return usual_if_damaged(source.error(), content::ticks);
  const reel_encoder* const encoder = known_reel_encoder(source->head());
  return encoder != nullptr ? encoder->holds_content : content::ticks;
}

result<page_reader> page_reader_of(const file_path& path) {
  const auto found = detect(path);
  if (!found) return usual_if_damaged(found.error(), page_reader::echo);
  if ((*found)->shown.reader != page_reader::by_encoder) return (*found)->shown.reader;
  const auto source = reel::reader::open(path);
  if (!source) return usual_if_damaged(source.error(), page_reader::echo);
  const reel_encoder* const encoder = known_reel_encoder(source->head());
  return encoder != nullptr ? encoder->reader : page_reader::others;
}

}  // namespace tickreel::files
