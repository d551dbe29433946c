// Tickreel and its alternatives, each used as its users do: on the thread that produces the tick, directly into a file.
#pragma once

#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include "states.hpp"
#include "tickreel/bytes/span.hpp"
#include "tickreel/codec/codec.hpp"
#include "tickreel/echo/state.hpp"

namespace tickreel::bench {

template <class State>
class peer {
 public:
  virtual ~peer() = default;
  virtual void record(const State& tick) = 0;
  // Writes the remaining bytes.
  virtual void finish() = 0;
  // After finish(): the state of a tick, counted from 0. False if the file can only be read from its beginning.
  virtual bool read(std::uint64_t, State&) { return false; }
};

// They end the process with a message on an error. Null when the build lacks the library.

// A push into a recorder with a writer thread: ours.
template <described State>
std::unique_ptr<peer<State>> make_recorder(const std::string& path);
// Ours, with the declarations of declared_body.
std::unique_ptr<peer<physics_state>> make_declared(const std::string& path, std::uint32_t seal_ticks);
// Ours, for Echo VR: all values, and a .butter of the values that its readers need.
std::unique_ptr<peer<echo::state>> make_columns(const std::string& path, std::uint32_t seal_ticks);
std::unique_ptr<peer<echo::state>> make_butter(const std::string& path);
// One line of JSON per tick, deflated. For echo::state and shooter_state.
template <class State>
std::unique_ptr<peer<State>> make_json(const std::string& path);
// The state's raw bytes, compressed per MiB. For every state, as the next ones.
template <class State>
std::unique_ptr<peer<State>> make_rows(const std::string& path, codec_id codec);
// A message per tick with the state's raw bytes, in zstd chunks of a MiB, by Tickreel's own writer.
template <class State>
std::unique_ptr<peer<State>> make_mcap(const std::string& path);
// Messages with their length before them, in one zstd stream.
template <class State>
std::unique_ptr<peer<State>> make_protobuf(const std::string& path);
// Messages of structs with their length before them, compressed per MiB. For described states, as the next one.
template <class State>
std::unique_ptr<peer<State>> make_flatbuffers(const std::string& path);
// A row per object and tick, a column per member, zstd buffers, by Tickreel's own writer: record batches of 64k rows.
template <class State>
std::unique_ptr<peer<State>> make_arrow(const std::string& path);

void append_bytes(byte_vector& to, const void* from, std::size_t size);
// The bytes in memory. Of an echo::state only the players that it has.
void append_row(byte_vector& to, const echo::state& tick);
template <described State>
void append_row(byte_vector& to, const State& tick) {
  static_assert(sizeof(State) == component_size<State>, "a row has no padding");
  append_bytes(to, &tick, sizeof tick);
}

[[noreturn]] void stop(const char* why);

// A file that ends the process if it cannot be written.
class plain_file {
 public:
  explicit plain_file(const std::string& path) : file_(std::fopen(path.c_str(), "wb")) {
    if (file_ == nullptr) stop("a file cannot be made");
  }
  ~plain_file() { close(); }
  plain_file(const plain_file&) = delete;
  plain_file& operator=(const plain_file&) = delete;

  void write(const void* bytes, std::size_t size) {
    if (std::fwrite(bytes, 1, size, file_) != size) stop("a file cannot be written");
  }
  void close() noexcept {
    if (file_ != nullptr) std::fclose(file_);
    file_ = nullptr;
  }

 private:
  std::FILE* file_;
};

// Bytes, compressed per MiB.
class packed_file {
 public:
  packed_file(const std::string& path, codec_id codec);
  // The bytes of the file before they are compressed. Call added() after each tick.
  [[nodiscard]] byte_vector& bytes() noexcept { return chunk_; }
  void added();
  void finish();
  // After finish(): the bytes of one tick.
  [[nodiscard]] byte_span read(std::uint64_t tick);

 private:
  static constexpr std::size_t chunk_bytes = 1u << 20;
  struct stored_chunk {
    std::uint64_t first_tick = 0, offset = 0, stored_bytes = 0, bytes = 0;
  };
  void flush();

  std::string path_;
  plain_file file_;
  codec_id id_;
  compressor codec_;
  byte_vector chunk_, stored_;
  std::vector<std::uint64_t> ends_;  // of the ticks, in their chunks
  std::vector<stored_chunk> chunks_;
  std::uint64_t offset_ = 0, first_tick_ = 0;
};

}  // namespace tickreel::bench
