// Offers a reel to the archivers, and reads what they report about it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "message_ids.hpp"
#include "tickreel/fleet/broker.hpp"

namespace tickreel::fleet {

class archive_offer {
 public:
  // Both must outlive it.
  archive_offer(const match_subjects& subjects, message_ids& ids) noexcept : subjects_(subjects), ids_(ids) {}

  // Records below this are in the archive, independent of the stream.
  result<std::uint64_t> archived_records(broker& on, const std::string& reel) const;
  // The archive has all of the reel. It completes a part only from a stream that has the whole.
  result<bool> is_archived(broker& on, const std::string& reel) const;

  // The offer of an archived match was consumed; others may have been removed by an administrator or with their
  // stream, and are made again. A redundant offer is harmless.
  result<void> make(broker& on, const archive_work& work);

 private:
  result<std::optional<archived_reel>> archived(broker& on, const std::string& reel) const;

  const match_subjects& subjects_;
  message_ids& ids_;
  std::uint64_t offered_at_ = 0;  // in the work stream
};

}  // namespace tickreel::fleet
