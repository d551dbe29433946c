#include "archive_offer.hpp"

#include <utility>

namespace tickreel::fleet {

// The report of an archiver about this reel.
result<std::optional<archived_reel>> archive_offer::archived(broker& on, const std::string& reel) const {
  auto reported = on.last(status_stream, subjects_.archived);
  if (!reported) return fail(reported.error());
  if (!*reported) return std::nullopt;
  auto archived = read_archived((*reported)->body());
  if (!archived || archived->reel != reel) return std::nullopt;
  return std::move(*archived);
}

result<std::uint64_t> archive_offer::archived_records(broker& on, const std::string& reel) const {
  const auto reported = archived(on, reel);
  if (!reported) return fail(reported.error());
  return *reported ? (*reported)->records : 0;
}

result<bool> archive_offer::is_archived(broker& on, const std::string& reel) const {
  const auto reported = archived(on, reel);
  if (!reported) return fail(reported.error());
  // The number is unknown for a reel that lacks records.
  return *reported && (*reported)->ended && (*reported)->records != 0;
}

result<void> archive_offer::make(broker& on, const archive_work& work) {
  if (offered_at_ != 0) {
    const auto there = on.at(std::string(work_stream), offered_at_);
    if (!there) return fail(there.error());
    if (*there && (*there)->subject() == subjects_.work) return {};
    const auto there_already = is_archived(on, work.reel);
    if (!there_already) return fail(there_already.error());
    if (*there_already) return {};
    ids_.renew();
  }
  const std::string json = to_json(work);
  const auto stored =
      on.publish(subjects_.work, as_bytes(json), {{"Nats-Msg-Id", ids_.of("work " + work.reel)}});
  if (!stored) return fail(stored.error());
  offered_at_ = stored->stream_sequence;
  return {};
}

}  // namespace tickreel::fleet
