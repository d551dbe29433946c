// Scanning of stores: recordings are described by their index objects or by parts of their content.
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

// Reports every recording below it.
void walk_store(const store_root& root, shared_state& all);

// Use from one thread.
class object_reader {
 public:
  explicit object_reader(shared_state& all) noexcept : all_(&all) {}

  // Empty if it could not be fetched, which is reported, or no longer exists.
  std::optional<outcome> look_at(const job& found);

 private:
  store::object_store* store_of(const std::string& address);
  std::optional<outcome> by_parts(store::object_store& in, const job& found, outcome&& out);

  shared_state* all_;
  std::map<std::string, std::unique_ptr<store::object_store>> stores_;
};

}  // namespace tickreel::library
