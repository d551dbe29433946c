// What the headers of a response state.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "http.hpp"
#include "tickreel/store/object_store.hpp"

namespace tickreel::store {

// 0 if the header is absent or begins with something else.
[[nodiscard]] std::uint64_t number_of(const std::map<std::string, std::string>& headers,
                                      const std::string& name);
// Of the object; empty if it is not stated.
[[nodiscard]] std::string tag_of(const http_answer& answer);
[[nodiscard]] object_identity identity_of(const http_answer& answer);

}  // namespace tickreel::store
