#include "utf8.hpp"

#include <simdjson.h>

namespace tickreel::icrep {

bool is_utf8(byte_span text) noexcept {
  const std::string_view view = as_text(text);
  return view.empty() || simdjson::validate_utf8(view.data(), view.size());
}

}  // namespace tickreel::icrep
