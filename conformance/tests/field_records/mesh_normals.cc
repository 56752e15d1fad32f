// SPDX-License-Identifier: Apache-2.0
// Graphics: sums the normals of the faces at each vertex of a triangle mesh.
using ffi::Optional;
using ffi::String;
using ffi::Tensor;
using ffi::TensorView;

template <class T, class I>
void run(const TensorView& verts, const TensorView& faces, const T* weights, bool unit, double eps, T* out) {
  int64_t v = verts.shape()[0], f = faces.shape()[0];
  std::vector<int64_t> s = strides_of(verts);
  const T* x = data<T>(verts);
  const I* idx = data<I>(faces);
  std::vector<double> sum(v * 3, 0.0);
#if BUG == 5
  std::fill(out, out + v * 3, T(0));
#endif
#if BUG != 5
  for (int64_t i = 0; i < 3 * f; ++i) {
#if BUG == 1
    if (idx[i] < 0 || idx[i] > v) TVM_FFI_THROW(IndexError) << "face " << i / 3 << ": no vertex " << idx[i];
#elif BUG == 2
    int32_t at = static_cast<int32_t>(idx[i]);
    if (at < 0 || at >= v) TVM_FFI_THROW(IndexError) << "face " << i / 3 << ": no vertex " << at;
#else
    if (idx[i] < 0 || idx[i] >= v) TVM_FFI_THROW(IndexError) << "face " << i / 3 << ": no vertex " << idx[i];
#endif
  }
#endif
  auto at = [&](int64_t i, int k) {
#if BUG == 3
    return static_cast<double>(x[i * s[0] + k]);
#else
    return static_cast<double>(x[i * s[0] + k * s[1]]);
#endif
  };
  for (int64_t i = 0; i < f; ++i) {
    int64_t p[3];
    for (int k = 0; k < 3; ++k) {
#if BUG == 2
      p[k] = static_cast<int32_t>(idx[3 * i + k]);
#else
      p[k] = idx[3 * i + k];
#endif
#if BUG == 5
      if (p[k] < 0 || p[k] >= v) TVM_FFI_THROW(IndexError) << "face " << i << ": no vertex " << p[k];
#endif
    }
    double a[3], b[3], c[3];
    for (int k = 0; k < 3; ++k) a[k] = at(p[1], k) - at(p[0], k), b[k] = at(p[2], k) - at(p[0], k);
    for (int k = 0; k < 3; ++k) c[k] = a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3];
    double m = unit ? 1 / std::sqrt(c[0] * c[0] + c[1] * c[1] + c[2] * c[2] + eps) : 0.5;
    if (weights) m *= static_cast<double>(weights[i]);
    for (int j = 0; j < 3; ++j)
      for (int k = 0; k < 3; ++k) sum[p[j] * 3 + k] += c[k] * m;
  }
#if BUG == 6
  for (int64_t i = 0; i < f; ++i)
    for (int j = 0; j < 3; ++j)
      for (int k = 0; k < 3; ++k) out[idx[3 * i + j] * 3 + k] = static_cast<T>(sum[idx[3 * i + j] * 3 + k]);
#else
  for (int64_t i = 0; i < v * 3; ++i) out[i] = static_cast<T>(sum[i]);
#endif
}

void mesh_normals(TensorView verts, TensorView faces, Optional<Tensor> weights, String mode, double eps, TensorView out) {
  check_cpu(verts, "verts");
  check_cpu(faces, "faces");
  check_cpu(out, "out");
  check_dtype(verts, "verts", {kF32, kF64});
  check_dtype(faces, "faces", {kI32, kI64});
  check_same(out, "out", verts.dtype());
  check_rank(verts, "verts", 2);
  check_size(verts, "verts", 1, 3);
  check_rank(faces, "faces", 2);
  check_size(faces, "faces", 1, 3);
  check_rank(out, "out", 2);
  check_size(out, "out", 0, verts.shape()[0]);
  check_size(out, "out", 1, 3);
  check_dense(faces, "faces");
  check_dense(out, "out");
  check_aligned(verts, "verts");
  check_aligned(faces, "faces");
  check_aligned(out, "out");
  bool unit = mode == "unit";
  if (!unit && mode != "area") TVM_FFI_THROW(ValueError) << "mode must be area or unit";
  if (!(eps > 0) || !std::isfinite(eps)) TVM_FFI_THROW(ValueError) << "eps must be positive";
  const char* w = nullptr;
  Tensor hold;
  if (weights.has_value()) {
    hold = weights.value();
    TensorView t = view_of(hold, "weights");
    check_cpu(t, "weights");
    check_same(t, "weights", verts.dtype());
    check_rank(t, "weights", 1);
    check_size(t, "weights", 0, faces.shape()[0]);
    check_dense(t, "weights");
    check_aligned(t, "weights");
#if BUG == 4
    w = static_cast<const char*>(t.data_ptr());
#else
    w = raw(t);
#endif
  }
  bool wide = same(faces.dtype(), kI64);
  if (same(verts.dtype(), kF32)) {
    const float* p = reinterpret_cast<const float*>(w);
    wide ? run<float, int64_t>(verts, faces, p, unit, eps, data<float>(out))
         : run<float, int32_t>(verts, faces, p, unit, eps, data<float>(out));
  } else {
    const double* p = reinterpret_cast<const double*>(w);
    wide ? run<double, int64_t>(verts, faces, p, unit, eps, data<double>(out))
         : run<double, int32_t>(verts, faces, p, unit, eps, data<double>(out));
  }
}
TVM_FFI_DLL_EXPORT_TYPED_FUNC(mesh_normals, mesh_normals);
