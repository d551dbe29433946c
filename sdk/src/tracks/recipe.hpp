// The coding of one column of a block, and the shared models of a group. Shared by both directions, like
// residuals.hpp.
#pragma once

#include "predict.hpp"
#include "residuals.hpp"
#include "start_recipes.hpp"

namespace tickreel::tracks {

enum class content : std::uint8_t {
  zeros,      // every byte is 0; floats count as decimals without places
  constant,   // one value in all rows
  predicted,  // no errors
  varying,
};

struct recipe {
  tracks::content content = content::zeros;
  mapping by;
  tracks::predictor predictor = predictor::previous;
  bool has_exceptions = false;
};

// The stored code: 0 plain, 1 to 10 decimal with 0 to 9 places, 11 stepped.
inline constexpr unsigned mapping_codes = 12;

// Of the probabilities that models of recipes start with, 64000 is the highest.
static_assert(highest_probability(64000, start_seen) == 65504);

// Models of recipes.
struct recipe_models {
  std::array<std::array<bit_model, 4>, 4> content;
  std::array<bit_model, 2> same_mapping;
  std::array<bit_model, 16> mapping;
  bit_model has_shift;
  std::array<bit_model, 64> shift;
  bit_model has_exceptions;
  static_assert(std::size(start_predictor) == relation_count);
  std::array<std::array<std::array<bit_model, 8>, predictor_count>, relation_count> predictor;

  // Properties of the columns before.
  std::uint8_t last_content = 0;
  std::uint8_t last_mapping = 4;
  std::uint8_t last_predictor = 0;

  constexpr recipe_models() noexcept {
    const auto start = [](bit_model& model, std::uint16_t probability) { model = {probability, start_seen}; };
    for (std::size_t before = 0; before < 4; ++before)
      for (std::size_t node = 1; node < 4; ++node) start(content[before][node], start_content[before][node]);
    for (std::size_t plain = 0; plain < 2; ++plain) start(same_mapping[plain], start_same_mapping[plain]);
    for (std::size_t node = 1; node < 16; ++node) start(mapping[node], start_mapping[node]);
    start(has_shift, start_has_shift);
    start(has_exceptions, start_has_exceptions);
    for (std::size_t kind = 0; kind < relation_count; ++kind)
      for (auto& before : predictor[kind])
        for (std::size_t node = 1; node < 8; ++node) start(before[node], start_predictor[kind][node]);
  }
};

inline constexpr recipe_models start_recipe_models{};
inline constexpr std::array<bit_model, 256> start_text_bytes{};

struct group_models {
  residual_models residuals;
  recipe_models recipes;
  on_demand<number_model> count;
  on_demand<number_model> gap;
  on_demand<number_model> text_size;
  on_demand<std::array<bit_model, 256>> text_byte;

  // At the start of a group.
  void restart() noexcept {
    residuals.restart();
    recipes = start_recipe_models;
    for (auto* one : {&count, &gap, &text_size}) one->restart();
    text_byte.restart();
  }
};

template <std::size_t Count, class Coder>
unsigned code_tree(Coder& coder, std::array<bit_model, Count>& models, unsigned value) noexcept {
  constexpr int bits = std::bit_width(Count) - 1;
  unsigned node = 1;
  for (int i = bits - 1; i >= 0; --i)
    node = 2 * node + (coder.bit(models[node], (value >> i & 1) != 0) ? 1u : 0u);
  return node - static_cast<unsigned>(Count);
}

// False for values that no writer writes.
template <class Coder>
[[nodiscard]] bool code_recipe(Coder& coder, recipe_models& models, const column& of, decimal_step step,
                               recipe& made) noexcept {
  const unsigned got =
      code_tree(coder, models.content[models.last_content], static_cast<unsigned>(made.content));
  made.content = static_cast<content>(got);
  models.last_content = static_cast<std::uint8_t>(got);
  if (of.kind == value_kind::text) {
    made.by.kind = mapping_kind::table;
    return true;
  }
  if (made.content == content::zeros) {
    made.by = {of.kind == value_kind::floating ? mapping_kind::decimal : mapping_kind::plain, 0, {1, 0}};
    return true;
  }
  if (of.kind == value_kind::floating) {
    unsigned code = made.by.kind == mapping_kind::plain     ? 0
                    : made.by.kind == mapping_kind::stepped ? 11
                                                            : 1u + made.by.step.places;
    const bool same =
        coder.bit(models.same_mapping[models.last_mapping == 0 ? 0 : 1], code == models.last_mapping);
    code = same ? models.last_mapping : code_tree(coder, models.mapping, code);
    if (code >= mapping_codes || (code == 11 && step.multiple == 0)) return false;
    models.last_mapping = static_cast<std::uint8_t>(code);
    if (code == 0) {
      made.by.kind = mapping_kind::plain;
    } else if (code == 11) {
      made.by = {mapping_kind::stepped, 0, step};
    } else {
      made.by = {mapping_kind::decimal, 0, {1, static_cast<std::uint8_t>(code - 1)}};
    }
  } else {
    made.by.kind = mapping_kind::plain;
  }
  if (made.by.kind == mapping_kind::plain && of.size_bytes > 1) {
    unsigned shift = made.by.shift;
    shift = coder.bit(models.has_shift, shift != 0) ? code_tree(coder, models.shift, shift) : 0;
    if (shift >= of.size_bytes * 8) return false;
    made.by.shift = static_cast<std::uint8_t>(shift);
  }
  if (made.content == content::constant) return true;
  auto& which = models.predictor[static_cast<std::size_t>(of.declared.kind)][models.last_predictor];
  const unsigned by = code_tree(coder, which, static_cast<unsigned>(made.predictor));
  if (by >= predictor_count) return false;
  made.predictor = static_cast<predictor>(by);
  models.last_predictor = static_cast<std::uint8_t>(by);
  if (made.by.scaled()) made.has_exceptions = coder.bit(models.has_exceptions, made.has_exceptions);
  return fits(made.predictor, of.declared.kind);
}

[[nodiscard]] inline residual_class class_of(const column& of, predictor by) noexcept {
  if (by >= predictor::related) return residual_class::relation;
  const bool number = of.kind == value_kind::floating || of.size_bytes > 1;
  return of.kind == value_kind::text || of.kind == value_kind::interned || !number ? residual_class::state
                                                                                   : residual_class::motion;
}

}  // namespace tickreel::tracks
