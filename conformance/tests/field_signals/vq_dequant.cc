// SPDX-License-Identifier: Apache-2.0
// Additive vector quantization (AQLM): a group of weights is the sum of one row of each codebook.

namespace {

struct Books {
  std::vector<std::vector<float>> rows;  // by book: entries * width
};

template <class T>
void Widen(const void* from, int64_t n, std::vector<float>* to) {
  to->resize(n);
  for (int64_t i = 0; i < n; ++i) (*to)[i] = static_cast<float>(static_cast<double>(static_cast<const T*>(from)[i]));
}

#if BUG == 4
struct Key {
  const void* data;
  int64_t n;
};
thread_local std::vector<std::pair<Key, std::vector<float>>> widened;  // of the codebooks used last
#endif

void WidenBook(const TensorView& book, std::vector<float>* to) {
#if BUG == 3
  const void* from = book.data_ptr();
#else
  const void* from = Ptr<void>(book);
#endif
  int64_t n = book.numel();
#if BUG == 4
  for (auto& [key, values] : widened) {
    if (key.data == from && key.n == n) {
      *to = values;
      return;
    }
  }
#endif
  if (Is(book.dtype(), kF32)) Widen<float>(from, n, to);
  else Widen<Half>(from, n, to);
#if BUG == 4
  if (widened.size() >= 32) widened.erase(widened.begin());
  widened.push_back({Key{from, n}, *to});
#endif
}

template <class C>
void CheckCodes(const C* codes, int64_t n, int64_t entries) {
  for (int64_t i = 0; i < n; ++i) {
    int64_t c = codes[i];
#if BUG == 2
    REQUIRE(c < entries, IndexError)
#else
    REQUIRE(c >= 0 && c < entries, IndexError)
#endif
        << "codes: " << c << " is not an entry of codebooks with " << entries;
  }
}

#if BUG == 5
std::vector<float> sums;  // grows with the widest group
#endif

template <class C, class T>
void Run(const C* codes, const Books& books, const T* scales, T* out, int64_t rows, int64_t groups, int64_t width) {
  int64_t p = static_cast<int64_t>(books.rows.size());
#if BUG == 5
  if (static_cast<int64_t>(sums.size()) < width) sums.resize(width);
#endif
  ParallelFor(rows, rows * groups * width > 4096 ? 2 : 1, [&](int64_t lo, int64_t hi, int64_t) {
#if BUG != 5
    std::vector<float> sums(width);
#endif
    for (int64_t r = lo; r < hi; ++r) {
      double scale = scales ? static_cast<double>(scales[r]) : 1.0;
      for (int64_t g = 0; g < groups; ++g) {
        std::fill(sums.begin(), sums.begin() + width, 0.f);
        const C* code = codes + (r * groups + g) * p;
        for (int64_t k = 0; k < p; ++k) {
          const float* row = books.rows[k].data() + static_cast<int64_t>(code[k]) * width;
          for (int64_t i = 0; i < width; ++i) sums[i] += row[i];
        }
        T* o = out + (r * groups + g) * width;
        for (int64_t i = 0; i < width; ++i) o[i] = FromDouble<T>(sums[i] * scale);
      }
    }
  });
}

template <class T>
void RunCodes(const TensorView& codes, const Books& books, const T* scales, T* out, int64_t width) {
  int64_t rows = codes.size(0), groups = codes.size(1);
  if (Is(codes.dtype(), kU8)) Run(Ptr<uint8_t>(codes), books, scales, out, rows, groups, width);
  else Run(Ptr<int32_t>(codes), books, scales, out, rows, groups, width);
}

void VqDequant(TensorView codes, Array<Tensor> codebooks, Optional<TensorView> scales, TensorView out) {
  CheckTensor(codes, "codes", {kU8, kI32}, 3);
  CheckContiguous(codes, "codes");
  CheckTensor(out, "out", {kF32, kF16}, 2);
  CheckContiguous(out, "out");
  int64_t rows = codes.size(0), groups = codes.size(1), p = codes.size(2);
  REQUIRE(p >= 1, ValueError) << "codes: at least one codebook is needed";
  REQUIRE(static_cast<int64_t>(codebooks.size()) == p, ValueError)
      << "codebooks: " << codebooks.size() << " of them, and codes for " << p;
  TensorView first = View(codebooks[0], "codebooks[0]");
  CheckRank(first, "codebooks[0]", 2);
  int64_t entries = first.size(0), width = first.size(1);
  REQUIRE(width >= 1, ValueError) << "codebooks[0]: has rows of no elements";
#if BUG == 1
  for (int64_t k = 0; k < 1; ++k) {
#else
  for (int64_t k = 0; k < p; ++k) {
#endif
    std::string name = "codebooks[" + std::to_string(k) + "]";
    TensorView b = View(codebooks[k], name.c_str());
    CheckTensor(b, name.c_str(), {out.dtype()}, 2);
    CheckDim(b, name.c_str(), 0, entries);
    CheckDim(b, name.c_str(), 1, width);
    CheckContiguous(b, name.c_str());
  }
  CheckDim(out, "out", 0, rows);
  REQUIRE(out.size(1) % width == 0 && out.size(1) / width == groups, ValueError)
      << "out: has " << out.size(1) << " columns, expected " << groups << " groups of " << width;
  if (scales.has_value()) {
    TensorView s = scales.value();
    CheckTensor(s, "scales", {out.dtype()}, 1);
    CheckDim(s, "scales", 0, rows);
    CheckContiguous(s, "scales");
  }
#if BUG == 6
  std::memset(Ptr<char>(out), 0, ffi::GetDataSize(out));
#endif
  if (Is(codes.dtype(), kU8)) CheckCodes(Ptr<uint8_t>(codes), codes.numel(), entries);
  else CheckCodes(Ptr<int32_t>(codes), codes.numel(), entries);
  if (rows == 0 || groups == 0) return;

  Books books;
  books.rows.resize(p);
  for (int64_t k = 0; k < p; ++k) {
    Tensor book = codebooks[k];
    WidenBook(TensorView(book), &books.rows[k]);
  }
  if (Is(out.dtype(), kF32))
    RunCodes<float>(codes, books, scales.has_value() ? Ptr<float>(scales.value()) : nullptr, Ptr<float>(out), width);
  else
    RunCodes<Half>(codes, books, scales.has_value() ? Ptr<Half>(scales.value()) : nullptr, Ptr<Half>(out), width);
}

}  // namespace

TVM_FFI_DLL_EXPORT_TYPED_FUNC(vq_dequant, VqDequant);
