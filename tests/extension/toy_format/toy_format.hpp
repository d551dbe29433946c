// .toy: a text with one number per tick.
//
//   toy<newline>
//   12<newline>        tick 0
//   -3<newline>        tick 1
//
// A tick lasts 100 ms. A crash may leave a last line without its newline.
#pragma once

#include "tickreel/files/format.hpp"

namespace toy {

extern const tickreel::files::format toy_format;

}  // namespace toy
