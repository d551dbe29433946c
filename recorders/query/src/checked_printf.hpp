// printf() and format() of SQL that fail on a text above the limit; SQLite's own return NULL.
#pragma once

#include "tickreel/result.hpp"

struct sqlite3;

namespace tickreel::query {

// Replaces both functions of a connection.
result<void> add_checked_printf(sqlite3* to);

}  // namespace tickreel::query
