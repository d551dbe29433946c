// The effect of a declaration: the same ticks recorded with and without it.
#pragma once

#include <boost/test/unit_test.hpp>
#include <cstddef>
#include <string>
#include <vector>

#include "file_bytes.hpp"
#include "tickreel/tickreel.hpp"

namespace tickreel::test {

// Records `ticks` results of next() at 60 Hz, checks that reading returns the same bits, and returns the reel's size.
template <class T, class Next>
std::size_t recorded_size(const std::string& path, int ticks, Next&& next) {
  std::vector<component_bytes<T>> pushed;
  recorder_options options;
  options.ticks_per_second = 60;
  options.mode = threading::pumped;
  options.seal_interval_ms = 3'600'000;  // sizes do not depend on how fast the machine is
  auto out = record<T>(path, options);
  BOOST_REQUIRE(out);
  for (int tick = 0; tick < ticks; ++tick) {
    const T now = next();
    BOOST_REQUIRE(out->push(now));
    pushed.push_back(to_component_bytes(now));
  }
  BOOST_REQUIRE(out->close());
  auto in = replay<T>(path);
  BOOST_REQUIRE(in);
  std::vector<component_bytes<T>> states;
  for (const auto& tick : *in) states.push_back(to_component_bytes(tick.state));
  BOOST_TEST(!in->failure());
  BOOST_TEST((states == pushed));
  return read_file(path).size();
}

}  // namespace tickreel::test
