#include "tickreel/echoreplay/line.hpp"
