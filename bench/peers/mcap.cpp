#include "tickreel/mcap/encoder.hpp"

#include "../support/exit_on_error.hpp"
#include "peer.hpp"

namespace tickreel::bench {
namespace {

template <class State>
class mcap_messages final : public peer<State> {
 public:
  explicit mcap_messages(const std::string& path)
      : file_(path), to_(must(mcap::encoder::create({.codec = {.codec = codec_id::zstd}}))) {
    to_.begin("tickreel_bench", out_);
    channel_ = must(to_.add_channel({"/tick", "", "", "", "bytes", false}));
  }
  void record(const State& tick) override {
    row_.clear();
    append_row(row_, tick);
    count_ += 1'000'000;
    must(to_.add_message(channel_, count_, row_, out_));
    flush();
  }
  void finish() override {
    must(to_.finish(out_));
    flush();
    file_.close();
  }

 private:
  void flush() {
    file_.write(out_.data(), out_.size());
    out_.clear();
  }

  plain_file file_;
  mcap::encoder to_;
  std::uint16_t channel_ = 0;
  std::uint64_t count_ = 0;
  byte_vector row_, out_;
};

}  // namespace

template <class State>
std::unique_ptr<peer<State>> make_mcap(const std::string& path) {
  return std::make_unique<mcap_messages<State>>(path);
}
template std::unique_ptr<peer<echo::state>> make_mcap(const std::string&);
template std::unique_ptr<peer<shooter_state>> make_mcap(const std::string&);
template std::unique_ptr<peer<strategy_state>> make_mcap(const std::string&);
template std::unique_ptr<peer<physics_state>> make_mcap(const std::string&);

}  // namespace tickreel::bench
