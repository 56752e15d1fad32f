// SPDX-License-Identifier: Apache-2.0
// Puts three different big integers into a map, as compiled code does it by itself, and tells how
// many keys the map has then. Exit code 1 if these are not three.
#include <tvm/ffi/any.h>
#include <tvm/ffi/container/map.h>

#include <cstdint>
#include <cstdio>

// Headers before 0.1.14.post0 do not declare it.
extern "C" int TVMFFIBigIntFromByteArray(const TVMFFIByteArray *input, TVMFFIAny *out);

int main()
{
  tvm::ffi::Map<tvm::ffi::Any, tvm::ffi::Any> map;
  for (uint64_t number = 1; number <= 3; ++number) {
    const uint64_t words[] = {0, 0, number};
    const TVMFFIByteArray bytes = {reinterpret_cast<const char *>(words), sizeof words};
    tvm::ffi::Any key;
    if (TVMFFIBigIntFromByteArray(&bytes, reinterpret_cast<TVMFFIAny *>(&key)) != 0) return 2;
    map.Set(key, static_cast<int64_t>(number));
  }
  std::printf("%zu of 3 keys\n", map.size());
  return map.size() == 3 ? 0 : 1;
}
