// What a catalogue holds.
#pragma once

#include "sqlite.hpp"
#include "tickreel/library/catalogue.hpp"

namespace tickreel::library {

struct catalogue::state {
  file_path path;
  // Reading changes the connection too; a catalogue belongs to one thread.
  connection index;
};

}  // namespace tickreel::library
