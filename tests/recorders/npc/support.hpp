// Scripts run and built in memory.
#pragma once

#include <boost/test/unit_test.hpp>
#include <string>
#include <vector>

#include "tickreel/npc/actor_stream.hpp"
#include "tickreel/npc/script.hpp"
#include "tickreel/npc/timeline.hpp"
#include "tickreel/samp_rec/check.hpp"

namespace tickreel::test {

template <class Block>
std::vector<Block> blocks_of(const npc::plan& part, const npc::timeline& when) {
  std::vector<Block> blocks;
  npc::actor_stream stream(part, when);
  Block block;
  while (stream.next(block)) blocks.push_back(block);
  return blocks;
}

struct built_actor {
  std::string name;
  npc::body kind = npc::body::on_foot;
  std::vector<samp_rec::vehicle_block> vehicle;
  std::vector<samp_rec::on_foot_block> on_foot;
  npc::timeline when;

  [[nodiscard]] samp_rec::check_report check() const {
    return kind == npc::body::on_foot ? samp_rec::check<samp_rec::on_foot_block>(on_foot)
                                      : samp_rec::check<samp_rec::vehicle_block>(vehicle);
  }
};

// Every actor of a script that must succeed.
inline std::vector<built_actor> build_script(const std::string& text,
                                             const npc::script_options& options = {}) {
  auto made = npc::run_script(text, "test.lua", options);
  BOOST_REQUIRE_MESSAGE(made, (made ? "" : made.error()) << "\nin:\n" << text);
  std::vector<npc::plan*> parts;
  for (const auto& each : made->actors) parts.push_back(each.part.get());
  const auto lines = npc::schedule(parts);
  BOOST_REQUIRE_MESSAGE(lines, (lines ? "" : lines.error().text));
  std::vector<built_actor> result;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    built_actor each;
    each.name = parts[i]->options().name;
    each.kind = parts[i]->options().kind;
    each.when = (*lines)[i];
    if (each.kind == npc::body::on_foot) {
      each.on_foot = blocks_of<samp_rec::on_foot_block>(*parts[i], each.when);
    } else {
      each.vehicle = blocks_of<samp_rec::vehicle_block>(*parts[i], each.when);
    }
    result.push_back(std::move(each));
  }
  return result;
}

// The message of a script that must fail.
inline std::string error_of(const std::string& text, const npc::script_options& options = {}) {
  const auto made = npc::run_script(text, "test.lua", options);
  BOOST_CHECK_MESSAGE(!made, "ran to its end:\n" << text);
  return made ? std::string() : made.error();
}

}  // namespace tickreel::test
