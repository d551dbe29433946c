// Random access to bytes of a file, in memory, or in a store. Readers of recordings use this and do not
// depend on the location.
#pragma once

#include <memory>
#include <utility>

#include "tickreel/bytes/span.hpp"
#include "tickreel/io/file.hpp"
#include "tickreel/io/path.hpp"
#include "tickreel/result.hpp"

namespace tickreel {

// Bytes in memory, owned or borrowed. Movable; bytes() keep their address.
class held_bytes {
 public:
  held_bytes() noexcept = default;
  explicit held_bytes(byte_span of_another) noexcept : view_(of_another) {}
  explicit held_bytes(byte_vector&& owned) noexcept : owned_(std::move(owned)), view_(owned_) {}
  held_bytes(held_bytes&& other) noexcept
      : owned_(std::move(other.owned_)), view_(std::exchange(other.view_, {})) {}
  held_bytes& operator=(held_bytes&& other) noexcept {
    owned_ = std::move(other.owned_);
    view_ = std::exchange(other.view_, {});
    return *this;
  }

  [[nodiscard]] byte_span bytes() const noexcept { return view_; }
  [[nodiscard]] std::size_t size() const noexcept { return view_.size(); }
  operator byte_span() const noexcept { return view_; }  // NOLINT(google-explicit-constructor): a view

 private:
  byte_vector owned_;
  byte_span view_;
};

// Bytes at another location that are fetched on request, such as an object in a store. Callable from any
// thread.
class distant_bytes {
 public:
  distant_bytes() = default;
  distant_bytes(const distant_bytes&) = delete;
  distant_bytes& operator=(const distant_bytes&) = delete;
  virtual ~distant_bytes() = default;
  [[nodiscard]] virtual std::uint64_t size() const noexcept = 0;
  // Reads until `into` is full or the bytes end; returns the number of bytes read.
  virtual result<std::size_t> read_at(mutable_byte_span into, std::uint64_t offset) = 0;
};

// Copies share the file; each copy is used by one thread.
class byte_source {
 public:
  // In memory, which must outlive the source and everything read in place. `name` is reported as the file's
  // name.
  explicit byte_source(byte_span from, file_path name = {}) : memory_(from), name_(std::move(name)) {}
  explicit byte_source(file&& from)
      : file_(std::make_shared<const file>(std::move(from))), name_(file_->path()) {}
  // `name` is for messages; there is no such file.
  byte_source(std::shared_ptr<distant_bytes> from, file_path name)
      : distant_(std::move(from)), name_(std::move(name)) {}
  static result<byte_source> open(const file_path& path, system_calls& calls = system_calls::real());

  [[nodiscard]] bool in_memory() const noexcept { return file_ == nullptr && distant_ == nullptr; }
  // Neither in memory nor a local file.
  [[nodiscard]] bool is_distant() const noexcept { return distant_ != nullptr; }
  // The file's path; empty for unnamed memory.
  [[nodiscard]] const file_path& name() const noexcept { return name_; }

  // Whether another handle holds the writer's lock on the file now.
  [[nodiscard]] bool is_being_written() const;

  // The current size if the file grows.
  [[nodiscard]] result<std::uint64_t> size() const;
  // Reads until `into` is full or the source ends; returns the number of bytes read.
  result<std::size_t> read_at(mutable_byte_span into, std::uint64_t offset) const;
  // The `count` bytes at `offset`, fewer at the end of the source; valid until the next call. Memory is not
  // copied.
  result<byte_span> view(std::uint64_t offset, std::size_t count);
  // Everything, in place if it is in memory; over_limit above `limit`. For distant bytes, memory is allocated
  // as they arrive, whatever size is stated; if fewer arrive, the result is shorter.
  result<held_bytes> whole(std::uint64_t limit) const;

 private:
  // The buffer of view(); not copied.
  struct own_buffer {
    byte_vector bytes;
    own_buffer() noexcept = default;
    own_buffer(const own_buffer&) noexcept {}
    own_buffer(own_buffer&&) noexcept = default;
    own_buffer& operator=(const own_buffer&) noexcept { return *this; }
    own_buffer& operator=(own_buffer&&) noexcept = default;
    ~own_buffer() = default;
  };

  std::shared_ptr<const file> file_;
  std::shared_ptr<distant_bytes> distant_;
  byte_span memory_;
  file_path name_;
  own_buffer buffer_;
};

}  // namespace tickreel
