// Texts of a summary's facts.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "tickreel/files/info.hpp"

namespace tickreel::library {

// The value of the first existing key, since each format has its own.
[[nodiscard]] std::string text_of(const std::vector<files::fact>& facts,
                                  std::initializer_list<std::string_view> keys);
[[nodiscard]] std::string object_of(const std::vector<files::fact>& facts);

}  // namespace tickreel::library
