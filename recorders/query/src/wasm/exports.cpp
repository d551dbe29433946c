// The functions that a page calls to query a recording. Functions with an answer return its size; answer() returns its
// address. The recording is given as to the viewer's reader.
#include <cstdint>
#include <memory>
#include <string>

#include "tickreel/query/page_answer.hpp"
#include "tickreel/viewer/recording_buffer.hpp"
#include "wasm/page_bytes.hpp"

namespace {

using tickreel::byte_source;

struct page_query {
  tickreel::viewer::recording_buffer bytes;
  std::shared_ptr<tickreel::viewer::page_bytes> outside;  // replaces `bytes`, if set
  std::string text;
  std::string answer;
};
page_query& the_query() {
  static page_query one;
  return one;
}
std::uint32_t give(std::string answer) {
  the_query().answer = std::move(answer);
  return static_cast<std::uint32_t>(the_query().answer.size());
}

// A piece of the rows as CSV. Returns 0 when the page needs no further piece.
extern "C" [[clang::import_module("page"), clang::import_name("csv")]] std::uint32_t page_csv(
    const char* piece, std::uint32_t bytes);

}  // namespace

extern "C" {

[[clang::export_name("room")]] std::byte* room(std::uint32_t bytes) {
  the_query().outside.reset();
  return the_query().bytes.room(bytes);
}
[[clang::export_name("leave_outside")]] void leave_outside() {
  (void)room(0);
  the_query().outside = std::make_shared<tickreel::viewer::page_bytes>();
}
[[clang::export_name("answer")]] const char* answer() {
  return the_query().answer.data();
}
[[clang::export_name("text_room")]] char* text_room(std::uint32_t bytes) {
  the_query().text.resize(bytes);
  return the_query().text.data();
}
[[clang::export_name("tables")]] std::uint32_t tables() {
  return give(tickreel::query::table_list());
}
// The text is the recording's name, and the statement after it.
[[clang::export_name("run")]] std::uint32_t run(const char* text, std::uint32_t bytes,
                                                std::uint32_t name_bytes) {
  page_query& all = the_query();
  const std::string_view given(text, bytes);
  tickreel::query::input from;
  from.file = given.substr(0, name_bytes);
  from.bytes = all.outside == nullptr ? byte_source(all.bytes.bytes()) : byte_source(all.outside, {});
  const auto csv = [](std::string_view piece) {
    return page_csv(piece.data(), static_cast<std::uint32_t>(piece.size())) != 0;
  };
  return give(tickreel::query::page_answer(given.substr(name_bytes), from, {}, {}, csv));
}
}
