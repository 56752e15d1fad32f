// SPDX-License-Identifier: Apache-2.0
// CRC-32 as in zip and PNG, of a text, of bytes or of a tensor of bytes. `seed` is the checksum of
// what came before.
using namespace tvm::ffi;

namespace {

struct Table {
  uint32_t of[256];
  Table() {
    for (uint32_t i = 0; i < 256; ++i) {
      uint32_t c = i;
      for (int k = 0; k < 8; ++k) c = (c & 1) != 0 ? 0xedb88320u ^ (c >> 1) : c >> 1;
      of[i] = c;
    }
  }
};

int64_t crc(Variant<String, Bytes, Tensor> data, Optional<int64_t> seed) {
  static const Table table;
  int64_t before = seed.value_or(0);
  if (before < 0 || before > 0xffffffffLL)
    TVM_FFI_THROW(ValueError) << "seed is not a checksum of 32 bits: " << before;

  const char* at = nullptr;
  size_t size = 0;
  std::optional<String> text = data.as<String>();
  std::optional<Bytes> bytes = data.as<Bytes>();
  std::optional<Tensor> tensor = data.as<Tensor>();
  if (text) {
    at = text->data(), size = text->size();
  } else if (bytes) {
    at = bytes->data(), size = bytes->size();
  } else if (tensor && tensor->defined()) {
    at = reinterpret_cast<const char*>(kit::dense<uint8_t>(*tensor, "data", 1));
    size = static_cast<size_t>(tensor->size(0));
  } else {
    TVM_FFI_THROW(TypeError) << "data must be a text, bytes or a tensor of bytes";
  }
  uint32_t c = ~static_cast<uint32_t>(before);
  for (size_t i = 0; i < size; ++i)
    c = table.of[(c ^ static_cast<uint8_t>(at[i])) & 255] ^ (c >> 8);
  return static_cast<int64_t>(~c & 0xffffffffu);
}

}  // namespace

TVM_FFI_DLL_EXPORT_TYPED_FUNC(text_crc32, crc);
