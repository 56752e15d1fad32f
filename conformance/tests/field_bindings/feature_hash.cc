// SPDX-License-Identifier: Apache-2.0
// Hashing of named features into rows of a CSR matrix, as for click logs: numbers keep their value, texts become
// "name=text" with 1.
#include <map>

#if BUG == 4
using Byte = char;
#else
using Byte = unsigned char;
#endif

static uint32_t rotl(uint32_t x, int r) { return (x << r) | (x >> (32 - r)); }

static uint32_t murmur3(std::string_view s, uint32_t seed) {
  const auto* p = reinterpret_cast<const unsigned char*>(s.data());
  size_t n = s.size();
  uint32_t h = seed;
  auto mix = [](uint32_t k) { return rotl(k * 0xcc9e2d51u, 15) * 0x1b873593u; };
  for (size_t i = 0; i + 4 <= n; i += 4) {
    uint32_t k = uint32_t(p[i]) | uint32_t(p[i + 1]) << 8 | uint32_t(p[i + 2]) << 16 | uint32_t(p[i + 3]) << 24;
    h = rotl(h ^ mix(k), 13) * 5 + 0xe6546b64u;
  }
  uint32_t k = 0;
  const auto* tail = reinterpret_cast<const Byte*>(p + (n & ~size_t(3)));
  for (size_t i = n & 3; i-- > 0;) k = (k << 8) ^ uint32_t(tail[i]);
  if (n & 3) h ^= mix(k);
  h ^= uint32_t(n);
  h = (h ^ (h >> 16)) * 0x85ebca6bu;
  h = (h ^ (h >> 13)) * 0xc2b2ae35u;
  return h ^ (h >> 16);
}

static uint32_t hash(std::string_view s, uint32_t seed) {
#if BUG == 6
  thread_local std::unordered_map<std::string, uint32_t> known;
  auto it = known.find(std::string(s));
  if (it != known.end()) return it->second;
  if (known.size() > 4096) known.clear();
  return known[std::string(s)] = murmur3(s, seed);
#else
  return murmur3(s, seed);
#endif
}

static void add(std::map<int64_t, double>& row, std::string_view name, double value, int64_t n, bool flip,
                uint32_t seed) {
  uint32_t h = hash(name, seed);
  // The top bit is the sign, the others say where.
  double v = flip && (h >> 31) ? -value : value;
  row[int64_t(h & 0x7fffffffu) % n] += v;
}

using Result = ffi::Tuple<Tensor, Tensor, Tensor>;

static Result feature_hash(Array<Map<String, Any>> rows, int64_t n_features, DLDataType dtype, bool flip,
                           int64_t seed) {
  REQUIRE(n_features >= 1 && n_features <= 0x7fffffff, ValueError, "n_features must be 1 to 2147483647");
  REQUIRE(type_in(dtype, {kF32, kF64}), ValueError, "dtype must be float32 or float64");
  REQUIRE(seed >= 0 && seed <= 0xffffffffll, ValueError, "seed must have 32 bits");
  std::vector<int64_t> ptr{0};
  std::vector<int32_t> idx;
  std::vector<double> val;
#if BUG == 2
  int64_t total = 0;
#endif
#if BUG == 5
  static std::map<int64_t, double> row;
#else
  std::map<int64_t, double> row;
#endif
  for (const auto& features : rows) {
    row.clear();
    for (auto kv : features) {
      std::string_view name(kv.first.data(), kv.first.size());
      int32_t type = kv.second.type_index();
#if BUG == 2
      ++total;
#endif
      if (type == ffi::TypeIndex::kTVMFFIFloat || type == ffi::TypeIndex::kTVMFFIInt) {
        add(row, name, kv.second.cast<double>(), n_features, flip, uint32_t(seed));
      } else if (auto text = kv.second.try_cast<String>()) {
#if BUG == 3
        size_t size = name.size() + 1 + text->size();
        char* joined = static_cast<char*>(std::malloc(size));
        std::memcpy(joined, name.data(), name.size());
        joined[name.size()] = '=';
        std::memcpy(joined + name.size() + 1, text->data(), text->size());
        add(row, std::string_view(joined, size), 1.0, n_features, flip, uint32_t(seed));
#else
        std::string joined(name);
        joined += '=';
        joined.append(text->data(), text->size());
        add(row, joined, 1.0, n_features, flip, uint32_t(seed));
#endif
      } else {
#if BUG == 1
        continue;
#else
        TVM_FFI_THROW(TypeError) << "feature " << kv.first << " must be a number or a string, is "
                                 << kv.second.GetTypeKey();
#endif
      }
    }
    for (auto& e : row) {
      idx.push_back(int32_t(e.first));
      val.push_back(e.second);
    }
    ptr.push_back(int64_t(idx.size()));
  }
  int64_t nnz = int64_t(idx.size());
#if BUG == 2
  Tensor values = alloc({total}, dtype), indices = alloc({total}, kI32);
#else
  Tensor values = alloc({nnz}, dtype), indices = alloc({nnz}, kI32);
#endif
  Tensor indptr = alloc({int64_t(ptr.size())}, kI64);
  for (int64_t i = 0; i < nnz; ++i) {
    if (dtype.bits == 32)
      data<float>(values)[i] = float(val[i]);
    else
      data<double>(values)[i] = val[i];
    data<int32_t>(indices)[i] = idx[i];
  }
  std::copy(ptr.begin(), ptr.end(), data<int64_t>(indptr));
  return Result(values, indices, indptr);
}
TVM_FFI_DLL_EXPORT_TYPED_FUNC(feature_hash, feature_hash);
