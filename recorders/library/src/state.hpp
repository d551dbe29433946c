// Members of a catalogue.
#pragma once

#include <filesystem>

#include "tickreel/library/catalogue.hpp"
#include "tickreel/library/sqlite.hpp"

namespace tickreel::library {

// Reading needs no write permission, neither for the file nor for its folder.
struct reader_connection {
  connection index;
  connection::access how = connection::access::read_only;
};
// unsupported_version and malformed as check_current().
result<reader_connection> open_reader(const std::filesystem::path& path);

struct catalogue::state {
  file_path path;
  // Reading changes the connection too; a catalogue belongs to one thread.
  connection index;
  connection::access reading = connection::access::read_only;  // of further connections
};

}  // namespace tickreel::library
