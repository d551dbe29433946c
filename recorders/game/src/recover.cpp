#include "tickreel/game/recover.hpp"

#include "old_live_file.hpp"
#include "opened_match.hpp"
#include "publish_match.hpp"
#include "tickreel/icrep/reader.hpp"
#include "tickreel/io/whole_file.hpp"

namespace tickreel::game {

namespace {

// Where the JSON object that begins at `offset` ends; `offset` when it does not.
std::size_t end_of_object(byte_span bytes, std::size_t offset) {
  std::size_t depth = 0;
  bool in_text = false;
  for (std::size_t i = offset; i < bytes.size(); ++i) {
    const char letter = static_cast<char>(bytes[i]);
    if (in_text) {
      if (letter == '\\') ++i;
      if (letter == '"') in_text = false;
    } else if (letter == '"') {
      in_text = true;
    } else if (letter == '{') {
      ++depth;
    } else if (letter == '}') {
      if (--depth == 0) return i + 1;
    } else if (depth == 0) {
      return offset;
    }
  }
  return offset;
}

// The header of a live file whose header was torn while it was being finished: it is known but for the length
// of the metadata, which follow it.
std::optional<std::array<std::byte, icrep::header_bytes>> live_header(byte_span bytes) {
  if (bytes.size() <= icrep::header_bytes) return std::nullopt;
  const std::size_t end = end_of_object(bytes, icrep::header_bytes);
  if (end == icrep::header_bytes) return std::nullopt;
  icrep::file_header header;
  header.live = true;
  const auto begin = static_cast<std::uint32_t>(icrep::header_bytes);
  header.metadata = {begin, static_cast<std::uint32_t>(end) - begin};
  header.orders = {static_cast<std::uint32_t>(end), 0};
  return icrep::to_bytes(header);
}

}  // namespace

namespace {

// A live file of an earlier version.
result<recover_report> recover_old(const file_path& path, system_calls& calls) {
  auto target = file::open_for_appending(path, calls);
  if (!target) return fail(target.error());
  auto main = read_whole_file(*target, most_file_bytes);
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
    // Without spools it was never ours to finish.
    const auto rebuilt = live_header(*main);
    if (!rebuilt || keyframes->empty()) return fail(opened.error());
    std::copy(rebuilt->begin(), rebuilt->end(), main->begin());
  }

  const auto made = icrep::finish_live({*main, *keyframes, *events, *voice});
  if (!made) return fail(made.error());
  const byte_span old_header = byte_span(*main).first(icrep::header_bytes);
  if (auto done = write_finished(*target, *made, old_header, calls); !done) return fail(done.error());
  if (auto done = target->close(); !done) return fail(done.error());
  return recover_report{true, made->total_ticks, icrep::read_keyframe_spool(*keyframes).size()};
}

}  // namespace

result<recover_report> recover(const file_path& path, system_calls& calls) {
  const file_path reel = reel_path_of(path);
  // A living recorder holds a lock on its reel; and nobody else shall lay out the same one now.
  auto left = file::open_for_appending(reel, calls);
  if (!left && left.error().code != error_code::not_found) return fail(left.error());
  if (!left) return recover_old(path, calls);
  if (const auto done = opened_match::open(path, calls)) {
    // Laid out already; only the reel had not gone.
    left->discard();
    return recover_report{false, (*done)->reader().total_ticks(), (*done)->reader().keyframes().size()};
  } else if (done.error().code != error_code::not_found) {
    return fail(done.error());
  }
  const auto published = publish_match(reel, path, false, calls);
  if (!published) return fail(published.error());
  if (const auto sound = check_published(path, calls); !sound) return fail(sound.error());
  left->discard();
  return recover_report{true, published->total_ticks, published->keyframes};
}

}  // namespace tickreel::game
