// SPDX-License-Identifier: Apache-2.0
static ffi::Tensor concat(const std::vector<View>& parts, int64_t d) {
  int64_t rows = 0;
  for (auto& v : parts) NEED(!__builtin_add_overflow(rows, v.shape[0], &rows), ValueError) << "too many rows";
  ffi::Tensor y = alloc({rows, d}, parts[0].dt);
  View vy = view(y, "y", {parts[0].dt});
  char* to = vy.p;
  for (auto& v : parts)
    if (v.n > 0) {
      std::memcpy(to, v.p, v.n * v.item);
      to += v.n * v.item;
    }
  return y;
}

static void check(const View& v, const std::vector<View>& parts) {
  if (parts.empty()) return;
  NEED(v.dt == parts[0].dt, TypeError) << "all parts must have the same data type";
  NEED(v.shape[1] == parts[0].shape[1], ValueError) << "all parts must have " << parts[0].shape[1] << " columns";
}

// The rows of any number of matrices.
static void concat_rows(const ffi::AnyView* args, int n, ffi::Any* result) {
  NEED(n >= 1, TypeError) << "concat_rows takes one matrix or more";
  std::vector<View> parts;
  for (int i = 0; i < n; i++) {
    View v = view(argument<ffi::TensorView>(args, i), "a part", {F32, I64}, 2);
    check(v, parts);
    parts.push_back(v);
  }
  *result = concat(parts, parts[0].shape[1]);
}
EXPORT_PACKED(concat_rows, concat_rows)

static ffi::Tensor concat_list(ffi::Array<ffi::Tensor> parts) {
  NEED(parts.size() > 0, ValueError) << "parts must not be empty";
  std::vector<View> views;
  for (ffi::Tensor p : parts) {
    View v = view(p, "a part", {F32, I64}, 2);
    check(v, views);
    views.push_back(v);
  }
  return concat(views, views[0].shape[1]);
}
TVM_FFI_DLL_EXPORT_TYPED_FUNC(concat_list, concat_list);

static ffi::Array<ffi::Tensor> split(ffi::TensorView x, ffi::Array<int64_t> sizes) {
  View vx = view(x, "x", {F32, I64}, 2);
  int64_t sum = 0;
  for (int64_t s : sizes) {
    NEED(s >= 0 && s <= vx.shape[0] - sum, ValueError) << "sizes must not be negative, and have the sum " << vx.shape[0];
    sum += s;
  }
  NEED(sum == vx.shape[0], ValueError) << "sizes must have the sum " << vx.shape[0];
  ffi::Array<ffi::Tensor> parts;
  const char* from = vx.p;
  for (int64_t s : sizes) {
    ffi::Tensor y = alloc({s, vx.shape[1]}, vx.dt);
    int64_t bytes = vx.n > 0 ? s * vx.shape[1] * vx.item : 0;
    if (bytes > 0) std::memcpy(view(y, "y", {vx.dt}).p, from, bytes);
    from += bytes;
    parts.push_back(y);
  }
  return parts;
}
TVM_FFI_DLL_EXPORT_TYPED_FUNC(split, split);
