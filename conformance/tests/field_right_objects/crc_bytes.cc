// SPDX-License-Identifier: Apache-2.0
// CRC-32 (IEEE 802.3), as zlib has it: crc_bytes(data, before=None) goes on from `before`.
namespace {

using tvm::ffi::Bytes;
using tvm::ffi::Optional;

struct Table {
  uint32_t at[256];
  Table() {
    for (uint32_t i = 0; i < 256; ++i) {
      uint32_t c = i;
      for (int k = 0; k < 8; ++k) c = (c & 1) ? 0xedb88320u ^ (c >> 1) : c >> 1;
      at[i] = c;
    }
  }
};

int64_t Crc(Bytes data, Optional<int64_t> before) {
  static const Table table;  // built once, by whoever comes first
  const int64_t start = before.value_or(0);
  if (start < 0 || start > 0xffffffffll) {
    TVM_FFI_THROW(OverflowError) << "before: " << start << " is no CRC of 32 bits";
  }
  uint32_t c = ~static_cast<uint32_t>(start);
  const char* p = data.data();
  for (size_t i = 0; i < data.size(); ++i) {
    c = table.at[(c ^ static_cast<unsigned char>(p[i])) & 0xff] ^ (c >> 8);
  }
  return static_cast<int64_t>(~c & 0xffffffffu);
}

}  // namespace

TVM_FFI_DLL_EXPORT_TYPED_FUNC(crc_bytes, Crc);
