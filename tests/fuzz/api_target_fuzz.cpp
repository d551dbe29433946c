// The target list of the command line: for any argument, the list stays within its limit, and its printed form reads back as the
// same target.
#include <cstdlib>
#include <string_view>
#include <vector>

#include "tickreel/bytes/span.hpp"
#include "tickreel/echo_vr/target.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace tickreel;
  const std::string_view text = as_text(std::as_bytes(std::span(data, size)));
  std::vector<echo_vr::target> targets;
  const result<void> parsed = echo_vr::parse_targets(text, targets);
  if (!parsed) {
    if (!targets.empty() || parsed.error().offset > size) std::abort();
    return 0;
  }
  if (targets.empty() || targets.size() > echo_vr::max_targets) std::abort();
  std::vector<echo_vr::target> again;
  for (const echo_vr::target& each : targets) {
    if (!echo_vr::parse_targets(echo_vr::to_text(each), again)) std::abort();
  }
  if (again != targets) std::abort();
  return 0;
}
