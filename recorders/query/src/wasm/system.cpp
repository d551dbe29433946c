// The system of SQLite in a page: a clock, and no file. Databases in memory ask for nothing else.
#include <sqlite3.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstring>

namespace {

int open_no_file(sqlite3_vfs*, sqlite3_filename, sqlite3_file*, int, int*) {
  return SQLITE_CANTOPEN;
}
int delete_no_file(sqlite3_vfs*, const char*, int) {
  return SQLITE_IOERR_DELETE;
}
int find_no_file(sqlite3_vfs*, const char*, int, int* exists) {
  *exists = 0;
  return SQLITE_OK;
}
int keep_name(sqlite3_vfs*, const char* name, int max_bytes, char* out) {
  if (std::strlen(name) >= static_cast<std::size_t>(max_bytes)) return SQLITE_CANTOPEN;
  std::strcpy(out, name);
  return SQLITE_OK;
}

// Milliseconds since noon of 24 November 4714 BC, as SQLite counts.
int current_time(sqlite3_vfs*, sqlite3_int64* out) {
  constexpr sqlite3_int64 until_1970 = 210'866'760'000'000;
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  *out = until_1970 + std::chrono::duration_cast<std::chrono::milliseconds>(now).count();
  return SQLITE_OK;
}
int current_day(sqlite3_vfs* of, double* out) {
  sqlite3_int64 ms = 0;
  (void)current_time(of, &ms);
  *out = static_cast<double>(ms) / 86'400'000.0;
  return SQLITE_OK;
}

// Seeds random(), which protects nothing.
int seed(sqlite3_vfs* of, int bytes, char* out) {
  sqlite3_int64 now = 0;
  (void)current_time(of, &now);
  std::fill_n(out, bytes, '\0');
  std::memcpy(out, &now, std::min(static_cast<std::size_t>(bytes), sizeof now));
  return bytes;
}
int sleep_never(sqlite3_vfs*, int) {
  return 0;
}
int no_last_error(sqlite3_vfs*, int, char*) {
  return 0;
}

}  // namespace

extern "C" {

int sqlite3_os_init() {
  static sqlite3_vfs system = [] {
    sqlite3_vfs out{};
    out.iVersion = 2;
    out.szOsFile = sizeof(sqlite3_file);
    out.mxPathname = 512;
    out.zName = "none";
    out.xOpen = &open_no_file;
    out.xDelete = &delete_no_file;
    out.xAccess = &find_no_file;
    out.xFullPathname = &keep_name;
    out.xRandomness = &seed;
    out.xSleep = &sleep_never;
    out.xCurrentTime = &current_day;
    out.xGetLastError = &no_last_error;
    out.xCurrentTimeInt64 = &current_time;
    return out;
  }();
  return sqlite3_vfs_register(&system, 1);
}
int sqlite3_os_end() {
  return SQLITE_OK;
}
}
