#include "tickreel/butter/encoder.hpp"
