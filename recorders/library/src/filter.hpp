// A query as SQL: the conditions are constants, values from outside are bound.
#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "tickreel/library/game.hpp"
#include "tickreel/library/sqlite.hpp"

namespace tickreel::library {

class filter {
 public:
  // Over `games g JOIN files f ON f.id = g.file`.
  explicit filter(const query& what);

  // " WHERE ..."
  [[nodiscard]] const std::string& where() const noexcept { return where_; }
  // Binds from place 1 on. Returns the next free place.
  int bind(statement& to) const;

 private:
  void add(std::string condition) { where_ += (where_.empty() ? " WHERE " : " AND ") + std::move(condition); }
  void add_number(const char* condition, const std::optional<std::int64_t>& value);
  // Equality, or a pattern match if it contains "*" or "?".
  [[nodiscard]] std::string matches(const std::string& column, const std::string& text);
  void add_text(const char* column, const std::string& text);

  std::string where_;
  std::vector<std::variant<std::int64_t, std::string>> values_;
};

}  // namespace tickreel::library
