// The alternatives that need only a codec, and ours.
#include <zlib.h>

#include <cstdlib>

#include "../support/arena_match.hpp"
#include "../support/exit_on_error.hpp"
#include "peer.hpp"
#include "tickreel/butter/encoder.hpp"
#include "tickreel/echoreplay/line.hpp"
#include "tickreel/record/recorder.hpp"

namespace tickreel::bench {
namespace {

template <class Encoder>
class through_recorder final : public peer<typename Encoder::state_type> {
 public:
  explicit through_recorder(const std::string& path)
      : to_(must(recorder<Encoder>::open(path, Encoder{}, {.ticks_per_second = 1'000}))) {}
  void record(const typename Encoder::state_type& tick) override { (void)to_.push(tick); }
  void finish() override {
    if (!must(to_.close()).nothing_lost()) fmt::print("the recorder lost ticks: the machine is too busy\n");
  }

 private:
  recorder<Encoder> to_;
};

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
class row_chunks final : public peer<State> {
 public:
  row_chunks(const std::string& path, codec_id codec)
      : file_(path), codec_(must(compressor::create({.codec = codec}))) {
    chunk_.reserve(chunk_bytes + (64u << 10));
  }
  void record(const State& tick) override {
    append_row(chunk_, tick);
    if (chunk_.size() >= chunk_bytes) flush();
  }
  void finish() override {
    flush();
    file_.close();
  }

 private:
  static constexpr std::size_t chunk_bytes = 1u << 20;
  void flush() {
    must(codec_.compress(chunk_, stored_));
    file_.write(stored_.data(), stored_.size());
    chunk_.clear();
  }

  plain_file file_;
  compressor codec_;
  byte_vector chunk_, stored_;
};

void append(byte_vector& to, const void* from, std::size_t size) {
  const auto* const bytes = static_cast<const std::byte*>(from);
  to.insert(to.end(), bytes, bytes + size);
}

}  // namespace

void append_row(byte_vector& to, const echo::state& tick) {
  append(to, &tick, offsetof(echo::state, players));
  append(to, tick.players.data(), tick.match.player_count * sizeof(echo::player));
  append(to, tick.bone_players.data(), tick.bone_player_count * sizeof(echo::bone_player));
}
void append_row(byte_vector& to, const shooter_state& tick) {
  append(to, &tick, sizeof tick);
}

void stop(const char* why) {
  fmt::print(stderr, "peers: {}\n", why);
  std::exit(1);
}

template <>
std::unique_ptr<peer<echo::state>> make_recorder(const std::string& path) {
  return std::make_unique<through_recorder<butter::encoder>>(path);
}
template <>
std::unique_ptr<peer<shooter_state>> make_recorder(const std::string& path) {
  return std::make_unique<through_recorder<world_encoder<128>>>(path);
}
template <class State>
std::unique_ptr<peer<State>> make_json(const std::string& path) {
  return std::make_unique<json_deflated<State>>(path);
}
template <class State>
std::unique_ptr<peer<State>> make_rows(const std::string& path, codec_id codec) {
  return std::make_unique<row_chunks<State>>(path, codec);
}
template std::unique_ptr<peer<echo::state>> make_json(const std::string&);
template std::unique_ptr<peer<shooter_state>> make_json(const std::string&);
template std::unique_ptr<peer<echo::state>> make_rows(const std::string&, codec_id);
template std::unique_ptr<peer<shooter_state>> make_rows(const std::string&, codec_id);

}  // namespace tickreel::bench
