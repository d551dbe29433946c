// Which names Windows takes for something else than a file; asked on every system by those who make names up.
#pragma once

#include <string_view>

namespace tickreel {

// A device, whatever folder and extension it is given: CON, aux.rec, com1.old.reel.
[[nodiscard]] bool is_windows_device(std::string_view name) noexcept;

// Why a path of Windows, in UTF-8, leads elsewhere than it says: a device, a name whose last point or space
// is dropped, a second stream behind a colon, letters that no file name has. nullptr when it leads there.
// Points that stand for folders, drives, shares and the prefix \\?\ are fine. Begins with "Windows ".
[[nodiscard]] const char* windows_objection(std::string_view path) noexcept;

}  // namespace tickreel
