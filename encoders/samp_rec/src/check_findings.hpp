// The findings of a check: counts of all, and a limited list.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "tickreel/samp_rec/check.hpp"

namespace tickreel::samp_rec::detail {

class finding_list {
 public:
  explicit finding_list(std::size_t limit) noexcept : limit_(limit) {}

  void add(const check_finding& found) {
    ++counts_[static_cast<std::size_t>(found.kind)];
    ++severities_[static_cast<std::size_t>(found.severity)];
    auto& kept = kept_[static_cast<std::size_t>(found.severity)];
    if (kept.size() < limit_) kept.push_back(found);
  }
  // The next finding of this severity is kept even if its list is full.
  void make_room(check_severity severity) {
    auto& kept = kept_[static_cast<std::size_t>(severity)];
    if (!kept.empty() && kept.size() >= limit_) kept.pop_back();
  }
  // Defects get the space first, then warnings, then notes; the result is in the order of the blocks.
  void move_to(check_report& report) {
    report.counts = counts_;
    report.severities = severities_;
    std::size_t room = limit_;
    for (std::size_t level = check_severity_count; level-- > 0;) {
      const auto taken = static_cast<std::ptrdiff_t>(std::min(room, kept_[level].size()));
      report.findings.insert(report.findings.end(), kept_[level].begin(), kept_[level].begin() + taken);
      room -= static_cast<std::size_t>(taken);
    }
    const auto order = [](const check_finding& finding) {
      return finding.kind == check_kind::speed_scale ? std::numeric_limits<std::uint64_t>::max()
                                                     : finding.block;
    };
    std::stable_sort(report.findings.begin(), report.findings.end(),
                     [&](const check_finding& first, const check_finding& second) {
                       return order(first) < order(second);
                     });
  }

 private:
  std::size_t limit_;
  std::array<std::uint64_t, check_kind_count> counts_{};
  std::array<std::uint64_t, check_severity_count> severities_{};
  // Each severity has a separate list, so that many notes leave space for defects.
  std::array<std::vector<check_finding>, check_severity_count> kept_;
};

}  // namespace tickreel::samp_rec::detail
