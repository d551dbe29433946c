#include "make_streams.hpp"

#include <utility>

namespace tickreel::fleet {

result<void> make_streams(broker& on, const match_subjects& subjects, const publish_options& options) {
  stream_settings records;
  records.name = subjects.stream;
  records.subjects = {subjects.league_subjects};
  records.replicas = options.replicas;
  records.max_age = options.keep_for;
  records.max_bytes = options.keep_bytes;
  records.refuse_when_full = !options.drop_oldest;
  stream_settings status;
  status.name = status_stream;
  status.subjects = {std::string(all_status_subjects), std::string(all_archived_subjects)};
  status.replicas = options.replicas;
  status.max_per_subject = 1;
  status.refuse_when_full = false;
  stream_settings work;
  work.name = work_stream;
  work.subjects = {std::string(all_work_subjects)};
  work.replicas = options.replicas;
  work.max_age = options.keep_for;
  work.work_queue = true;
  for (const stream_settings* const each :
       {&std::as_const(records), &std::as_const(status), &std::as_const(work)}) {
    if (const auto made = on.ensure_stream(*each); !made) return made;
  }
  return {};
}

}  // namespace tickreel::fleet
