// The functions that a page calls. Functions with an answer return its size; answer() returns its address.
#include <cstdint>
#include <memory>
#include <string>

#include "tickreel/viewer/reader.hpp"
#include "wasm/page_bytes.hpp"

namespace {

tickreel::viewer::reader& the_reader() {
  static tickreel::viewer::reader one;
  return one;
}
std::uint32_t size_of(const std::string& answer) noexcept {
  return static_cast<std::uint32_t>(answer.size());
}
using tickreel::viewer::tick_of;

}  // namespace

extern "C" {

[[clang::export_name("room")]] std::byte* room(std::uint32_t bytes) {
  return the_reader().room(bytes);
}
[[clang::export_name("append")]] std::byte* append(std::uint32_t bytes) {
  return the_reader().append(bytes);
}
[[clang::export_name("leave_outside")]] void leave_outside() {
  the_reader().leave_outside(std::make_shared<tickreel::viewer::page_bytes>());
}
[[clang::export_name("open")]] std::uint32_t open_recording() {
  return size_of(the_reader().open());
}
[[clang::export_name("live")]] void live(std::uint32_t whether) {
  the_reader().set_live(whether != 0);
}
[[clang::export_name("extend")]] std::uint32_t extend() {
  return size_of(the_reader().extend());
}
[[clang::export_name("begin")]] std::uint32_t begin() {
  return size_of(the_reader().begin());
}
[[clang::export_name("about")]] std::uint32_t about() {
  return size_of(the_reader().about());
}
[[clang::export_name("answer")]] const char* answer() {
  return the_reader().answer().data();
}
[[clang::export_name("entrances")]] std::uint32_t entrances() {
  return size_of(the_reader().entrances());
}
[[clang::export_name("learn")]] void learn(const char* known, std::uint32_t bytes) {
  the_reader().learn({known, bytes});
}
[[clang::export_name("state")]] std::uint32_t state(double tick) {
  return size_of(the_reader().state(tick_of(tick)));
}
[[clang::export_name("range")]] std::uint32_t range(double from, std::uint32_t count) {
  return size_of(the_reader().range(tick_of(from), count));
}
[[clang::export_name("game_lines")]] std::uint32_t game_lines(double from, std::uint32_t count) {
  return size_of(the_reader().game_lines(tick_of(from), count));
}
[[clang::export_name("events")]] std::uint32_t events() {
  return size_of(the_reader().events());
}
[[clang::export_name("verify")]] std::uint32_t verify() {
  return size_of(the_reader().verify());
}
[[clang::export_name("summary")]] std::uint32_t summary() {
  return size_of(the_reader().summary());
}
[[clang::export_name("text_room")]] char* text_room(std::uint32_t bytes) {
  return the_reader().text_room(bytes);
}
[[clang::export_name("fields")]] std::uint32_t fields() {
  return size_of(the_reader().fields());
}
[[clang::export_name("series")]] std::uint32_t series(const char* path, std::uint32_t bytes,
                                                      std::uint32_t points) {
  return size_of(the_reader().series({path, bytes}, points));
}
[[clang::export_name("overview")]] std::uint32_t overview(std::uint32_t points) {
  return size_of(the_reader().overview(points));
}
[[clang::export_name("positions")]] std::uint32_t positions(std::uint32_t points) {
  return size_of(the_reader().positions(points));
}
[[clang::export_name("ground")]] std::uint32_t ground(const char* played, std::uint32_t bytes) {
  return size_of(the_reader().ground({played, bytes}));
}
[[clang::export_name("lost")]] std::uint32_t lost() {
  return size_of(the_reader().lost());
}
}
