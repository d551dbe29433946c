#include "tickreel/game/recover.hpp"

#include "old_live_file.hpp"
#include "opened_match.hpp"
#include "publish_match.hpp"
#include "tickreel/icrep/reader.hpp"
#include "tickreel/icrep/recover.hpp"
#include "tickreel/io/whole_file.hpp"

namespace tickreel::game {

namespace {

// A live file of an earlier version.
result<recover_report> recover_old(const file_path& path, system_calls& calls) {
  auto target = file::open_for_appending(path, calls);
  if (!target) return fail(target.error());
  auto main = read_whole_file(*target, max_file_bytes);
  if (!main) return fail(main.error());
  const auto keyframes = read_whole_or_nothing(keyframe_spool_path(path), calls);
  const auto events = read_whole_or_nothing(event_spool_path(path), calls);
  const auto voice = read_whole_or_nothing(voice_spool_path(path), calls);
  for (const auto* spool : {&keyframes, &events, &voice}) {
    if (!*spool) return fail(spool->error());
  }

  const auto header = icrep::read_header(*main);
  if (!header || !header->live) {
    const auto opened = icrep::reader::open(*main);
    if (opened) {
      if (auto done = remove_spools(path, calls); !done) return fail(done.error());
      return recover_report{false, opened->total_ticks(), opened->keyframes().size()};
    }
    // Without spools it is not a file of this kind.
    if (keyframes->empty()) return fail(opened.error());
    // The header was torn while the file was finished: it is invalid, and recovery can restore it.
    main->front() = std::byte{0};
  }
  const auto made = icrep::recover_file({*main, *keyframes, *events, *voice});
  if (!made) return fail(made.error());
  // Until the finished file replaces it, the live file and its spools are valid.
  auto finished = published_file::create(path, true, calls);
  if (!finished) return fail(finished.error());
  auto done = finished->append(made->file);
  if (done) done = target->close();
  if (done) done = finished->commit();
  if (done) done = remove_spools(path, calls);
  if (!done) return fail(done.error());
  return recover_report{true, made->total_ticks, made->keyframes};
}

// A file of another match, or of no match, does not justify removing a reel.
result<void> check_same_match(const file_path& reel, const icrep::metadata& there, system_calls& calls) {
  auto from = open_reel(reel, calls);
  if (!from) return fail(from.error());
  const auto facts = icrep::read_metadata(as_text(from->head().schema));
  if (!facts) return fail(facts.error());
  if (facts->replay_id == there.replay_id) return {};
  return fail(error_code::already_exists, error::no_offset, "another match than that of the reel beside it");
}

}  // namespace

result<recover_report> recover(const file_path& path, system_calls& calls) {
  const file_path reel = reel_path_of(path);
  // A running recorder locks its reel; the lock also prevents that two processes publish it.
  auto left = file::open_for_appending(reel, calls);
  if (!left && left.error().code != error_code::not_found) return fail(left.error());
  if (!left) return recover_old(path, calls);
  // After a failure the reel may have bytes that a power cut would replace by older ones. The published file must not depend
  // on them, since its reel may return with the removal that the cut undoes. Without a sync the reel is still all there is.
  (void)left->sync();
  if (const auto there = opened_match::open(path, calls)) {
    // Already published, except for files that were lost since.
    const bool changed = !(*there)->missing_parts().empty();
    if (auto same = check_same_match(reel, (*there)->reader().facts(), calls); !same) {
      return fail(same.error());
    }
    if (changed) {
      const auto added = publish_parts(reel, path, (*there)->missing_parts(), calls);
      if (!added) return fail(added.error());
    }
    if (const auto sound = check_published(path, calls); !sound) return fail(sound.error());
    const auto done = opened_match::open(path, calls);
    if (!done) return fail(done.error());
    // Its recorder may have failed to sync this name.
    if (const std::int64_t settled = calls.sync_folder(path.utf8().c_str()); settled < 0) {
      return fail(from_system_error(static_cast<int>(-settled), "syncing the folder"));
    }
    left->discard();
    return recover_report{changed, (*done)->reader().total_ticks(), (*done)->reader().keyframes().size()};
  } else if (there.error().code != error_code::not_found) {
    return fail(there.error());
  }
  const auto published = publish_match(reel, path, false, calls);
  if (!published) return fail(published.error());
  if (const auto sound = check_published(path, calls); !sound) return fail(sound.error());
  left->discard();
  return recover_report{true, published->total_ticks, published->keyframes};
}

}  // namespace tickreel::game
