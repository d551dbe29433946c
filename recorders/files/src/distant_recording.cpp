#include "distant_recording.hpp"

#include <utility>

namespace tickreel::files {

namespace {

constinit distant_place registered_place;

class distant_recording final : public recording,
                                public event_source,
                                public statistics_source,
                                public surrounding_lines {
 public:
  distant_recording(std::unique_ptr<recording> from, std::function<std::optional<error>()> failure)
      : from_(std::move(from)), failure_(std::move(failure)) {}

  std::string_view format() const noexcept override { return from_->format(); }
  result<bool> next() override { return checked(from_->next()); }
  const tick_position& position() const noexcept override { return from_->position(); }
  void append_state(std::string& json) const override { from_->append_state(json); }
  bool append_member(std::string_view name, std::string& json) const override {
    return from_->append_member(name, json);
  }
  capabilities offers() noexcept override {
    capabilities out = from_->offers();
    if (out.events != nullptr) out.events = this;
    if (out.statistics != nullptr) out.statistics = this;
    if (out.lines != nullptr) out.lines = this;
    out.growth = nullptr;
    return out;
  }
  std::vector<std::string> losses() const override { return from_->losses(); }
  bool is_shifted(moment::by unit) const override { return from_->is_shifted(unit); }
  result<void> rewind() override { return checked(from_->rewind()); }
  result<void> seek(const moment& where) override { return checked(from_->seek(where)); }
  result<bool> go_to(std::uint64_t tick) override { return checked(from_->go_to(tick)); }
  result<summary> summarise(const monitor& watch) override { return checked(from_->summarise(watch)); }
  result<summary> quick_summary(const monitor& watch) override {
    return checked(from_->quick_summary(watch));
  }
  std::optional<summary> head() const override { return from_->head(); }
  result<verification>(verify)(const monitor& watch) override { return checked((from_->verify)(watch)); }

  result<std::uint64_t> events(const event_query& query, const std::function<bool(std::string_view)>& each,
                               const monitor& watch) override {
    return checked(from_->events(query, each, watch));
  }
  result<std::vector<std::string>> event_types() override { return checked(from_->event_types()); }
  result<summary> summarise_events(const std::function<void(std::string_view)>& each,
                                   const monitor& watch) override {
    event_source* const events = from_->offers().events;
    return checked(events->summarise_events(each, watch));
  }
  result<void> statistics(const std::function<bool(const match_rows&)>& each, const monitor& watch) override {
    return checked(from_->statistics(each, watch));
  }
  std::string lines_before() const override { return from_->lines_before(); }
  result<std::string> lines_after() override { return checked(from_->lines_after()); }

 private:
  template <class Value>
  result<Value> checked(result<Value> outcome) const {
    if (auto why = failure_()) return fail(*why);
    return outcome;
  }

  std::unique_ptr<recording> from_;
  std::function<std::optional<error>()> failure_;
};

}  // namespace

void register_distant_place(const distant_place& added) noexcept {
  registered_place = added;
}

bool is_distant(const file_path& path) noexcept {
  return registered_place.has != nullptr && registered_place.has(path.utf8());
}

result<distant_file> open_distant_bytes(const file_path& address) {
  return registered_place.open(address.utf8());
}

result<std::unique_ptr<recording>> open_distant_recording(const file_path& address,
                                                          const open_options& options) {
  auto there = open_distant_bytes(address);
  if (!there) return fail(there.error());
  auto opened = open(byte_source(there->bytes, address), options);
  if (auto why = there->failure()) return fail(*why);
  if (!opened) return opened;
  return std::make_unique<distant_recording>(std::move(*opened), std::move(there->failure));
}

}  // namespace tickreel::files
