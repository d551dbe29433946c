// The conversions of .rec: to CSV and NDJSON and back, byte for byte.
#pragma once

#include "tickreel/files/conversion.hpp"
#include "tickreel/io/path.hpp"

namespace tickreel::files {

// A text begins with the facts that its columns or members do not show, and ends with the bytes of a
// truncated last block:
//
//   CSV      # samp_rec header_bytes=0          NDJSON   {"samp_rec":{"header_bytes":0}}
//            # samp_rec tail=00ff                        {"samp_rec":{"tail":"00ff"}}
//
// The text of an ordinary file has neither. The layout is detected by columns or members.
result<conversion_report> cut_rec(const file_path& input, const file_path& output,
                                  const conversion_options& options);
result<conversion_report> convert_rec_to_csv(const file_path& input, const file_path& output,
                                             const conversion_options& options);
result<conversion_report> convert_rec_to_ndjson(const file_path& input, const file_path& output,
                                                const conversion_options& options);
result<conversion_report> convert_csv_to_rec(const file_path& input, const file_path& output,
                                             const conversion_options& options);
result<conversion_report> convert_ndjson_to_rec(const file_path& input, const file_path& output,
                                                const conversion_options& options);

}  // namespace tickreel::files
