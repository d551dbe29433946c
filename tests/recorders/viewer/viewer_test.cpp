#define BOOST_TEST_MODULE viewer
#include <boost/test/unit_test.hpp>
