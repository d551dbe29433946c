#include "encode_file.hpp"

#include <stdexcept>

namespace tickreel::conformance {
namespace {

template <class T>
T value_of(result<T> given, const char* what) {
  if (!given) throw std::runtime_error(std::string(what) + ": " + describe(given.error()));
  return std::move(*given);
}

class file_maker {
 public:
  explicit file_maker(const encode_plan& plan)
      : plan_(plan),
        encoder_(plan.options),
        compressor_(value_of(compressor::create(plan.codec), "compressor")),
        room_(encoder_.max_frame_size()) {}

  [[nodiscard]] bool wants_new_file(const echo::state& next) const { return encoder_.needs_new_file(next); }

  void add(const echo::state& next) {
    const bool scheduled = frames_ % plan_.keyframe_interval_ticks == 0;
    if (scheduled) close_chunk();
    byte_writer out(room_);
    encoder_.encode(next, scheduled ? frame_kind::keyframe : frame_kind::delta, out);
    if (!out.ok()) throw std::runtime_error("a frame is larger than max_frame_size()");
    chunk_.insert(chunk_.end(), out.written().begin(), out.written().end());
    ++frames_;
  }

  encoded_file close(std::size_t first_state) {
    close_chunk();
    byte_vector header(encoder_.max_header_size());
    byte_writer out(header);
    encoder_.write_header(out);
    if (!out.ok()) throw std::runtime_error("the header is larger than max_header_size()");
    const butter::compression codec = value_of(butter::compression_for(plan_.codec), "compression byte");
    encoded_file file;
    file.bytes =
        value_of(butter::encode_head(out.written(), plan_.keyframe_interval_ticks, codec, sizes_), "head");
    file.bytes.insert(file.bytes.end(), chunks_.begin(), chunks_.end());
    file.first_state = first_state;
    file.state_count = frames_;
    file.left_out = encoder_.left_out();
    return file;
  }

 private:
  void close_chunk() {
    if (chunk_.empty()) return;
    byte_vector stored;
    if (const auto done = compressor_.compress(chunk_, stored); !done)
      throw std::runtime_error(describe(done.error()));
    sizes_.push_back(static_cast<std::uint32_t>(stored.size()));
    chunks_.insert(chunks_.end(), stored.begin(), stored.end());
    chunk_.clear();
  }

  const encode_plan& plan_;
  butter::encoder encoder_;
  compressor compressor_;
  byte_vector room_;
  byte_vector chunk_;
  byte_vector chunks_;
  std::vector<std::uint32_t> sizes_;
  std::size_t frames_ = 0;
};

}  // namespace

std::vector<encoded_file> encode(std::span<const echo::state> states, const encode_plan& plan) {
  std::vector<encoded_file> files;
  std::optional<file_maker> maker;
  std::size_t first = 0;
  for (std::size_t i = 0; i < states.size(); ++i) {
    if (maker && maker->wants_new_file(states[i])) {
      files.push_back(maker->close(first));
      maker.reset();
    }
    if (!maker) {
      maker.emplace(plan);
      first = i;
    }
    maker->add(states[i]);
  }
  if (maker) files.push_back(maker->close(first));
  return files;
}

}  // namespace tickreel::conformance
