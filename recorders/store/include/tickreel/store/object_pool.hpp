// Reads objects by their addresses.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "tickreel/result.hpp"
#include "tickreel/store/object_bytes.hpp"
#include "tickreel/store/object_store.hpp"

namespace tickreel::store {

// Opens objects for reading, and keeps the connections to their stores for the next ones. Callable from any thread.
class object_pool {
 public:
  explicit object_pool(store_options options);

  // `url` is s3://bucket/key, as url_of() returns it. While an object is open, its further readers share its bytes.
  // not_found if it does not exist.
  result<std::shared_ptr<object_bytes>> open(const std::string& url);

 private:
  struct shared;
  struct opened;
  std::shared_ptr<shared> shared_;
};

struct found_object {
  std::string url;
  std::uint64_t bytes = 0;
  std::string tag;  // see object
};
struct found_objects {
  std::vector<found_object> all;  // in byte order of their addresses
  bool is_one = false;            // the address itself is that of an object
};
// The object at an s3:// address, or the objects below it without index objects of recordings. not_found if there are
// none.
result<found_objects> find_objects(const std::string& address, const store_options& options);

}  // namespace tickreel::store
