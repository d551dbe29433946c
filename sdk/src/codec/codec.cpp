#include "tickreel/codec/codec.hpp"

#include <algorithm>
#include <utility>

#include "backend.hpp"

namespace tickreel {

namespace {

#ifdef TICKREEL_HAS_GZIP
constexpr bool has_gzip = true;
#else
constexpr bool has_gzip = false;
#endif
#ifdef TICKREEL_HAS_LZ4
constexpr bool has_lz4 = true;
#else
constexpr bool has_lz4 = false;
#endif
#ifdef TICKREEL_HAS_ZSTD
constexpr bool has_zstd = true;
#else
constexpr bool has_zstd = false;
#endif

struct codec_traits {
  codec_id id;
  std::string_view name;
  bool available;
  int default_level;
  int max_level;
};

// In the order of codec_id.
constexpr codec_traits codecs[] = {
    {codec_id::none, "none", true, 0, 0},
    {codec_id::gzip, "gzip", has_gzip, 6, 9},
    {codec_id::lz4, "lz4", has_lz4, 1, 12},
    {codec_id::zstd, "zstd", has_zstd, 3, 22},
};

const codec_traits* find(codec_id codec) noexcept {
  const auto index = static_cast<std::size_t>(codec);
  return index < std::size(codecs) ? &codecs[index] : nullptr;
}

tl::unexpected<error> unavailable(codec_id codec) noexcept {
  return fail(error_code::unsupported_codec, error::no_offset, "codec {}", static_cast<std::int64_t>(codec));
}

result<std::unique_ptr<detail::compressor_backend>> make_compressor(codec_id codec,
                                                                    [[maybe_unused]] int level,
                                                                    [[maybe_unused]] byte_span dictionary) {
#ifdef TICKREEL_HAS_GZIP
  if (codec == codec_id::gzip) return detail::make_gzip_compressor(level);
#endif
#ifdef TICKREEL_HAS_LZ4
  if (codec == codec_id::lz4) return detail::make_lz4_compressor(level);
#endif
#ifdef TICKREEL_HAS_ZSTD
  if (codec == codec_id::zstd) return detail::make_zstd_compressor(level, dictionary);
#endif
  return unavailable(codec);
}

result<std::unique_ptr<detail::decompressor_backend>> make_decompressor(codec_id codec) {
#ifdef TICKREEL_HAS_GZIP
  if (codec == codec_id::gzip) return detail::make_gzip_decompressor();
#endif
#ifdef TICKREEL_HAS_LZ4
  if (codec == codec_id::lz4) return detail::make_lz4_decompressor();
#endif
#ifdef TICKREEL_HAS_ZSTD
  if (codec == codec_id::zstd) return detail::make_zstd_decompressor();
#endif
  return unavailable(codec);
}

}  // namespace

std::string_view name(codec_id codec) noexcept {
  const codec_traits* found = find(codec);
  return found ? found->name : codec == codec_id::automatic ? "automatic" : "unknown";
}

std::optional<codec_id> codec_from_name(std::string_view name) noexcept {
  for (const codec_traits& candidate : codecs) {
    if (candidate.name == name) return candidate.id;
  }
  return std::nullopt;
}

bool is_available(codec_id codec) noexcept {
  const codec_traits* found = find(resolve(codec));
  return found && found->available;
}

codec_id resolve(codec_id codec) noexcept {
  if (codec != codec_id::automatic) return codec;
  return has_zstd ? codec_id::zstd : has_gzip ? codec_id::gzip : has_lz4 ? codec_id::lz4 : codec_id::none;
}

struct compressor::state {
  codec_id codec = codec_id::none;
  std::unique_ptr<detail::compressor_backend> backend;  // none for codec_id::none
};

compressor::compressor(std::unique_ptr<state> owned) noexcept : state_(std::move(owned)) {}
compressor::compressor(compressor&&) noexcept = default;
compressor& compressor::operator=(compressor&&) noexcept = default;
compressor::~compressor() = default;

result<compressor> compressor::create(const codec_options& options) {
  const codec_id id = resolve(options.codec);
  const codec_traits* codec = find(id);
  if (!codec || !codec->available) return unavailable(id);
  if (!options.dictionary.empty() && id != codec_id::zstd) {
    return fail(error_code::invalid_argument, error::no_offset, "only zstd takes a dictionary");
  }
  auto made = std::make_unique<state>();
  made->codec = id;
  if (id != codec_id::none) {
    const int wanted = options.level == 0 ? codec->default_level : options.level;
    // Every build accepts the levels that any codec accepts.
    const bool is_lowered = options.codec == codec_id::automatic && wanted <= codecs[3].max_level;
    const int level = is_lowered ? std::min(wanted, codec->max_level) : wanted;
    if (level < 1 || level > codec->max_level) {
      return fail(error_code::invalid_argument, error::no_offset, "compression level {}, the highest is {}",
                  level, codec->max_level);
    }
    auto backend = make_compressor(id, level, options.dictionary);
    if (!backend) return fail(backend.error());
    made->backend = std::move(*backend);
  }
  return compressor(std::move(made));
}

codec_id compressor::codec() const noexcept {
  return state_->codec;
}

std::size_t compressor::bound(std::size_t size) const noexcept {
  return state_->backend ? state_->backend->bound(size) : size;
}

result<void> compressor::compress(byte_span input, byte_vector& out) {
  if (!state_->backend) {
    out.assign(input.begin(), input.end());
    return {};
  }
  const std::size_t room = bound(input.size());
  // Emptied first, so that a reallocation does not copy the old content.
  if (room > out.capacity()) out.clear();
  out.resize(room);
  const result<std::size_t> size = state_->backend->compress(input, out);
  out.resize(size ? *size : 0);
  if (!size) return fail(size.error());
  return {};
}

struct decompressor::state {
  // Created on first use; [codec_id::none] stays empty.
  std::unique_ptr<detail::decompressor_backend> backends[std::size(codecs)];
};

decompressor::decompressor() : state_(std::make_unique<state>()) {}
decompressor::decompressor(decompressor&&) noexcept = default;
decompressor& decompressor::operator=(decompressor&&) noexcept = default;
decompressor::~decompressor() = default;

result<void> decompressor::decompress(codec_id codec, byte_span input, std::size_t limit_bytes,
                                      byte_vector& out, byte_span dictionary) {
  if (codec == codec_id::automatic || !is_available(codec)) {
    out.clear();
    return unavailable(codec);
  }
  if (codec == codec_id::none) {
    if (input.size() > limit_bytes) {
      out.clear();
      return fail(error_code::over_limit, 0, "{} bytes, limit {}", static_cast<std::int64_t>(input.size()),
                  static_cast<std::int64_t>(limit_bytes));
    }
    out.assign(input.begin(), input.end());
    return {};
  }
  if (input.empty()) {
    out.clear();
    return fail(error_code::truncated, 0);
  }
  detail::decompressor_backend* const backend = backend_of(codec);
  if (backend == nullptr) {
    out.clear();
    return fail(error_code::out_of_memory);
  }
  result<void> done = backend->decompress(input, limit_bytes, out, dictionary);
  if (!done) out.clear();
  return done;
}

detail::decompressor_backend* decompressor::backend_of(codec_id codec) {
  auto& backend = state_->backends[static_cast<std::size_t>(codec)];
  if (!backend) {
    auto made = make_decompressor(codec);
    if (made) backend = std::move(*made);
  }
  return backend.get();
}

prefix_end decompressor::decompress_prefix(codec_id codec, byte_span input, std::size_t limit_bytes,
                                           byte_vector& out) {
  out.clear();
  if (codec == codec_id::none) {
    const byte_span kept = input.first(std::min(input.size(), limit_bytes));
    out.assign(kept.begin(), kept.end());
    return kept.size() == input.size() ? prefix_end::whole : prefix_end::cut;
  }
  if (codec == codec_id::automatic || !is_available(codec)) return prefix_end::damaged;
  if (input.empty()) return prefix_end::cut;
  detail::decompressor_backend* const backend = backend_of(codec);
  return backend != nullptr ? backend->decompress_prefix(input, limit_bytes, out) : prefix_end::damaged;
}

result<std::size_t> decompressor::decompress_first(codec_id codec, byte_span input, std::size_t limit_bytes,
                                                   byte_vector& out) {
  out.clear();
  if ((codec != codec_id::gzip && codec != codec_id::zstd) || !is_available(codec)) return unavailable(codec);
  if (input.empty()) return fail(error_code::truncated, 0);
  detail::decompressor_backend* const backend = backend_of(codec);
  if (backend == nullptr) return fail(error_code::out_of_memory);
  auto done = backend->decompress_first(input, limit_bytes, out);
  if (!done) out.clear();
  return done;
}

}  // namespace tickreel
