#include "opened_match.hpp"

#include "match_frame.hpp"
#include "old_live_file.hpp"
#include "publish_match.hpp"

namespace tickreel::game {

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
    if (const auto laid_out = publish_match(*reel, made->image_); !laid_out) return fail(laid_out.error());
    made->main_ = {};
    file = made->image_;
    header = icrep::read_header(file);
  }
  if (!header) return fail(header.error());
  if (header->live) {
    // Its recorder writes and cuts it.
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
  return made;
}

result<std::unique_ptr<opened_match>> opened_match::open(byte_span match) {
  std::unique_ptr<opened_match> made(new opened_match);
  if (is_reel(match)) {
    auto from = reel::reader::from_memory(match, {}, false);
    if (!from) return fail(from.error());
    if (const auto laid_out = publish_match(*from, made->image_); !laid_out) return fail(laid_out.error());
    match = made->image_;
  }
  if (auto started = made->start(match); !started) return fail(started.error());
  return made;
}

result<void> opened_match::start(byte_span file) {
  icrep::reader_options options;
  options.spools = {{}, keyframes_, events_, voice_};
  auto reader = icrep::reader::open(file, options);
  if (!reader) return fail(reader.error());
  reader_ = std::move(*reader);
  return {};
}

}  // namespace tickreel::game
