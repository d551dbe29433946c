// A store of each kind, and objects in it.
#pragma once

#include <boost/test/unit_test.hpp>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "fake_s3.hpp"
#include "scratch_folder.hpp"
#include "tickreel/store/object_store.hpp"
#include "why.hpp"

namespace recorders_store_tests {

using namespace tickreel;
using store::object;
using store::object_store;
using test::fault;
using test::why;

inline store::store_options quick() {
  store::store_options out;
  out.limits.attempts = 4;
  out.limits.first_pause = std::chrono::milliseconds(1);
  out.limits.longest_pause = std::chrono::milliseconds(4);
  out.part_bytes = 1000;
  return out;
}

inline std::string noise(std::size_t bytes, std::uint64_t seed = 1) {
  std::mt19937_64 random(seed);
  std::string out(bytes, '\0');
  for (char& each : out) each = static_cast<char>(random());
  return out;
}

inline std::string whole(object_store& from, const std::string& key) {
  std::string out(1 << 20, '\0');
  const auto read = from.read(key, 0, std::as_writable_bytes(std::span(out)));
  BOOST_REQUIRE_MESSAGE(read.has_value(), why(read));
  out.resize(*read);
  return out;
}

inline std::vector<std::string> keys(object_store& of, const std::string& prefix = "") {
  std::vector<std::string> out;
  const auto listed = of.list(prefix, [&](const object& each) {
    out.push_back(each.key);
    return true;
  });
  BOOST_REQUIRE_MESSAGE(listed.has_value(), why(listed));
  return out;
}

inline result<object> put(object_store& into, const std::string& key, const std::string& content,
                          const store::put_options& how = {}) {
  return into.put(key, byte_source(as_bytes(content)), how);
}

// A store of each kind, in turn.
struct stores {
  test::scratch_folder folder;
  test::fake_s3 s3;

  template <class Check>
  void each(const Check& check, const store::store_options& options = quick()) {
    s3.set_environment();
    for (const std::string& where : {folder / "archive", std::string("s3://bucket/all of/it")}) {
      BOOST_TEST_CONTEXT(where) {
        auto opened = store::open(where, options);
        BOOST_REQUIRE_MESSAGE(opened.has_value(), why(opened));
        check(**opened);
      }
    }
  }
};

}  // namespace recorders_store_tests
