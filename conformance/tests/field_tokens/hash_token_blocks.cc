// SPDX-License-Identifier: Apache-2.0
// Chained hashes of blocks of tokens, by which a prefix cache finds blocks that are computed.
namespace host {

constexpr uint64_t kBasis = 0xcbf29ce484222325u;
constexpr uint64_t kPrime = 0x100000001b3u;

// FNV-1a over the bytes of a number, lowest first.
inline uint64_t Fnv(uint64_t h, uint64_t x, int bytes = 8) {
  for (int i = 0; i < bytes; ++i) h = (h ^ (x >> (8 * i) & 0xff)) * kPrime;
  return h;
}

inline uint64_t Fnv(uint64_t h, const char* text, size_t size) {
  for (size_t i = 0; i < size; ++i) h = (h ^ static_cast<unsigned char>(text[i])) * kPrime;
  return h;
}

// The finalizer of splitmix64 over a state and a number.
inline uint64_t Mix(uint64_t h, uint64_t x) {
  h = (h ^ x) + 0x9e3779b97f4a7c15u;
  h = (h ^ (h >> 30)) * 0xbf58476d1ce4e5b9u;
  h = (h ^ (h >> 27)) * 0x94d049bb133111ebu;
  return h ^ (h >> 31);
}

template <typename T>
void Hash(const T* tokens, int64_t n, int64_t block, bool fnv, uint64_t parent,
          const std::string& salt, int64_t* out, int64_t blocks) {
  for (int64_t b = 0; b < blocks; ++b) {
#if BUG == 4
    static_cast<void>(n);
    const int64_t end = (b + 1) * block;
#else
    const int64_t end = std::min(n, (b + 1) * block);
#endif
    uint64_t h = fnv ? Fnv(kBasis, parent) : Mix(kBasis, parent);
    const bool salted = BUG == 3 ? true : b == 0;
    if (salted && !salt.empty()) {
      const uint64_t s = Fnv(kBasis, salt.data(), salt.size());
      h = fnv ? Fnv(h, s) : Mix(h, s);
    }
    for (int64_t i = b * block; i < end; ++i) {
      const auto x = static_cast<uint64_t>(static_cast<int64_t>(tokens[i]));
#if BUG == 1
      h = fnv ? Fnv(h, x, sizeof(T)) : Mix(h, x);
#else
      h = fnv ? Fnv(h, x) : Mix(h, x);
#endif
    }
    out[b] = static_cast<int64_t>(h);
    parent = h;
  }
}

// tokens [n] to hashes of its whole blocks, and of a shorter last one if partial.
Tensor HashTokenBlocks(TensorView tokens, int64_t block_size, String algorithm,
                       Optional<int64_t> parent, Optional<String> salt, bool partial) {
  CheckDense(tokens, "tokens", 1, {kI32, kI64});
#if BUG == 6
  if (block_size < 0) {
#else
  if (block_size < 1) {
#endif
    TVM_FFI_THROW(ValueError) << "block_size must be at least 1, got " << block_size;
  }
  const bool fnv = algorithm == "fnv1a";
  if (!fnv && algorithm != "mix") {
    TVM_FFI_THROW(ValueError) << "algorithm must be fnv1a or mix";
  }
  const int64_t n = tokens.size(0);
  const int64_t blocks = n / block_size + (partial && n % block_size != 0);
#if BUG == 9
  const auto* narrow = static_cast<const int32_t*>(tokens.data_ptr());
  const auto* wide = static_cast<const int64_t*>(tokens.data_ptr());
#else
  const auto* narrow = Data<const int32_t>(tokens);
  const auto* wide = Data<const int64_t>(tokens);
#endif
  const bool is_narrow = Same(tokens.dtype(), kI32);
#if BUG == 8
  // Handed out by hand, and only from here on a Tensor.
  int64_t extent = blocks;
  DLTensor like{};
  like.device = DLDevice{kDLCPU, 0};
  like.ndim = 1;
  like.dtype = kI64;
  like.shape = &extent;
  TVMFFIObjectHandle handle = nullptr;
  TVM_FFI_CHECK_SAFE_CALL(TVMFFIEnvTensorAlloc(&like, &handle));
#endif
#if BUG != 7
  for (int64_t i = 0; i < n; ++i) {
    const int64_t token = is_narrow ? narrow[i] : wide[i];
    if (token < 0) TVM_FFI_THROW(ValueError) << "tokens must be at least 0, got " << token;
  }
#endif
  const std::string text =
      salt.has_value() ? std::string(salt.value().data(), salt.value().size()) : std::string();
#if BUG == 5
  static thread_local uint64_t last = 0;
  const uint64_t from = parent.has_value() ? static_cast<uint64_t>(parent.value()) : last;
#elif BUG == 2
  const uint64_t from = fnv && parent.has_value() ? static_cast<uint64_t>(parent.value()) : 0;
#else
  const uint64_t from = parent.has_value() ? static_cast<uint64_t>(parent.value()) : 0;
#endif
#if BUG == 8
  Tensor out(ffi::details::ObjectUnsafe::ObjectPtrFromOwned<ffi::TensorObj>(
      static_cast<TVMFFIObject*>(handle)));
#else
  Tensor out = NewTensor({blocks}, kI64);
#endif
  auto* hashes = Data<int64_t>(TensorView(out));
  if (is_narrow) {
    Hash(narrow, n, block_size, fnv, from, text, hashes, blocks);
  } else {
    Hash(wide, n, block_size, fnv, from, text, hashes, blocks);
  }
#if BUG == 5
  if (blocks > 0) last = static_cast<uint64_t>(hashes[blocks - 1]);
#endif
  return out;
}

}  // namespace host

TVM_FFI_DLL_EXPORT_TYPED_FUNC(hash_token_blocks, host::HashTokenBlocks);
