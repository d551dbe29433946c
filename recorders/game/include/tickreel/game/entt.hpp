// Describes an EnTT registry in a keyframe. Declares nothing without EnTT.
#pragma once

#if __has_include(<entt/entt.hpp>)

#include <entt/entt.hpp>
#include <optional>
#include <string_view>

#include "tickreel/analysis/types.hpp"

namespace tickreel::game {

// The tag with an entity's index and version. Empty if the tag cannot hold it: an index from 65535 on. Keeps
// the low 16 bits of the version, which is all of it in entt::entity.
[[nodiscard]] inline std::optional<analysis::unit_tag> tag_of(entt::entity entity) noexcept {
  const auto index = entt::to_entity(entity);
  if (index >= 0xFFFF) return std::nullopt;
  return analysis::unit_tag{static_cast<std::uint16_t>(index),
                            static_cast<std::uint16_t>(entt::to_version(entity))};
}

// Every entity that has First, with those of Others that it has:
//
//   recorder->tick(n, hash, [&](auto& keyframe) {
//     game::describe_registry<position, health>(registry, keyframe, [](entt::entity) { return "unit"; });
//   });
//
// `archetype` gives an entity's name. Returns how many had no tag and were left out.
template <class First, class... Others, class Recorder, class Archetype>
std::size_t describe_registry(const entt::registry& registry, Recorder& to, Archetype&& archetype) {
  std::size_t left_out = 0;
  for (const entt::entity entity : registry.view<const First>()) {
    const auto tag = tag_of(entity);
    if (!tag) {
      ++left_out;
      continue;
    }
    auto writer = to.entity(*tag, std::string_view(archetype(entity)));
    writer.set(registry.get<const First>(entity));
    const auto set_if_there = [&](const auto* component) {
      if (component != nullptr) writer.set(*component);
    };
    (set_if_there(registry.try_get<const Others>(entity)), ...);
  }
  return left_out;
}

}  // namespace tickreel::game

#endif
