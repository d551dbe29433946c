// Scanning stores: what is there is known by its index objects and by parts of recordings.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>

#include "scan_work.hpp"
#include "tickreel/store/object_store.hpp"

namespace tickreel::library {

struct store_root {
  std::string address;  // s3://bucket/prefix, without "/" at its end
  std::unique_ptr<store::object_store> in;
};

// Meets every recording below it.
void walk_store(const store_root& root, shared_state& all);

// Of one thread.
class object_reader {
 public:
  explicit object_reader(shared_state& all) noexcept : all_(&all) {}

  // Nothing when it could not be fetched, which is told, or is gone.
  std::optional<outcome> look_at(const job& found);

 private:
  store::object_store* store_of(const std::string& address);
  std::optional<outcome> by_parts(store::object_store& in, const job& found, outcome&& out);

  shared_state* all_;
  std::map<std::string, std::unique_ptr<store::object_store>> stores_;
};

}  // namespace tickreel::library
