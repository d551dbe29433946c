// Members of a catalogue.
#pragma once

#include "tickreel/library/catalogue.hpp"
#include "tickreel/library/sqlite.hpp"

namespace tickreel::library {

struct catalogue::state {
  file_path path;
  // Reading changes the connection too; a catalogue belongs to one thread.
  connection index;
  connection::access reading = connection::access::read_only;  // of further connections
};

}  // namespace tickreel::library
