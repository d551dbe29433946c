// A reader compresses nothing, but what links zlib's reading half names its writing half as well. These are
// found before the library's own, and refuse.
#include <zlib.h>

int deflateInit2_(z_streamp, int, int, int, int, int, const char*, int) {
  return Z_STREAM_ERROR;
}
int deflateInit_(z_streamp, int, const char*, int) {
  return Z_STREAM_ERROR;
}
int deflate(z_streamp, int) {
  return Z_STREAM_ERROR;
}
int deflateEnd(z_streamp) {
  return Z_STREAM_ERROR;
}
int deflateReset(z_streamp) {
  return Z_STREAM_ERROR;
}
uLong deflateBound(z_streamp, uLong) {
  return 0;
}
