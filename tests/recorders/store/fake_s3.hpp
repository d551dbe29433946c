// An S3 server on its own port that checks signatures and hashes, and fails on request.
#pragma once

#include <atomic>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace tickreel::test {

enum class fault : std::uint8_t {
  none,
  status_500,
  status_503,       // "come again in 0 s"
  status_404,       // NoSuchUpload
  refused,          // AccessDenied
  slow,             // succeeds after a delay
  silence,          // reads everything, answers nothing, and keeps the connection
  cut_in_request,   // reads some of the body, then closes
  cut_in_answer,    // succeeds, sends half of the answer, then closes
  lost_answer,      // succeeds, then closes without an answer
  late_failure,     // 200, with an error in the body
  changed_content,  // stores other bytes than it received, and reports success
  overtaken,        // another client stores "other" under the key first
};

// What the server does with If-Match and If-None-Match of requests that make an object.
enum class conditions : std::uint8_t { checked, ignored, status_501, status_400 };

// Called for each request, with its method, its target and the number of earlier ones. On any thread; may be replaced at any
// time, because clients may be other processes.
class fault_rule {
 public:
  using function =
      std::function<fault(const std::string& method, const std::string& target, std::uint64_t number)>;
  fault_rule& operator=(function rule) {
    const std::scoped_lock lock(mutex_);
    rule_ = std::move(rule);
    return *this;
  }
  fault operator()(const std::string& method, const std::string& target, std::uint64_t number) {
    const std::scoped_lock lock(mutex_);
    return rule_ ? rule_(method, target, number) : fault::none;
  }

 private:
  std::mutex mutex_;
  function rule_;
};

class fake_s3 {
 public:
  struct kept_object {
    std::string content;
    std::map<std::string, std::string> meta;
  };
  struct upload {
    std::string key;
    std::map<std::string, std::string> meta;
    std::map<int, std::string> parts;
  };

  fake_s3();
  fake_s3(const fake_s3&) = delete;
  fake_s3& operator=(const fake_s3&) = delete;
  ~fake_s3();

  [[nodiscard]] std::string endpoint(const std::string& host = "127.0.0.1") const;
  // Sets the environment variables of its clients, path style.
  void set_environment() const;

  fault_rule faults;
  test::conditions conditions = test::conditions::checked;
  std::size_t page_size = 1000;
  bool unfinished_are_listed = true;
  bool lists_tags = true;  // otherwise dates
  // Of answers about an object: every n-th has no tag; 0: each has one.
  std::uint64_t tagless_answers = 0;
  std::string modified;            // of all objects, in answers about one; empty: not stated
  std::uint64_t listed_bytes = 0;  // reported size of each object; 0: the real size

  std::string access_key = "AKIDTEST";
  std::string secret_key = "a/secret+key";
  std::string token;

  // Its current contents; the bucket is called "bucket".
  [[nodiscard]] std::map<std::string, kept_object> objects() const;
  [[nodiscard]] std::vector<upload> uploads() const;
  [[nodiscard]] std::uint64_t requests() const;
  [[nodiscard]] std::uint64_t bad_signatures() const;
  // Requests with a condition.
  [[nodiscard]] std::uint64_t conditional() const;
  // Of response bodies.
  [[nodiscard]] std::uint64_t sent_bytes() const { return sent_bytes_; }
  void put(const std::string& key, std::string content);
  void remove(const std::string& key);
  void change(const std::string& key, const std::function<void(kept_object&)>& how);

 private:
  struct session;
  void accept();

  boost::asio::io_context context_;
  boost::asio::ip::tcp::acceptor acceptor_;
  mutable std::mutex mutex_;
  std::map<std::string, kept_object> objects_;
  std::uint64_t object_answers_ = 0;
  std::map<std::string, upload> uploads_;
  std::uint64_t requests_ = 0;
  std::atomic<std::uint64_t> sent_bytes_ = 0;
  std::uint64_t bad_signatures_ = 0;
  std::uint64_t conditional_ = 0;
  std::uint64_t next_upload_ = 1;
  bool stopping_ = false;
  std::vector<std::shared_ptr<session>> sessions_;
  std::thread acceptor_thread_;
};

}  // namespace tickreel::test
