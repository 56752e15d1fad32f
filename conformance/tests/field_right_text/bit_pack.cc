// SPDX-License-Identifier: Apache-2.0
// Packs integers of `width` bits one behind the other, least significant bit first, and unpacks.
using tvm::ffi::Tensor;
using tvm::ffi::TensorView;

namespace {

constexpr int64_t kWidest = 63;

uint64_t mask(int64_t width) { return (uint64_t{1} << width) - 1; }

void check_width(int64_t width) {
  if (width < 1 || width > kWidest) {
    TVM_FFI_THROW(ValueError) << "width must be from 1 to " << kWidest << ", not " << width;
  }
}

void Pack(TensorView x, int64_t width, TensorView packed) {
  check_width(width);
  set::dense(x, set::kI64, 1, "x");
  set::dense(packed, set::kU8, 1, "packed");
  const int64_t n = x.size(0);
  if (n > std::numeric_limits<int64_t>::max() / 64 || packed.size(0) != (n * width + 7) / 8) {
    TVM_FFI_THROW(ValueError) << "packed has " << packed.size(0) << " bytes, which are not those of "
                              << n << " numbers of " << width << " bits";
  }
  const uint64_t* from = set::begin<const uint64_t>(x);
  // Negative numbers have their highest bit set, and are beyond each mask.
  const uint64_t* bad =
      std::find_if(from, from + n, [m = mask(width)](uint64_t v) { return v > m; });
  if (bad != from + n) {
    TVM_FFI_THROW(ValueError) << "x[" << bad - from << "] does not fit into " << width << " bits";
  }

  uint8_t* to = set::begin<uint8_t>(packed);
  unsigned __int128 pool = 0;
  int filled = 0;
  for (int64_t i = 0; i < n; ++i) {
    pool |= static_cast<unsigned __int128>(from[i]) << filled;
    filled += static_cast<int>(width);
    for (; filled >= 8; filled -= 8, pool >>= 8) *to++ = static_cast<uint8_t>(pool);
  }
  if (filled > 0) *to = static_cast<uint8_t>(pool);  // the bits that are left over are 0
}

Tensor Unpack(TensorView packed, int64_t width, int64_t n) {
  check_width(width);
  set::dense(packed, set::kU8, 1, "packed");
  const int64_t bytes = packed.size(0);
  if (n < 0 || bytes > std::numeric_limits<int64_t>::max() / 8 || n > bytes * 8 / width) {
    TVM_FFI_THROW(ValueError) << "no " << n << " numbers of " << width << " bits in " << bytes
                              << " bytes";
  }
  Tensor x = set::make({n}, set::kI64);
  const uint8_t* from = set::begin<const uint8_t>(packed);
  uint64_t* to = set::begin<uint64_t>(x);
  unsigned __int128 pool = 0;
  int filled = 0;
  for (int64_t i = 0; i < n; ++i) {
    for (; filled < width; filled += 8) pool |= static_cast<unsigned __int128>(*from++) << filled;
    to[i] = static_cast<uint64_t>(pool) & mask(width);
    pool >>= width;
    filled -= static_cast<int>(width);
  }
  return x;
}

}  // namespace

TVM_FFI_DLL_EXPORT_TYPED_FUNC(bit_pack, Pack);
TVM_FFI_DLL_EXPORT_TYPED_FUNC(bit_unpack, Unpack);
