// Alternatives to Tickreel, each used as its users do: on the thread that produces the tick, directly into a file.
#pragma once

#include <cstdio>
#include <memory>
#include <string>

#include "../support/world_encoder.hpp"
#include "tickreel/bytes/span.hpp"
#include "tickreel/codec/codec.hpp"
#include "tickreel/echo/state.hpp"

namespace tickreel::bench {

using shooter_state = world_state<128>;

template <class State>
class peer {
 public:
  virtual ~peer() = default;
  virtual void record(const State& tick) = 0;
  // Writes the remaining bytes.
  virtual void finish() = 0;
};

// Created for echo::state and shooter_state. They end the process with a message on an error.

// A push into a recorder with a writer thread: ours.
template <class State>
std::unique_ptr<peer<State>> make_recorder(const std::string& path);
// One line of JSON per tick, deflated.
template <class State>
std::unique_ptr<peer<State>> make_json(const std::string& path);
// The state's raw bytes, compressed per MiB.
template <class State>
std::unique_ptr<peer<State>> make_rows(const std::string& path, codec_id codec);
// Messages with their length before them, in one zstd stream. Null when the build has no protobuf.
template <class State>
std::unique_ptr<peer<State>> make_protobuf(const std::string& path);
// Messages of the state's bytes in zstd chunks. Null when the build has no MCAP.
template <class State>
std::unique_ptr<peer<State>> make_mcap(const std::string& path);

// Appends the available alternatives to `to`.
void append_row(byte_vector& to, const echo::state& tick);
void append_row(byte_vector& to, const shooter_state& tick);

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

}  // namespace tickreel::bench
