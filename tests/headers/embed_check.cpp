// Compiled with -fno-exceptions -fno-rtti. Fails to compile if the recorder's header includes headers that are expensive for a
// game; the macros are the include guards of libstdc++ and of the codec libraries.
#include <tickreel/record/item_recorder.hpp>
#include <tickreel/record/recorder.hpp>

#if defined(_GLIBCXX_THREAD) || defined(_GLIBCXX_FSTREAM) || defined(_GLIBCXX_FILESYSTEM) || \
    defined(_GLIBCXX_IOSTREAM) || defined(ZSTD_H_235446) || defined(ZLIB_H) ||               \
    defined(LZ4FRAME_H_09782039843) || defined(SIMDJSON_H)
#error "tickreel/record/recorder.hpp includes a thread, file, codec or JSON header"
#endif

namespace {

struct position {
  float x, y, z;
};

struct position_encoder {
  using state_type = position;
  static constexpr std::string_view encoder_name = "position";
  static constexpr std::uint32_t encoder_version = 1;
  [[nodiscard]] std::size_t max_frame_size() const noexcept { return 12; }
  [[nodiscard]] bool needs_keyframe(const position&) const noexcept { return true; }
  void encode(const position& at, tickreel::frame_kind, tickreel::byte_writer& out) noexcept {
    out.f32(at.x);
    out.f32(at.y);
    out.f32(at.z);
  }
};

static_assert(tickreel::tick_encoder<position_encoder>);
using checked = tickreel::recorder<position_encoder>;
static_assert(noexcept(std::declval<checked&>().push(std::declval<const position&>())));

}  // namespace

template class tickreel::recorder<position_encoder>;
