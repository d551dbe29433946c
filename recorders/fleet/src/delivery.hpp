// One reel's way to the broker. Knows what the stream surely has; what it does not know it sends again.
#pragma once

#include <map>
#include <optional>

#include "tickreel/fleet/broker.hpp"
#include "tickreel/fleet/publish.hpp"

namespace tickreel::fleet {

class reel_delivery final : public reel::delivery {
 public:
  reel_delivery(nats_url url, match_name name, match_subjects subjects, publish_options options);

  result<std::uint64_t> connect(const reel::header& head, byte_span header_bytes) override;
  result<void> send(const reel::record_info& info, byte_span bytes) override;
  result<std::uint64_t> confirmed(std::chrono::milliseconds wait) override;
  result<void> end() override;
  void tell(const reel::queue_counters& counters) override;

  // Records that were handed to the broker, the same one again too; not those that it was seen to have.
  [[nodiscard]] std::uint64_t handed_over() const noexcept { return handed_over_; }
  // What is known of the reel from its file: nobody has to count what he may see a part of.
  void know_ticks(std::uint64_t ticks, std::uint64_t lost_ticks) noexcept;
  // Confirmed records that the stream has let go of, and no archiver has taken.
  [[nodiscard]] result<std::uint64_t> count_dropped();

 private:
  // Of a record that is not confirmed as a whole.
  struct unconfirmed {
    std::uint32_t parts_left = 0;
    std::uint64_t bytes = 0;
    reel::record_kind kind = reel::record_kind::chunk;
    bool entry = false;
    bool lasts = false;
    std::uint64_t first_at = 0;  // of its parts, in the stream
  };

  result<void> make_streams();
  result<std::uint64_t> first_missing();
  result<void> publish_header();
  result<void> offer(std::uint64_t from);
  result<bool> has_ended_with(std::uint64_t last);
  result<bool> has_header();
  result<void> keep_header(std::chrono::seconds at_most);
  void note_place(std::uint64_t sequence, const unconfirmed& stored);
  void note_lasting(std::uint64_t place);
  result<void> take_answers(std::chrono::milliseconds wait);
  void tell_status();
  void count(const reel::record_info& info, byte_span bytes);

  nats_url url_;
  match_subjects subjects_;
  publish_options options_;
  std::optional<broker> broker_;
  byte_vector header_;
  std::chrono::steady_clock::time_point header_sent_{};
  std::chrono::steady_clock::time_point header_looked_{};
  bool offered_ = false;
  std::int64_t began_us_;
  bool knows_first_ = false;  // where the first record lies, or will
  bool knows_ticks_ = false;
  std::uint64_t counted_to_ = 0;  // the sequence behind the last record whose ticks were counted

  std::map<std::uint64_t, unconfirmed> open_;           // by sequence
  std::map<std::uint64_t, std::uint64_t> sequence_of_;  // by token
  std::uint64_t next_token_ = 1;
  std::uint64_t handed_over_ = 0;
  std::uint64_t next_ = 0;           // behind the last record that was sent
  std::uint64_t confirmed_ = 0;      // in this or an earlier connection
  std::uint64_t newest_stored_ = 0;  // as a sequence of the stream

  // The last record that the stream had when we connected: the same must be in the reel.
  struct known_record {
    std::uint64_t sequence = 0;
    std::uint64_t hash = 0;
  };
  std::optional<known_record> known_;

  match_status status_;
};

}  // namespace tickreel::fleet
