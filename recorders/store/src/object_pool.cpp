#include "tickreel/store/object_pool.hpp"

#include <limits>
#include <map>
#include <mutex>
#include <utility>

#include "tickreel/store/index_object.hpp"

namespace tickreel::store {

namespace {

// The address of a bucket, and the exact key after it, which may begin or end with "/".
struct object_place {
  std::string bucket;
  std::string key;
};

object_place place_of(std::string_view url) {
  const std::size_t slash = url.find('/', s3_scheme.size());
  if (slash == std::string_view::npos) return {std::string(url), {}};
  return {std::string(url.substr(0, slash)), std::string(url.substr(slash + 1))};
}

}  // namespace

struct object_pool::shared {
  store_options options;
  std::mutex mutex;
  std::multimap<std::string, std::unique_ptr<object_store>> idle;  // by the address of the bucket
  std::map<std::string, std::weak_ptr<object_bytes>> open;         // by the address of the object

  result<std::unique_ptr<object_store>> store_of(const std::string& bucket) {
    {
      const std::lock_guard lock(mutex);
      if (const auto found = idle.find(bucket); found != idle.end()) {
        auto out = std::move(found->second);
        idle.erase(found);
        return out;
      }
    }
    return store::open(bucket, options);
  }
  void give_back(const std::string& bucket, std::unique_ptr<object_store> in) {
    const std::lock_guard lock(mutex);
    idle.emplace(bucket, std::move(in));
  }
};

// An open object and the store that only its readers use, one at a time.
struct object_pool::opened {
  std::shared_ptr<shared> pool;
  std::string url;
  std::string bucket;
  std::unique_ptr<object_store> in;
  object_bytes bytes;

  opened(std::shared_ptr<shared> of, std::string from, object_place place,
         std::unique_ptr<object_store> store, std::uint64_t size)
      : pool(std::move(of)),
        url(std::move(from)),
        bucket(std::move(place.bucket)),
        in(std::move(store)),
        bytes(*in, std::move(place.key), size, (std::numeric_limits<std::uint64_t>::max)()) {}
  opened(const opened&) = delete;
  opened& operator=(const opened&) = delete;
  ~opened() {
    const std::lock_guard lock(pool->mutex);
    // Another thread may have opened it again.
    if (const auto found = pool->open.find(url); found != pool->open.end() && found->second.expired())
      pool->open.erase(found);
    pool->idle.emplace(bucket, std::move(in));
  }
};

object_pool::object_pool(store_options options) : shared_(std::make_shared<shared>()) {
  shared_->options = std::move(options);
}

result<std::shared_ptr<object_bytes>> object_pool::open(const std::string& url) {
  {
    const std::lock_guard lock(shared_->mutex);
    if (const auto found = shared_->open.find(url); found != shared_->open.end()) {
      if (auto bytes = found->second.lock()) return bytes;
    }
  }
  object_place place = place_of(url);
  if (place.key.empty()) {
    return fail(error_code::invalid_argument, error::no_offset, "this is a bucket; name an object in it");
  }
  auto in = shared_->store_of(place.bucket);
  if (!in) return fail(in.error());
  auto head = (*in)->head(place.key);
  if (!head || !*head) {
    shared_->give_back(place.bucket, std::move(*in));
    if (!head) return fail(head.error());
    return fail(error_code::not_found, error::no_offset, "no object has this address");
  }
  const auto made = std::make_shared<opened>(shared_, url, std::move(place), std::move(*in), (*head)->bytes);
  std::shared_ptr<object_bytes> bytes(made, &made->bytes);
  const std::lock_guard lock(shared_->mutex);
  shared_->open[url] = bytes;
  return bytes;
}

result<found_objects> find_objects(const std::string& address, const store_options& options) {
  if (const auto sound = check_place(address); !sound) return fail(sound.error());
  const object_place place = place_of(address);
  if (!place.key.empty() && !place.key.ends_with('/')) {
    const auto bucket = open(place.bucket, options);
    if (!bucket) return fail(bucket.error());
    const auto head = (*bucket)->head(place.key);
    // Permissions for the objects below may not include one with the name of their prefix.
    if (!head && head.error().code != error_code::permission_denied) return fail(head.error());
    if (head && *head) return found_objects{{{address, (*head)->bytes, (*head)->tag}}, true};
  }
  const auto in = open(address, options);
  if (!in) return fail(in.error());
  auto listed = list_recordings(**in, options.cancelled);
  if (!listed) return fail(listed.error());
  if (listed->empty()) {
    return fail(error_code::not_found, error::no_offset, "no object has this address, and none is below it");
  }
  found_objects out;
  for (listed_recording& each : *listed) {
    out.all.push_back({(*in)->url_of(each.itself.key), each.itself.bytes, std::move(each.itself.tag)});
  }
  return out;
}

}  // namespace tickreel::store
