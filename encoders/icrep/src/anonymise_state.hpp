// Snapshots and deltas without names.
#pragma once

#include <set>
#include <string>

#include "name_replacer.hpp"
#include "tickreel/icrep/edit.hpp"
#include "tickreel/icrep/schema.hpp"

namespace tickreel::icrep {

class state_anonymiser {
 public:
  // All arguments must outlive this. Without `slots` components are only searched.
  state_anonymiser(name_replacer& names, const anonymise_options& options, const schema* description,
                   const slot_table* slots, const limits& most) noexcept
      : names_(names), options_(options), schema_(description), slots_(slots), most_(most) {}

  // Collects interned strings that name kinds of entities and terrains; these are the game's own words. Must
  // have seen every keyframe before one is changed.
  void protect(const sim_snapshot& full);
  // For the group of the last full keyframe.
  void protect(const delta_snapshot& delta);

  // Whether anything was changed.
  result<bool> change(sim_snapshot& full);
  result<bool> change(delta_snapshot& delta);

  [[nodiscard]] std::uint64_t unreadable_places() const noexcept { return unreadable_; }
  void look_into(byte_span bytes) {
    if (names_.is_in(bytes)) ++unreadable_;
  }

 private:
  using list = text_value::list;

  void protect(const std::vector<std::string>& table, std::uint32_t id);
  bool change_table(std::vector<std::string>& table);
  bool change_script(script_state& state);
  result<bool> change_slots(list of, std::uint64_t mask, byte_vector& bytes, std::size_t skip_bytes = 0);
  bool change_texts(list of, std::uint32_t slot, mutable_byte_span content);
  [[nodiscard]] bool is_variable(list of, std::uint32_t slot) const;

  name_replacer& names_;
  const anonymise_options& options_;
  const schema* schema_;
  const slot_table* slots_;
  limits most_;
  std::set<std::string, std::less<>> protected_;
  std::vector<std::string> full_table_;
  std::uint64_t unreadable_ = 0;
};

}  // namespace tickreel::icrep
