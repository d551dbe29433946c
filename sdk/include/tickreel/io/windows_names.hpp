// Names that Windows does not treat as file names. Code that generates names checks them on every system.
#pragma once

#include <string_view>

#include "tickreel/result.hpp"

namespace tickreel {

// A device, with any folder and extension: CON, aux.rec, com1.old.reel.
[[nodiscard]] bool is_windows_device(std::string_view name) noexcept;

// Why a path on Windows, in UTF-8, refers to something else than it states: a device, a name whose last dot
// or space is dropped, a second stream after a colon, characters that are invalid in file names. nullptr if
// the path is valid. Dots that mean folders, drives, shares and the prefix \\?\ are valid.
[[nodiscard]] const char* windows_objection(std::string_view path) noexcept;
// Whether the detail of an error is such a text.
[[nodiscard]] bool is_windows_objection(const error& what) noexcept;

}  // namespace tickreel
