#include "live_file.hpp"
#include "match_output.hpp"
#include "tickreel/icrep/bc1.hpp"
#include "tickreel/icrep/keyframe.hpp"

namespace tickreel::game {

namespace {

// A spool, or the orders: blocks that are ready, and what they hold.
struct stream {
  byte_vector blocks;
  std::uint64_t items = 0;       // in blocks, or about to be
  std::uint64_t file_bytes = 0;  // written
  std::uint64_t open_bytes = 0;  // in no block yet
};

class icrep_output final : public match_output {
 public:
  icrep_output(live_file files, std::uint64_t beginning_bytes, writer_losses& losses)
      : files_(std::move(files)), losses_(losses) {
    order_stream_.file_bytes = beginning_bytes;
  }

  void frame(const icrep::tick_frame& frame) override {
    const std::size_t ready = order_stream_.blocks.size();
    if (!orders_.add(frame, order_stream_.blocks)) return writer_losses::count(losses_.ticks);
    note(order_stream_, ready, icrep::bc1_size(frame));
  }

  bool keyframe(std::uint64_t tick, bool full, byte_span raw) override {
    byte_vector block;
    const auto made = icrep::append_keyframe_block(block, tick, full, raw);
    const auto written = made ? files_.append_keyframe(block) : made;
    if (written) {
      keyframe_bytes_ += block.size();
      return true;
    }
    writer_losses::count(losses_.keyframes);
    if (made) writer_losses::count(losses_.failed_writes);
    return false;
  }
  bool lost_keyframe() noexcept override { return false; }

  void event(const analysis::event& happened) override {
    const std::size_t ready = event_stream_.blocks.size();
    if (!events_.add(happened, event_stream_.blocks)) return writer_losses::count(losses_.events);
    note(event_stream_, ready, record_bytes);
  }

  void voice(std::uint64_t, const icrep::voice::record& said) override {
    const std::size_t ready = voice_stream_.blocks.size();
    if (!voice_.add(said, voice_stream_.blocks)) return writer_losses::count(losses_.voice);
    const auto* frame = std::get_if<icrep::voice::frame>(&said);
    note(voice_stream_, ready, record_bytes + (frame != nullptr ? frame->opus.size() : 0));
  }

  void write(bool all) override {
    if (all) {
      (void)orders_.flush(order_stream_.blocks);
      (void)events_.flush(event_stream_.blocks);
      (void)voice_.flush(voice_stream_.blocks);
      order_stream_.open_bytes = event_stream_.open_bytes = voice_stream_.open_bytes = 0;
    }
    write(order_stream_, losses_.ticks, [&](byte_span blocks) { return files_.append_orders(blocks); });
    write(event_stream_, losses_.events, [&](byte_span blocks) { return files_.append_events(blocks); });
    write(voice_stream_, losses_.voice, [&](byte_span blocks) { return files_.append_voice(blocks); });
  }

  result<void> sync() override { return files_.sync(); }
  void discard() noexcept override { files_.discard(); }

  [[nodiscard]] std::uint64_t size_bytes() const noexcept override {
    std::uint64_t bytes = keyframe_bytes_;
    for (const stream* one : {&order_stream_, &event_stream_, &voice_stream_}) {
      bytes += one->file_bytes + one->blocks.size() + one->open_bytes;
    }
    return bytes;
  }

  result<std::uint64_t> finish(icrep::orderly_end end) override {
    write(true);
    if (!order_stream_.blocks.empty()) {
      return fail(error_code::io_failed, error::no_offset, "{} bytes of orders could not be written",
                  static_cast<std::int64_t>(order_stream_.blocks.size()));
    }
    give_up(event_stream_, losses_.events);
    give_up(voice_stream_, losses_.voice);
    icrep::finish_options options;
    options.closed = std::move(end);
    return files_.finish(options);
  }

 private:
  // About what an event or a record's head takes.
  static constexpr std::size_t record_bytes = 64;

  static void note(stream& to, std::size_t ready_before, std::size_t bytes) noexcept {
    ++to.items;
    // A block was finished by it.
    if (to.blocks.size() != ready_before) to.open_bytes = 0;
    to.open_bytes += bytes;
  }
  static void give_up(stream& from, std::atomic<std::uint64_t>& lost) noexcept {
    if (from.blocks.empty()) return;
    writer_losses::count(lost, from.items);
    from.blocks.clear();
    from.items = 0;
  }

  template <class Append>
  void write(stream& from, std::atomic<std::uint64_t>& lost, Append&& append) {
    if (from.blocks.empty()) return;
    if (!append(from.blocks)) {
      writer_losses::count(losses_.failed_writes);
      if (from.blocks.size() > unwritten_limit_bytes) give_up(from, lost);
      return;
    }
    from.file_bytes += from.blocks.size();
    from.blocks.clear();
    from.items = 0;
  }

  live_file files_;
  writer_losses& losses_;
  icrep::order_stream_writer orders_;
  icrep::record_stream_writer events_ = icrep::record_stream_writer::events();
  icrep::record_stream_writer voice_ = icrep::record_stream_writer::voice_frames();
  stream order_stream_;
  stream event_stream_;
  stream voice_stream_;
  std::uint64_t keyframe_bytes_ = 0;
};

}  // namespace

result<std::unique_ptr<match_output>> create_icrep_output(std::string_view path, const icrep::metadata& facts,
                                                          bool has_voice, system_calls& calls,
                                                          writer_losses& losses) {
  const auto beginning = icrep::begin_live_file(icrep::to_json(facts));
  if (!beginning) return fail(beginning.error());
  auto files = live_file::create(path, *beginning, has_voice, calls);
  if (!files) return fail(files.error());
  return std::make_unique<icrep_output>(std::move(*files), beginning->size(), losses);
}

}  // namespace tickreel::game
