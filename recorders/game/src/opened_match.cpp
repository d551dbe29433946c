#include "opened_match.hpp"

#include "match_frame.hpp"
#include "match_parts.hpp"
#include "old_live_file.hpp"
#include "publish_match.hpp"

namespace tickreel::game {

namespace {

bool is_part(byte_span file, std::uint32_t number, std::string_view replay_id) {
  const auto opened = icrep::reader::open(file);
  if (!opened || opened->facts().replay_id != replay_id) return false;
  const auto part = part_of(opened->facts());
  return part && part->number == number;
}

}  // namespace

result<std::unique_ptr<opened_match>> opened_match::open(const file_path& path, system_calls& calls) {
  std::unique_ptr<opened_match> made(new opened_match);
  auto main = file_view::map(path, calls);
  if (!main) return fail(main.error());
  made->main_ = std::move(*main);
  byte_span file = made->main_.bytes();
  auto header = icrep::read_header(file);
  if (!header && is_reel(file)) {
    auto reel = open_reel(path, calls);
    if (!reel) return fail(reel.error());
    if (const auto published = publish_match(*reel, made->images_); !published)
      return fail(published.error());
    made->main_ = {};
    if (auto started = made->start_all(); !started) return fail(started.error());
    return made;
  }
  if (!header) return fail(header.error());
  if (header->live) {
    // Its recorder writes and truncates it.
    if (made->main_.is_mapped()) {
      auto copied = file_view::copy(path, calls);
      if (!copied) return fail(copied.error());
      made->main_ = std::move(*copied);
      file = made->main_.bytes();
    }
    const auto load = [&](byte_vector& into, const file_path& spool) -> result<void> {
      auto bytes = read_whole_or_nothing(spool, calls);
      if (!bytes) return fail(bytes.error());
      into = std::move(*bytes);
      return {};
    };
    auto done = load(made->keyframes_, keyframe_spool_path(path));
    if (done) done = load(made->events_, event_spool_path(path));
    if (done) done = load(made->voice_, voice_spool_path(path));
    if (!done) return fail(done.error());
  }
  if (auto started = made->start(file); !started) return fail(started.error());
  made->find_parts(path, calls);
  return made;
}

result<std::unique_ptr<opened_match>> opened_match::open(byte_span match) {
  std::unique_ptr<opened_match> made(new opened_match);
  if (is_reel(match)) {
    auto from = reel::reader::from_memory(match, {}, false);
    if (!from) return fail(from.error());
    if (const auto published = publish_match(*from, made->images_); !published)
      return fail(published.error());
    if (auto started = made->start_all(); !started) return fail(started.error());
    return made;
  }
  if (auto started = made->start(match); !started) return fail(started.error());
  made->find_parts({}, system_calls::real());
  return made;
}

result<void> opened_match::start_all() {
  return start(images_.front(), {images_.begin() + 1, images_.end()});
}

// Existing files beside the first are read with it. In memory there are none.
void opened_match::find_parts(const file_path& first, system_calls& calls) {
  const auto part = part_of(reader_->facts());
  if (!part || part->number != 1) return;
  const std::string replay_id = reader_->facts().replay_id;
  std::vector<byte_span> files;
  for (std::uint32_t number = 2; number <= part->of; ++number) {
    auto there = first.utf8().empty() ? result<file_view>(fail(error_code::not_found))
                                      : file_view::map(part_path(first, number), calls);
    if (there && is_part(there->bytes(), number, replay_id)) {
      files.push_back(parts_.emplace_back(std::move(*there)).bytes());
    } else {
      missing_parts_.push_back(number);
    }
  }
  // Parts of different matches are not read as one.
  if (files.empty() || start(first_, files)) return;
  missing_parts_.clear();
  for (std::uint32_t number = 2; number <= part->of; ++number) missing_parts_.push_back(number);
}

result<void> opened_match::start(byte_span file, std::vector<byte_span> continued) {
  first_ = file;
  icrep::reader_options options;
  options.continued = std::move(continued);
  options.spools = {{}, keyframes_, events_, voice_};
  auto reader = icrep::reader::open(file, options);
  if (!reader) return fail(reader.error());
  reader_ = std::move(*reader);
  return {};
}

}  // namespace tickreel::game
