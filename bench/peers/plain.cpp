// The alternatives that need only a codec.
#include <zlib.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <iterator>

#include "../support/exit_on_error.hpp"
#include "peer.hpp"
#include "tickreel/echoreplay/line.hpp"

namespace tickreel::bench {
namespace {

void append_json(std::string& out, const echo::state& tick) {
  echoreplay::append_line(tick, out);
}
void append_json(std::string& out, const shooter_state& tick) {
  const auto append_object = [&out](const auto& component) {
    char before = '{';
    visit_fields(component, [&](std::string_view name, const auto& value) {
      fmt::format_to(std::back_inserter(out), "{}\"{}\":{}", before, name, value);
      before = ',';
    });
    out += '}';
  };
  char before = '[';
  for (std::size_t i = 0; i < tick.placements.size(); ++i) {
    out += before;
    before = ',';
    out += "{\"placement\":";
    append_object(tick.placements[i]);
    out += ",\"condition\":";
    append_object(tick.conditions[i]);
    out += '}';
  }
  out += "]\n";
}

template <class State>
class json_deflated final : public peer<State> {
 public:
  explicit json_deflated(const std::string& path) : file_(path) {
    // Raw deflate at zip's usual level.
    if (deflateInit2(&stream_, 6, Z_DEFLATED, -15, 8, Z_DEFAULT_STRATEGY) != Z_OK) stop("zlib");
  }
  ~json_deflated() override { deflateEnd(&stream_); }
  void record(const State& tick) override {
    text_.clear();
    append_json(text_, tick);
    compress(Z_NO_FLUSH);
  }
  void finish() override {
    text_.clear();
    compress(Z_FINISH);
    file_.close();
  }

 private:
  void compress(int flush) {
    stream_.next_in = reinterpret_cast<Bytef*>(text_.data());
    stream_.avail_in = static_cast<uInt>(text_.size());
    do {
      stream_.next_out = room_;
      stream_.avail_out = sizeof room_;
      (void)deflate(&stream_, flush);
      file_.write(room_, sizeof room_ - stream_.avail_out);
    } while (stream_.avail_out == 0);
  }

  plain_file file_;
  z_stream stream_{};
  std::string text_;
  Bytef room_[64 << 10];
};

template <class State>
class rows final : public peer<State> {
 public:
  rows(const std::string& path, codec_id codec) : file_(path, codec) {}
  void record(const State& tick) override {
    append_row(file_.bytes(), tick);
    file_.added();
  }
  void finish() override { file_.finish(); }
  bool read(std::uint64_t tick, State& to) override {
    if constexpr (described<State>) {
      const byte_span bytes = file_.read(tick);
      std::memcpy(&to, bytes.data(), sizeof to);
      return true;
    }
    return false;
  }

 private:
  packed_file file_;
};

}  // namespace

void append_bytes(byte_vector& to, const void* from, std::size_t size) {
  const auto* const bytes = static_cast<const std::byte*>(from);
  to.insert(to.end(), bytes, bytes + size);
}
void append_row(byte_vector& to, const echo::state& tick) {
  append_bytes(to, &tick, offsetof(echo::state, players));
  append_bytes(to, tick.players.data(), tick.match.player_count * sizeof(echo::player));
  append_bytes(to, tick.bone_players.data(), tick.bone_player_count * sizeof(echo::bone_player));
}

packed_file::packed_file(const std::string& path, codec_id codec)
    : path_(path), file_(path), id_(codec), codec_(must(compressor::create({.codec = codec}))) {
  chunk_.reserve(2 * chunk_bytes);
}

void packed_file::added() {
  ends_.push_back(chunk_.size());
  if (chunk_.size() >= chunk_bytes) flush();
}

void packed_file::finish() {
  flush();
  file_.close();
}

void packed_file::flush() {
  must(codec_.compress(chunk_, stored_));
  file_.write(stored_.data(), stored_.size());
  chunks_.push_back({first_tick_, offset_, stored_.size(), chunk_.size()});
  offset_ += stored_.size();
  first_tick_ = ends_.size();
  chunk_.clear();
}

byte_span packed_file::read(std::uint64_t tick) {
  const auto after =
      std::upper_bound(chunks_.begin(), chunks_.end(), tick,
                       [](std::uint64_t wanted, const stored_chunk& at) { return wanted < at.first_tick; });
  const stored_chunk& at = *std::prev(after);
  stored_.resize(at.stored_bytes);
  std::FILE* const from = std::fopen(path_.c_str(), "rb");
  if (from == nullptr || std::fseek(from, static_cast<long>(at.offset), SEEK_SET) != 0 ||
      std::fread(stored_.data(), 1, stored_.size(), from) != stored_.size()) {
    stop("a file cannot be read");
  }
  std::fclose(from);
  must(decompressor().decompress(id_, stored_, at.bytes, chunk_));
  const std::uint64_t begin = tick == at.first_tick ? 0 : ends_[tick - 1];
  return byte_span(chunk_).subspan(begin, ends_[tick] - begin);
}

void stop(const char* why) {
  fmt::print(stderr, "peers: {}\n", why);
  std::exit(1);
}

template <class State>
std::unique_ptr<peer<State>> make_json(const std::string& path) {
  return std::make_unique<json_deflated<State>>(path);
}
template <class State>
std::unique_ptr<peer<State>> make_rows(const std::string& path, codec_id codec) {
  return std::make_unique<rows<State>>(path, codec);
}
template std::unique_ptr<peer<echo::state>> make_json(const std::string&);
template std::unique_ptr<peer<shooter_state>> make_json(const std::string&);
template std::unique_ptr<peer<echo::state>> make_rows(const std::string&, codec_id);
template std::unique_ptr<peer<shooter_state>> make_rows(const std::string&, codec_id);
template std::unique_ptr<peer<strategy_state>> make_rows(const std::string&, codec_id);
template std::unique_ptr<peer<physics_state>> make_rows(const std::string&, codec_id);

}  // namespace tickreel::bench
