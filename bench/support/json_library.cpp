// Boost.JSON without its binary: compiled here once.
#include <boost/json/src.hpp>
