// Shared by the tests of the model.
#pragma once

#include <boost/test/unit_test.hpp>
#include <cstdint>
#include <vector>

#include "butter_model.hpp"
#include "hand_made.hpp"

namespace tickreel {

inline byte_vector keyframe(std::int64_t time, hand_made::map_code map = hand_made::arena) {
  return hand_made::encode({.time = time}, map);
}

inline byte_vector delta(unsigned elapsed, unsigned included = 0,
                         hand_made::map_code map = hand_made::arena) {
  return hand_made::encode({.keyframe = false, .time = elapsed, .included = included}, map);
}

// One chunk, uncompressed.
inline byte_vector file_of(const std::vector<byte_vector>& frames, const hand_made::head& head = {}) {
  return hand_made::file(head, {hand_made::join(frames)});
}

inline void check_times(const byte_vector& file, const std::vector<std::int64_t>& wanted) {
  std::vector<std::int64_t> got;
  for (const auto& frame : butter_model::decode_all(file)) got.push_back(frame.recorded_time_ms);
  BOOST_TEST(got == wanted, boost::test_tools::per_element());
}

inline void check_throws(const byte_vector& file, butter_model::failure why) {
  using butter_model::decoder_exception;
  BOOST_CHECK_EXCEPTION(butter_model::decode_all(file), decoder_exception,
                        [&](const decoder_exception& e) { return e.kind() == why; });
}

}  // namespace tickreel
