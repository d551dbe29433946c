#include "tickreel/viewer/repaired_values.hpp"

namespace tickreel::viewer {

result<repaired_values> repaired_values::create(std::span<const std::string_view> paths) {
  auto values = json_values::create(paths);
  if (!values) return fail(values.error());
  return repaired_values(std::move(*values), paths.size());
}

repaired_values::reading repaired_values::read(std::string_view json) {
  if (const auto found = values_.read(json)) return {*found, {}};
  repaired_ = json;
  json_repairs repairs = repair_json(repaired_);
  if (const auto found = values_.read(repaired_)) return {*found, repairs};
  repairs.is_unreadable = true;
  return {none_, repairs};
}

}  // namespace tickreel::viewer
