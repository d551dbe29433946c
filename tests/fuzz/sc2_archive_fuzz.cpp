// A whole .SC2Replay file from random bytes, with the limits for untrusted files; and a parsed archive is written and reads the
// same.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <span>
#include <vector>

#include "tickreel/mpq/attributes.hpp"
#include "tickreel/mpq/write_archive.hpp"
#include "tickreel/sc2replay/replay.hpp"

using namespace tickreel;

namespace {

constexpr std::size_t max_written_bytes = 8u << 20;

void write_again(const mpq::archive& from, const std::vector<mpq::new_member>& members) {
  const auto file = mpq::write_archive(from.user_data(), members, from.shape());
  if (!file) {
    // The known names are added to the maximum of a list.
    if (file.error().code == error_code::over_limit || members.empty()) return;
    std::abort();
  }
  const auto again = sc2replay::open_archive(*file);
  if (!again || again->user_data().size() != from.user_data().size()) std::abort();
  for (const mpq::new_member& each : members) {
    // A list may be missing, and then only known names are found.
    if (again->find(each.name) == nullptr) {
      if (from.shape().listfile) std::abort();
      continue;
    }
    const auto bytes = again->read(each.name);
    if (!bytes || *bytes != each.bytes) std::abort();
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const mpq::limits limits = {1u << 20, 1u << 20, 4u << 20};
  const auto archive = sc2replay::open_archive(std::as_bytes(std::span(data, size)), limits);
  if (!archive) return 0;
  (void)mpq::read_attributes(*archive);
  std::vector<mpq::new_member> members;
  std::size_t total = 0;
  for (const mpq::member& each : archive->members()) {
    auto bytes = archive->read(each.name);
    if (!bytes) continue;
    total += bytes->size();
    if (total <= max_written_bytes)
      members.push_back({each.name, std::move(*bytes), archive->storage_of(each)});
  }
  write_again(*archive, members);
  (void)sc2replay::replay::open(*archive);
  return 0;
}
