// The interface for a page or node: room() for the recording, read(), then text() and its size.
#include <cstdint>
#include <string>

#include "read_in_memory.hpp"

namespace {

tickreel::byte_vector input;
std::string said;

}  // namespace

extern "C" {

[[clang::export_name("room")]] std::byte* room(std::uint32_t bytes) {
  input.assign(bytes, std::byte{0});
  return input.data();
}
[[clang::export_name("read")]] std::uint32_t read() {
  said = read_in_memory(input);
  return static_cast<std::uint32_t>(said.size());
}
[[clang::export_name("text")]] const char* text() {
  return said.data();
}
}
