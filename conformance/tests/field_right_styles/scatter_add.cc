// SPDX-License-Identifier: Apache-2.0
// y[index[i]] += src[i], row by row. Every index is checked before the first row is touched.
namespace {

[[noreturn]] void Refuse(const char* kind, const std::string& why) {
  throw tvm::ffi::Error(kind, "scatter_add: " + why, "");
}

inline double plus(double a, double b) { return a + b; }
inline int64_t plus(int64_t a, int64_t b) {  // wraps
  return static_cast<int64_t>(static_cast<uint64_t>(a) + static_cast<uint64_t>(b));
}

template <typename T, typename I>
void add(const tvm::ffi::TensorView& y, const I* index, const tvm::ffi::TensorView& src) {
  const int64_t d = y.size(1), m = src.size(0);
  T* to = x4::first<T>(y);
  const T* from = x4::first<T>(src);
  for (int64_t i = 0; i < m; ++i) {
    T* row = to + static_cast<int64_t>(index[i]) * d;
    for (int64_t j = 0; j < d; ++j) row[j] = plus(row[j], from[i * d + j]);
  }
}

template <typename I>
void dispatch(const tvm::ffi::TensorView& y, const tvm::ffi::TensorView& index,
              const tvm::ffi::TensorView& src) {
  const I* p = x4::first<I>(index);
  for (int64_t i = 0; i < index.size(0); ++i) {
    if (p[i] < 0 || p[i] >= y.size(0)) {
      Refuse("IndexError", "row " + std::to_string(p[i]) + " is outside");
    }
  }
  if (x4::holds<double>(y.dtype())) {
    add<double>(y, p, src);
  } else {
    add<int64_t>(y, p, src);
  }
}

void scatter_add(tvm::ffi::TensorView y, tvm::ffi::TensorView index, tvm::ffi::TensorView src) {
  if (!x4::holds<double>(y.dtype()) && !x4::holds<int64_t>(y.dtype())) {
    Refuse("TypeError", "y is of float64 or int64");
  }
  if (!(src.dtype() == y.dtype())) Refuse("TypeError", "src is of another type than y");
  if (y.ndim() != 2 || src.ndim() != 2) Refuse("ValueError", "y and src have two dimensions");
  if (index.ndim() != 1) Refuse("ValueError", "index has one dimension");
  if (src.size(1) != y.size(1)) Refuse("ValueError", "rows of different lengths");
  if (src.size(0) != index.size(0)) Refuse("ValueError", "one index for each row of src");
  x4::plain(y, "y");
  x4::plain(index, "index");
  x4::plain(src, "src");
  if (x4::holds<int32_t>(index.dtype())) {
    dispatch<int32_t>(y, index, src);
  } else if (x4::holds<int64_t>(index.dtype())) {
    dispatch<int64_t>(y, index, src);
  } else {
    Refuse("TypeError", "index is of int32 or int64");
  }
}

}  // namespace

TVM_FFI_DLL_EXPORT_TYPED_FUNC(scatter_add, scatter_add);
