// A broker with JetStream in memory: streams, a shared work queue, and faults. broker_link.cpp is the client for it.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "simulated_disk.hpp"
#include "tickreel/fleet/broker.hpp"

namespace tickreel::sim {

enum class broker_fault : std::uint8_t {
  cut,         // after AFTER calls, COUNT calls lose their connection; every second one has had its effect
  silent,      // likewise, without an answer and without an effect
  lost,        // after AFTER messages, COUNT messages are not stored, and the broker does not answer
  unanswered,  // likewise, but they are stored
  doubled,     // stored twice
  late,        // stored after the next messages, up to COUNT of them
  full,        // from the AFTER-th message on the streams refuse, for COUNT messages
  kill,        // the archiver dies at its AFTER-th call
  down,        // no client can connect for AFTER ms
  restart,     // all connections end; each stream loses its last COUNT messages
  purge,       // the oldest AFTER messages of the records' stream are removed
  remove,      // AFTER of its messages are deleted by a client; COUNT is a seed
  forge,       // another client publishes AFTER messages; COUNT is a seed
  remake,      // the records' stream is deleted
};
inline constexpr const char* broker_fault_names[] = {"cut",   "silent", "lost",  "unanswered", "doubled",
                                                     "late",  "full",   "kill",  "down",       "restart",
                                                     "purge", "remove", "forge", "remake"};

enum class client : std::uint8_t { recorder, archiver, second_archiver, follower };
inline constexpr std::size_t clients = 4;
[[nodiscard]] constexpr bool is_archiver(client which) noexcept {
  return which == client::archiver || which == client::second_archiver;
}

struct model_message {
  std::string subject;
  byte_vector body;
  fleet::header_fields fields;
  std::int64_t stored_ns = 0;
  [[nodiscard]] std::string_view field(std::string_view name) const;
};
using shared_message = std::shared_ptr<const model_message>;

struct model_stream {
  fleet::stream_settings settings;
  std::int64_t created_ns = 0;
  std::uint64_t last = 0;
  std::map<std::uint64_t, shared_message> messages;
  std::uint64_t bytes = 0;
  std::map<std::string, std::pair<std::uint64_t, std::int64_t>, std::less<>> ids;  // sequence, time in us
  // Of the work queue: until when a message is not delivered again.
  std::map<std::uint64_t, std::int64_t> given_out;

  void erase(std::uint64_t sequence);
};

struct model_connection {
  client of = client::recorder;
  bool is_open = true;
  std::vector<fleet::broker::answer> answers;
};

[[nodiscard]] bool matches(const std::string& filter, std::string_view subject);

class broker_model {
 public:
  // The model that fleet::broker connects to.
  static broker_model*& in_use();

  // `a` and `b` as the faults say.
  void plan(broker_fault kind, std::uint64_t a, std::uint64_t b);
  void heal();
  void restart(std::uint64_t lost_messages);
  // The client dies, or starts again.
  void set_dead(client which, bool dead);
  [[nodiscard]] bool is_dead(client which) const { return dead_[static_cast<std::size_t>(which)]; }
  // Something else than the clients has removed messages, or added some.
  [[nodiscard]] bool has_lost_messages() const { return has_lost_; }
  [[nodiscard]] std::uint64_t calls() const { return calls_; }
  [[nodiscard]] std::uint64_t stored() const { return stored_; }
  [[nodiscard]] std::uint64_t forged() const { return forged_; }
  // Whether a stored message has this body.
  [[nodiscard]] bool has(byte_span body) const;
  [[nodiscard]] std::uint64_t fingerprint() const;
  // Streams with their messages, for people.
  [[nodiscard]] std::string text() const;

  client now = client::recorder;  // whose calls these are
  std::size_t max_message_bytes = 1u << 20;
  fleet::match_subjects subjects;
  // Before a call of the archiver or the follower: others work meanwhile.
  std::function<void()> between_calls;
  std::function<void()> before_archiver;  // before its call, another archiver may work
  std::function<void()> kill_archiver;
  std::function<void(const model_message&)> acknowledged;  // work
  std::function<void(const model_message&)> announced;     // under the subject of archives

  // For the client. A call fails, or continues; `effect` runs in any case if the fault strikes after it.
  result<std::shared_ptr<model_connection>> connect();
  result<void> begin_call(model_connection& from, const std::function<void()>& effect = {});
  [[nodiscard]] model_stream* find(const std::string& name);
  void make(const fleet::stream_settings& settings);
  void delete_stream(const std::string& name) { streams_.erase(name); }
  [[nodiscard]] std::vector<std::string> names() const;
  // `answer` is called immediately, later, or never. False: never.
  bool publish(model_message&& one, const std::function<void(result<fleet::stored_at>)>& answer);
  void expire(model_stream& from);

 private:
  struct planned {
    broker_fault kind;
    std::uint64_t after;
    std::uint64_t count;
  };
  struct held_message {
    model_message one;
    std::function<void(result<fleet::stored_at>)> answer;
    std::uint64_t after = 0;
  };
  std::optional<planned> strike(const std::function<bool(broker_fault)>& applies);
  result<fleet::stored_at> store(const model_message& one, bool checks_ids);
  void release_held(bool all);
  void forge(std::uint64_t seed);
  void remove_some(std::uint64_t count, std::uint64_t seed);

  std::map<std::string, model_stream> streams_;
  std::vector<std::weak_ptr<model_connection>> connections_;
  std::vector<planned> planned_;
  std::vector<held_message> held_;
  bool dead_[clients] = {};
  std::int64_t down_until_us_ = 0;
  std::uint64_t calls_ = 0;
  std::uint64_t stored_ = 0;
  std::uint64_t forged_ = 0;
  bool has_lost_ = false;
  bool is_between_ = false;
};

}  // namespace tickreel::sim
