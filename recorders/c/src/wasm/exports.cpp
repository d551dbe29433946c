// The recording half of tickreel.h as a module of WebAssembly, for the package of JavaScript: it fills the structs of tickreel.h in
// the module's memory. The functions are exported by the linker; these are the ones that JavaScript needs beside them.
#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include "tickreel.h"

// record.js and struct.js have these numbers.
static_assert(sizeof(tickreel_field) == 96 && offsetof(tickreel_field, of) == 28 &&
              offsetof(tickreel_field, enumerators) == 48 && offsetof(tickreel_field, tolerance) == 64 &&
              offsetof(tickreel_field, relation) == 72 && offsetof(tickreel_field, unit) == 88);
static_assert(sizeof(tickreel_enumerator) == 16 && sizeof(tickreel_entry) == 8);
static_assert(offsetof(tickreel_record_options, ticks_per_second) == 8 &&
              offsetof(tickreel_record_options, seal_interval_ms) == 28 &&
              offsetof(tickreel_record_options, is_pumped) == 32 &&
              offsetof(tickreel_record_options, metadata) == 40);
static_assert(offsetof(tickreel_counters, pushed) == 8 && offsetof(tickreel_counters, receiver_failed) == 80);

// Copies the bytes; 0 if that was possible. `recorder` is the number that record() was given.
extern "C" [[clang::import_module("page"), clang::import_name("receive")]] std::int32_t page_receive(
    std::uint32_t recorder, const std::uint8_t* bytes, std::size_t size);

extern "C" {

[[clang::export_name("room")]] void* room(std::size_t bytes) {
  return std::malloc(bytes);
}
[[clang::export_name("release")]] void release(void* memory) {
  std::free(memory);
}

// Function pointers are not values of JavaScript.
[[clang::export_name("record")]] std::int32_t record(const tickreel_struct* of,
                                                     tickreel_record_options* options, std::uint32_t number,
                                                     tickreel_recorder** out) {
  options->is_pumped = 1;
  options->receive = [](void* user, const std::uint8_t* bytes, std::size_t size) {
    return page_receive(static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(user)), bytes, size);
  };
  options->receive_user = reinterpret_cast<void*>(static_cast<std::uintptr_t>(number));
  return tickreel_record(nullptr, of, options, out);
}
}
