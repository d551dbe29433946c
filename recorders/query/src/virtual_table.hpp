// The tables as virtual tables of SQLite.
#pragma once

#include "tickreel/result.hpp"

struct sqlite3;

namespace tickreel::query {

class work;

// Adds all tables to a connection, with the columns of `of`, which must outlive the connection.
result<void> add_tables(sqlite3* to, work& of);

}  // namespace tickreel::query
