// A folder as a store; keys are paths in it.
#pragma once

#include <memory>

#include "tickreel/io/path.hpp"
#include "tickreel/store/object_store.hpp"

namespace tickreel::store {

[[nodiscard]] result<std::unique_ptr<object_store>> open_folder(const file_path& folder,
                                                                const store_options& options);

}  // namespace tickreel::store
