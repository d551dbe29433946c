// Changed copies of the sample replay, and what each way to read one says about it.
#pragma once

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "sample_file.hpp"
#include "tickreel/files/recording.hpp"
#include "tickreel/sc2replay/archive.hpp"

namespace encoders_sc2replay_convert_tests::verdicts {

using namespace tickreel;
using namespace tickreel::test;

struct judged {
  files::health by_info = files::health::whole;
  files::health quick_health = files::health::whole;
  files::verification by_verify;
};

inline judged judge(byte_span file) {
  judged out;
  const auto opened = files::open(file);
  BOOST_REQUIRE(opened.has_value());
  const auto info = (*opened)->summarise();
  BOOST_REQUIRE(info.has_value());
  out.by_info = info->health;
  const auto again = files::open(file);
  const auto quick_summary = (*again)->quick_summary();
  BOOST_REQUIRE(quick_summary.has_value());
  out.quick_health = quick_summary->health;
  const auto third = files::open(file);
  auto verified = (*third)->verify();
  BOOST_REQUIRE(verified.has_value());
  out.by_verify = std::move(*verified);
  return out;
}

inline void check_agreement(const judged& found, const std::string& what) {
  const bool whole = found.by_info == files::health::whole;
  BOOST_TEST(whole == found.by_verify.ok(), what);
  BOOST_TEST(whole == (found.quick_health == files::health::whole), what);
}

inline bool has_finding(const judged& found, files::severity level, std::string_view text) {
  return std::ranges::any_of(found.by_verify.findings, [&](const files::finding& each) {
    return each.level == level && each.message.find(text) != std::string::npos;
  });
}

inline bool has_every_member(byte_span file) {
  const auto opened = sc2replay::open_archive(file);
  // Without "(attributes)" no member has a checksum.
  if (!opened || !opened->has_list() || !opened->read("(attributes)")) return false;
  return std::ranges::all_of(sample_members(), [&](const mpq::new_member& each) {
    const auto read = opened->read(each.name);
    return read && *read == each.bytes;
  });
}

}  // namespace encoders_sc2replay_convert_tests::verdicts
