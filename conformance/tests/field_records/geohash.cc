// SPDX-License-Identifier: Apache-2.0
// Geo: geohashes of coordinates, and back.
#include <cctype>
using ffi::Array;
using ffi::Optional;
using ffi::String;
using ffi::Tensor;
using ffi::TensorView;

static const char kAlphabet[] = "0123456789bcdefghjkmnpqrstuvwxyz";

static std::string letters(const Optional<String>& alphabet) {
  if (!alphabet.has_value()) return kAlphabet;
  String a = alphabet.value();
  if (a.size() != 32) TVM_FFI_THROW(ValueError) << "an alphabet has 32 letters";
  std::string s(a.data(), a.size());
  bool seen[128] = {};
  for (char c : s) {
    unsigned char u = static_cast<unsigned char>(c);
    if (u >= 128 || seen[u]) TVM_FFI_THROW(ValueError) << "the letters of an alphabet are ASCII, and differ";
    seen[u] = true;
  }
  return s;
}

// One of 2^bits cells of [-half, half].
static uint64_t cell(double v, double half, int bits) {
  double cells = std::ldexp(1.0, bits);
  double k = std::floor((v + half) / (2 * half) * cells);
#if BUG == 5
  return static_cast<uint64_t>(k) & ((uint64_t{1} << bits) - 1);
#else
  return static_cast<uint64_t>(std::min(std::max(k, 0.0), cells - 1));
#endif
}

template <class T>
Array<String> encode(const TensorView& lat, const TensorView& lon, int64_t precision, const std::string& abc) {
  int64_t n = lat.shape()[0];
  int64_t sa = strides_of(lat)[0], so = strides_of(lon)[0];
#if BUG == 4
  so = sa;
#endif
  const T *a = data<T>(lat), *o = data<T>(lon);
  for (int64_t i = 0; i < n; ++i) {
    double la = a[i * sa], lo = o[i * so];
    if (!(la >= -90 && la <= 90)) TVM_FFI_THROW(ValueError) << "latitude " << la;
    if (!(lo >= -180 && lo <= 180)) TVM_FFI_THROW(ValueError) << "longitude " << lo;
  }
  int bits = static_cast<int>(precision) * 5, lat_bits = bits / 2, lon_bits = bits - lat_bits;
  Array<String> out;
  out.reserve(n);
  for (int64_t i = 0; i < n; ++i) {
    uint64_t la = cell(a[i * sa], 90, lat_bits), lo = cell(o[i * so], 180, lon_bits);
    char code[12];
    int ia = lat_bits, io = lon_bits;
    for (int k = 0; k < precision; ++k) {
      int v = 0;
      for (int b = 0; b < 5; ++b) {
        bool even = (k * 5 + b) % 2 == 0;
        v = v * 2 + static_cast<int>((even ? lo >> --io : la >> --ia) & 1);
      }
      code[k] = abc[v];
    }
#if BUG == 6
    TVMFFIByteArray bytes{code, static_cast<size_t>(precision)};
    TVMFFIAny made{};
    TVM_FFI_CHECK_SAFE_CALL(TVMFFIStringFromByteArray(&bytes, &made));
    out.push_back(ffi::AnyView::CopyFromTVMFFIAny(made).cast<String>());
#else
    out.push_back(String(code, precision));
#endif
  }
  return out;
}

Array<String> geohash_encode(TensorView lat, TensorView lon, int64_t precision, Optional<String> alphabet) {
  check_cpu(lat, "lat");
  check_cpu(lon, "lon");
  check_dtype(lat, "lat", {kF32, kF64});
  check_same(lon, "lon", lat.dtype());
  check_rank(lat, "lat", 1);
  check_rank(lon, "lon", 1);
  check_size(lon, "lon", 0, lat.shape()[0]);
  check_aligned(lat, "lat");
  check_aligned(lon, "lon");
  if (precision < 1 || precision > 12) TVM_FFI_THROW(ValueError) << "precision must be 1 to 12";
  std::string abc = letters(alphabet);
  if (same(lat.dtype(), kF32)) return encode<float>(lat, lon, precision, abc);
  return encode<double>(lat, lon, precision, abc);
}

// (centres, half sizes of the cells), each (n, 2): latitude and longitude.
ffi::Tuple<Tensor, Tensor> geohash_decode(Array<String> codes, Optional<String> alphabet) {
  std::string abc = letters(alphabet);
#if BUG == 1
  static std::vector<int8_t> table;
  static std::mutex once;
  std::lock_guard<std::mutex> guard(once);
  bool fresh = table.empty();
  if (fresh) table.assign(128, -1);
#else
  std::vector<int8_t> table(128, -1);
  bool fresh = true;
#endif
  bool lower = !alphabet.has_value();  // the usual letters are read in either case
  for (int k = 0; fresh && k < 32; ++k) {
    table[static_cast<unsigned char>(abc[k])] = static_cast<int8_t>(k);
    if (lower) table[static_cast<unsigned char>(std::toupper(abc[k]))] = static_cast<int8_t>(k);
  }
  int64_t n = static_cast<int64_t>(codes.size());
  for (int64_t i = 0; i < n; ++i) {
    String s = codes[i];
    if (s.size() < 1 || s.size() > 12) TVM_FFI_THROW(ValueError) << "code " << i << " must have 1 to 12 letters";
#if BUG == 2
    if (i > 0) continue;
#endif
    for (size_t k = 0; k < s.size(); ++k) {
      unsigned char u = static_cast<unsigned char>(s.data()[k]);
#if BUG == 3
      if (table[u] == -1) TVM_FFI_THROW(ValueError) << "code " << i << ": letter " << k;
#else
      if (u >= 128 || table[u] < 0) TVM_FFI_THROW(ValueError) << "code " << i << ": letter " << k;
#endif
    }
  }
  Tensor centre = env_alloc({n, 2}, kF64), half = env_alloc({n, 2}, kF64);
  double *c = data<double>(TensorView(centre)), *h = data<double>(TensorView(half));
  for (int64_t i = 0; i < n; ++i) {
    String s = codes[i];
    uint64_t lat = 0, lon = 0;
    int lat_bits = 0, lon_bits = 0;
    for (size_t k = 0; k < s.size(); ++k) {
      int v = table[static_cast<unsigned char>(s.data()[k])];
      for (int b = 4; b >= 0; --b) {
        if ((lat_bits + lon_bits) % 2 == 0) lon = lon * 2 + (v >> b & 1), ++lon_bits;
        else lat = lat * 2 + (v >> b & 1), ++lat_bits;
      }
    }
    h[2 * i] = std::ldexp(90.0, -lat_bits);
    h[2 * i + 1] = std::ldexp(180.0, -lon_bits);
    c[2 * i] = -90 + h[2 * i] * static_cast<double>(2 * lat + 1);
    c[2 * i + 1] = -180 + h[2 * i + 1] * static_cast<double>(2 * lon + 1);
  }
  return ffi::Tuple<Tensor, Tensor>(centre, half);
}
TVM_FFI_DLL_EXPORT_TYPED_FUNC(geohash_encode, geohash_encode);
TVM_FFI_DLL_EXPORT_TYPED_FUNC(geohash_decode, geohash_decode);
