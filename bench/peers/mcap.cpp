#include "peer.hpp"

#ifdef TICKREEL_BENCH_HAS_MCAP

#define MCAP_IMPLEMENTATION
#include <mcap/writer.hpp>

namespace tickreel::bench {
namespace {

template <class State>
class mcap_messages final : public peer<State> {
 public:
  explicit mcap_messages(const std::string& path) {
    mcap::McapWriterOptions options("tickreel_bench");
    options.compression = mcap::Compression::Zstd;
    options.chunkSize = 1u << 20;
    if (!to_.open(path, options).ok()) stop("MCAP cannot make its file");
    mcap::Schema schema("tick", "", "");
    to_.addSchema(schema);
    mcap::Channel channel("/tick", "bytes", schema.id);
    to_.addChannel(channel);
    channel_ = channel.id;
  }
  void record(const State& tick) override {
    row_.clear();
    append_row(row_, tick);
    mcap::Message message;
    message.channelId = channel_;
    message.sequence = count_++;
    message.logTime = message.publishTime = mcap::Timestamp{count_} * 1'000'000;
    message.data = row_.data();
    message.dataSize = row_.size();
    if (!to_.write(message).ok()) stop("MCAP cannot write");
  }
  void finish() override { to_.close(); }

 private:
  mcap::McapWriter to_;
  mcap::ChannelId channel_ = 0;
  std::uint32_t count_ = 0;
  byte_vector row_;
};

}  // namespace

template <class State>
std::unique_ptr<peer<State>> make_mcap(const std::string& path) {
  return std::make_unique<mcap_messages<State>>(path);
}

#else

namespace tickreel::bench {

template <class State>
std::unique_ptr<peer<State>> make_mcap(const std::string&) {
  return nullptr;
}

#endif

template std::unique_ptr<peer<echo::state>> make_mcap(const std::string&);
template std::unique_ptr<peer<shooter_state>> make_mcap(const std::string&);

}  // namespace tickreel::bench
