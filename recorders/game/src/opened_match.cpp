#include "opened_match.hpp"

#include "live_file.hpp"
#include "match_reel.hpp"

namespace tickreel::game {

result<std::unique_ptr<opened_match>> opened_match::open(std::string_view path, system_calls& calls) {
  std::unique_ptr<opened_match> made(new opened_match);
  auto main = file_view::map(path, calls);
  if (!main) return fail(main.error());
  made->main_ = std::move(*main);
  byte_span file = made->main_.bytes();
  auto header = icrep::read_header(file);
  if (!header && is_reel(file)) {
    auto image = image_of_reel(path, calls);
    if (!image) return fail(image.error());
    made->image_ = std::move(image->file);
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
    const auto load = [&](byte_vector& into, const std::string& spool) -> result<void> {
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
  icrep::reader_options options;
  options.spools = {{}, made->keyframes_, made->events_, made->voice_};
  auto reader = icrep::reader::open(file, options);
  if (!reader) return fail(reader.error());
  made->reader_ = std::move(*reader);
  return made;
}

}  // namespace tickreel::game
