#include "peer.hpp"

#ifdef TICKREEL_BENCH_HAS_FLATBUFFERS

#include "worlds_generated.h"

namespace tickreel::bench {
namespace {

template <class To, class From, std::size_t Count>
auto add_structs(flatbuffers::FlatBufferBuilder& builder, const std::array<From, Count>& from) {
  static_assert(sizeof(To) == sizeof(From));
  To* to = nullptr;
  const auto offset = builder.CreateUninitializedVectorOfStructs(Count, &to);
  std::memcpy(static_cast<void*>(to), from.data(), sizeof from);
  return offset;
}

template <class State>
class flat_messages final : public peer<State> {
 public:
  explicit flat_messages(const std::string& path) : file_(path, codec_id::zstd) {}
  void record(const State& tick) override {
    builder_.Clear();
    if constexpr (requires { tick.bodies; }) {
      const auto all = flat::Createphysics(builder_, add_structs<flat::body>(builder_, tick.bodies));
      builder_.FinishSizePrefixed(flat::Createtick(builder_, flat::any_tick_physics, all.Union()));
    } else {
      const auto placements = add_structs<flat::placement>(builder_, tick.placements);
      const auto conditions = add_structs<flat::condition>(builder_, tick.conditions);
      const auto all = flat::Createworld(builder_, placements, conditions);
      builder_.FinishSizePrefixed(flat::Createtick(builder_, flat::any_tick_world, all.Union()));
    }
    append_bytes(file_.bytes(), builder_.GetBufferPointer(), builder_.GetSize());
    file_.added();
  }
  void finish() override { file_.finish(); }
  bool read(std::uint64_t tick, State& to) override {
    const flat::tick& from = *flatbuffers::GetSizePrefixedRoot<flat::tick>(file_.read(tick).data());
    if constexpr (requires { to.bodies; }) {
      std::memcpy(static_cast<void*>(to.bodies.data()), from.of_as_physics()->bodies()->Data(),
                  sizeof to.bodies);
    } else {
      std::memcpy(to.placements.data(), from.of_as_world()->placements()->Data(), sizeof to.placements);
      std::memcpy(to.conditions.data(), from.of_as_world()->conditions()->Data(), sizeof to.conditions);
    }
    return true;
  }

 private:
  packed_file file_;
  flatbuffers::FlatBufferBuilder builder_;
};

}  // namespace

template <class State>
std::unique_ptr<peer<State>> make_flatbuffers(const std::string& path) {
  return std::make_unique<flat_messages<State>>(path);
}

#else

namespace tickreel::bench {

template <class State>
std::unique_ptr<peer<State>> make_flatbuffers(const std::string&) {
  return nullptr;
}

#endif

template std::unique_ptr<peer<shooter_state>> make_flatbuffers(const std::string&);
template std::unique_ptr<peer<strategy_state>> make_flatbuffers(const std::string&);
template std::unique_ptr<peer<physics_state>> make_flatbuffers(const std::string&);

}  // namespace tickreel::bench
