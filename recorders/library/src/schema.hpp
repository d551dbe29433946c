// The tables, and the migration of older indexes.
#pragma once

#include "tickreel/library/sqlite.hpp"

namespace tickreel::library {

// "TRLB": identifies an index among SQLite files.
inline constexpr std::int64_t application_id = 0x54524C42;
inline constexpr int schema_version = 8;

// Migrates the file to version `to` in one transaction. unsupported_version if it is newer, malformed if it
// belongs to another program.
result<void> migrate(connection& of, int to = schema_version);
// Whether a read-only file is usable unchanged: unsupported_version unless it has this version, malformed if
// it belongs to another program.
result<void> check_current(connection& of);

}  // namespace tickreel::library
