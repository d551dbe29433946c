// Archives one match: looks at what the broker and the archive have, and stores only what adds records.
#pragma once

#include <functional>
#include <optional>

#include "archive_match.hpp"
#include "spool.hpp"
#include "tickreel/archive/archive.hpp"
#include "tickreel/fleet/broker.hpp"
#include "tickreel/store/index_object.hpp"
#include "tickreel/store/object_store.hpp"
#include "work_leases.hpp"

namespace tickreel::archive {

// What one work message led to.
struct match_attempt {
  outcome out;
  bool given_up = false;     // no more records of the match are awaited
  bool has_written = false;  // objects of the match, even if the attempt failed
  failure_source source;     // of the error
};

// The arguments of the constructor must outlive it. One thread, and one match at a time.
class match_archiver {
 public:
  match_archiver(const archive_options& options, const spool& room, store::object_store& store,
                 work_leases& leases) noexcept
      : options_(options), room_(room), store_(store), leases_(leases) {}

  // Archives the match, and reports to its recorder what the archive has. The lease of its work must have started. Fails
  // with in_use if another archiver stored the match meanwhile: then call it again with the same attempt.
  result<void> archive(fleet::broker& broker, const fleet::archive_work& work, match_attempt& attempt);

 private:
  // One call of archive().
  struct job {
    fleet::broker& broker;
    const fleet::archive_work& work;
    fleet::match_subjects subjects;
    match_attempt& attempt;
  };
  result<archived_reel> look_in_archive(const std::string& key);
  result<void> keep_archived(const job& of, store::index_object index);
  result<void> announce(const job& of, const store::index_object& index);
  [[nodiscard]] std::function<bool()> cancelled();

  const archive_options& options_;
  const spool& room_;
  store::object_store& store_;
  work_leases& leases_;
};

}  // namespace tickreel::archive
