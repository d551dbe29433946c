// A reader does not compress, but the reading half of a library references its writing half. These functions
// are linked before the libraries' own, and fail.
#define LZ4_HC_STATIC_LINKING_ONLY
#include <lz4hc.h>
#include <zlib.h>

#include <cstddef>

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

// A match is stored in memory with LZ4's fast mode, which stays. The other mode is a separate file of the
// library; all of its functions that are called from elsewhere must be here.
int LZ4_compress_HC(const char*, char*, int, int, int) {
  return 0;
}
int LZ4_compress_HC_continue(LZ4_streamHC_t*, const char*, char*, int, int) {
  return 0;
}
int LZ4_compress_HC_extStateHC_fastReset(void*, const char*, char*, int, int, int) {
  return 0;
}
int LZ4_sizeofStateHC() {
  return sizeof(LZ4_streamHC_t);
}
LZ4_streamHC_t* LZ4_initStreamHC(void*, std::size_t) {
  return nullptr;
}
int LZ4_loadDictHC(LZ4_streamHC_t*, const char*, int) {
  return 0;
}
int LZ4_saveDictHC(LZ4_streamHC_t*, char*, int) {
  return 0;
}
void LZ4_attach_HC_dictionary(LZ4_streamHC_t*, const LZ4_streamHC_t*) {}
void LZ4_favorDecompressionSpeed(LZ4_streamHC_t*, int) {}
void LZ4_resetStreamHC_fast(LZ4_streamHC_t*, int) {}
void LZ4_setCompressionLevel(LZ4_streamHC_t*, int) {}
