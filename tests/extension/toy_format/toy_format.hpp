// .toy: a text with one number a tick.
//
//   toy<newline>
//   12<newline>        tick 0
//   -3<newline>        tick 1
//
// A tick lasts 100 ms. A last line without its newline is what a crash left.
#pragma once

#include "tickreel/files/format.hpp"

namespace toy {

extern const tickreel::files::format toy_format;

}  // namespace toy
