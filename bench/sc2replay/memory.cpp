#include "memory.hpp"

#include "../support/allocations.hpp"
#include "../support/exit_on_error.hpp"
#include "../support/shared_data.hpp"
#include "tickreel/files/conversion.hpp"
#include "tickreel/files/recording.hpp"
#include "tickreel/sc2replay/archive.hpp"

namespace tickreel::bench {

namespace {

// The second time, so that one-time allocations of the process are not counted.
std::uint64_t peak_of(const std::function<void()>& work) {
  work();
  const heap_watch heap;
  work();
  return heap.peak_bytes();
}

}  // namespace

replay_memory measure_memory(const std::filesystem::path& file, const std::filesystem::path& scratch,
                             const std::function<void()>& decode) {
  replay_memory out;
  const std::string content = read_text(file);
  const auto archive = must(sc2replay::open_archive(as_bytes(content)));
  for (const mpq::member& each : archive.members()) out.unpacked_bytes += each.bytes;
  out.decode = peak_of(decode);
  out.info = peak_of([&] { (void)must(must(files::open(file))->summarise({})); });
  out.verify = peak_of([&] { (void)must(must(files::open(file))->verify({})); });
  const files::conversion* to_icrep = must(files::find_conversion(file, "icrep"));
  out.convert = peak_of([&] {
    files::conversion_options options;
    options.overwrite = true;
    (void)must(to_icrep->run(file, scratch, options));
  });
  return out;
}

}  // namespace tickreel::bench
