// system_calls on systems without files: each fails like a system without that call.
#include <cerrno>

#include "tickreel/io/file.hpp"
#include "tickreel/io/folder.hpp"

namespace tickreel {

std::int64_t system_calls::open(const char*, unsigned) {
  return -ENOSYS;
}
std::int64_t system_calls::close(std::int64_t) {
  return -ENOSYS;
}
std::int64_t system_calls::read_at(std::int64_t, mutable_byte_span, std::uint64_t) {
  return -ENOSYS;
}
std::int64_t system_calls::write_at(std::int64_t, byte_span, std::uint64_t) {
  return -ENOSYS;
}
std::int64_t system_calls::sync(std::int64_t) {
  return -ENOSYS;
}
std::int64_t system_calls::truncate(std::int64_t, std::uint64_t) {
  return -ENOSYS;
}
std::int64_t system_calls::size(std::int64_t) {
  return -ENOSYS;
}
std::int64_t system_calls::version(std::int64_t) {
  return -ENOSYS;
}
std::int64_t system_calls::lock(std::int64_t) {
  return -ENOSYS;
}
std::int64_t system_calls::is_locked(std::int64_t) {
  return 0;
}
void system_calls::wait_ms(std::uint32_t) {}
std::int64_t system_calls::rename(const char*, const char*) {
  return -ENOSYS;
}
std::int64_t system_calls::rename_new(const char*, const char*) {
  return -ENOSYS;
}
std::int64_t system_calls::remove(const char*) {
  return -ENOSYS;
}
std::int64_t system_calls::sync_folder(const char*) {
  return -ENOSYS;
}

system_calls& system_calls::real() noexcept {
  static system_calls calls;
  return calls;
}

struct folder_reader::state {};
folder_reader::folder_reader(std::unique_ptr<state> owned) noexcept : state_(std::move(owned)) {}
folder_reader::folder_reader(folder_reader&&) noexcept = default;
folder_reader& folder_reader::operator=(folder_reader&&) noexcept = default;
folder_reader::~folder_reader() = default;
result<folder_reader> folder_reader::open(const file_path&) {
  return fail(from_system_error(ENOSYS, "reading the folder"));
}
result<std::optional<folder_entry>> folder_reader::next() {
  return std::optional<folder_entry>();
}
result<path_status> status_of(const file_path&) {
  return fail(from_system_error(ENOSYS, "reading its attributes"));
}
result<bool> create_folder(const file_path&) {
  return fail(from_system_error(ENOSYS, "making a folder"));
}
result<void> remove_empty_folder(const file_path&) {
  return fail(from_system_error(ENOSYS, "removing a folder"));
}

}  // namespace tickreel
