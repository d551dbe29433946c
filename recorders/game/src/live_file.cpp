#include "live_file.hpp"

#include "file_view.hpp"

namespace tickreel::game {

namespace {

std::string with_suffix(std::string_view path, std::string_view suffix) {
  std::string out(path);
  out += suffix;
  return out;
}

// What stands under a spool's name belongs to no file: one is only now being created.
result<file> create_spool(const std::string& path, system_calls& calls) {
  auto created = file::create_new(path, calls);
  if (created || created.error().code != error_code::already_exists) return created;
  const std::int64_t removed = calls.remove(path.c_str());
  if (removed < 0) return fail(from_system_error(static_cast<int>(-removed), "removing an old spool"));
  return file::create_new(path, calls);
}

}  // namespace

std::string keyframe_spool_path(std::string_view path) {
  return with_suffix(path, ".kf");
}
std::string event_spool_path(std::string_view path) {
  return with_suffix(path, ".ev");
}
std::string voice_spool_path(std::string_view path) {
  return with_suffix(path, ".vo");
}

result<byte_vector> read_whole(const file& from) {
  const auto size = from.size();
  if (!size) return fail(size.error());
  // Offsets in the format are 32 bits wide; a longer file is none of ours.
  if (*size > std::uint64_t{UINT32_MAX}) return fail(error_code::over_limit, 0, "larger than 4 GiB");
  byte_vector bytes(static_cast<std::size_t>(*size));
  const auto read = from.read_at(bytes, 0);
  if (!read) return fail(read.error());
  bytes.resize(*read);
  return bytes;
}

result<byte_vector> read_whole_or_nothing(std::string_view path, system_calls& calls) {
  const auto opened = file::open_for_reading(path, calls);
  if (!opened && opened.error().code == error_code::not_found) return byte_vector{};
  if (!opened) return fail(opened.error());
  return read_whole(*opened);
}

result<void> remove_spools(std::string_view path, system_calls& calls) {
  bool any = false;
  for (const std::string& spool :
       {keyframe_spool_path(path), event_spool_path(path), voice_spool_path(path)}) {
    const std::int64_t removed = calls.remove(spool.c_str());
    if (removed == 0) {
      any = true;
      continue;
    }
    const error why = from_system_error(static_cast<int>(-removed), "removing a spool");
    if (why.code != error_code::not_found) return fail(why);
  }
  if (!any) return {};
  const std::int64_t settled = calls.sync_folder(std::string(path).c_str());
  if (settled < 0) return fail(from_system_error(static_cast<int>(-settled), "syncing the folder"));
  return {};
}

result<void> write_finished(file& live, const icrep::finished_live& made, byte_span live_header,
                            system_calls& calls) {
  auto done = live.truncate(made.keep_bytes);
  if (done) done = live.append(made.tail);
  if (done) done = live.sync();
  if (!done) return done;
  done = live.overwrite(made.header, 0);
  if (done) done = live.sync();
  if (!done) {
    // Part of the header may be there. As long as it says live, the spools are what counts.
    (void)live.overwrite(live_header, 0);
    return done;
  }
  return remove_spools(live.path(), calls);
}

result<live_file> live_file::create(std::string_view path, byte_span beginning, bool has_voice,
                                    system_calls& calls) {
  auto main = file::create_new(path, calls);
  if (!main) return fail(main.error());
  const auto begin = [&]() -> result<live_file> {
    auto keyframes = create_spool(keyframe_spool_path(path), calls);
    if (!keyframes) return fail(keyframes.error());
    auto events = create_spool(event_spool_path(path), calls);
    if (!events) return fail(events.error());
    std::optional<file> voice;
    if (has_voice) {
      auto created = create_spool(voice_spool_path(path), calls);
      if (!created) return fail(created.error());
      voice = std::move(*created);
    }
    auto done = main->append(beginning);
    if (done) done = main->sync();
    if (!done) return fail(done.error());
    const std::int64_t settled = calls.sync_folder(std::string(path).c_str());
    if (settled < 0) return fail(from_system_error(static_cast<int>(-settled), "syncing the folder"));
    return live_file(std::move(*main), std::move(*keyframes), std::move(*events), std::move(voice), calls);
  };
  auto made = begin();
  if (!made) {
    // Nothing has been recorded; nothing shall stand in the way of another try.
    (void)remove_spools(path, calls);
    main->discard();
  }
  return made;
}

void live_file::discard() noexcept {
  for (file* one : {&keyframes_, &events_, &main_}) one->discard();
  if (voice_) voice_->discard();
}

result<void> live_file::sync() {
  auto done = main_.sync();
  if (done) done = keyframes_.sync();
  if (done) done = events_.sync();
  if (done && voice_) done = voice_->sync();
  return done;
}

result<std::uint64_t> live_file::finish(const icrep::finish_options& how) {
  const auto made = make_finished(how);
  if (!made) return fail(made.error());
  auto done = write_finished(main_, made->first, made->second, *calls_);
  if (!done) return fail(done.error());
  done = main_.close();
  if (!done) return fail(done.error());
  return made->first.keep_bytes + made->first.tail.size();
}

// Also the header as it is now. Nothing is mapped any more when it returns: mapped files can't be cut
// everywhere.
result<std::pair<icrep::finished_live, byte_vector>> live_file::make_finished(
    const icrep::finish_options& how) const {
  const auto main = file_view::map(main_, *calls_);
  if (!main) return fail(main.error());
  const auto keyframes = file_view::map(keyframes_, *calls_);
  if (!keyframes) return fail(keyframes.error());
  const auto events = file_view::map(events_, *calls_);
  if (!events) return fail(events.error());
  file_view voice;
  if (voice_) {
    auto opened = file_view::map(*voice_, *calls_);
    if (!opened) return fail(opened.error());
    voice = std::move(*opened);
  }
  auto made = icrep::finish_live({main->bytes(), keyframes->bytes(), events->bytes(), voice.bytes()}, how);
  if (!made) return fail(made.error());
  const byte_span header = main->bytes().first(icrep::header_bytes);
  return std::pair(std::move(*made), byte_vector(header.begin(), header.end()));
}

}  // namespace tickreel::game
