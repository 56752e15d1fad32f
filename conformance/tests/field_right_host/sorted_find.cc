// SPDX-License-Identifier: Apache-2.0
// Where queries would have to stand in a sorted table. NaN is behind everything, as in NumPy.
namespace {

using tvm::ffi::String;
using tvm::ffi::TensorView;

template <typename T>
bool before(T a, T b) {
  return a < b || (b != b && a == a);
}

template <typename T>
void find(TensorView table, TensorView queries, bool right, TensorView out) {
  const T* t = kit::dense<T>(table, "table", 1);
  const T* q = kit::dense<T>(queries, "queries", 1);
  int64_t* o = kit::dense<int64_t>(out, "out", 1);
  int64_t n = table.size(0), m = queries.size(0);
  if (out.size(0) != m) TVM_FFI_THROW(ValueError) << "out: expected " << m << " elements";
  for (int64_t i = 1; i < n; ++i)
    if (!(t[i - 1] <= t[i])) TVM_FFI_THROW(ValueError) << "table: not sorted at " << i;
  for (int64_t i = 0; i < m; ++i) {
    const T* at = right ? std::upper_bound(t, t + n, q[i], before<T>)
                        : std::lower_bound(t, t + n, q[i], before<T>);
    o[i] = at - t;
  }
}

void entry(TensorView table, TensorView queries, String side, TensorView out) {
  if (side != "left" && side != "right") TVM_FFI_THROW(ValueError) << "side: left or right";
  bool right = side == "right";
  DLDataType type = table.dtype();
  if (kit::same(type, kit::type_of<float>())) return find<float>(table, queries, right, out);
  if (kit::same(type, kit::type_of<double>())) return find<double>(table, queries, right, out);
  if (kit::same(type, kit::type_of<int32_t>())) return find<int32_t>(table, queries, right, out);
  if (kit::same(type, kit::type_of<int64_t>())) return find<int64_t>(table, queries, right, out);
  TVM_FFI_THROW(TypeError) << "table: a type that is not supported";
}

}  // namespace

TVM_FFI_DLL_EXPORT_TYPED_FUNC(sorted_find, entry);
