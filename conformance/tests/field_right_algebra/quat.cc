// SPDX-License-Identifier: Apache-2.0
// Quaternions (w, x, y, z) in rows: products, turned vectors, and matrices. One quaternion may
// stand for all rows.
namespace {

using vx::Num;
using vx::View;

struct Quat {
  double w, x, y, z;
};

Quat Read(const View& v, int64_t row) {
  return Quat{v.Get(row, 0), v.Get(row, 1), v.Get(row, 2), v.Get(row, 3)};
}

Quat ReadUnit(const View& v, int64_t row) {
  const Quat q = Read(v, row);
  const double by = std::sqrt(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z);
  return Quat{q.w / by, q.x / by, q.y / by, q.z / by};
}

void NeedTurns(const View& v) {
  for (int64_t i = 0; i < v.shape[0]; ++i) {
    const Quat q = Read(v, i);
    if (!(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z > 0)) {
      TVM_FFI_THROW(ValueError) << "quaternion " << i << " is 0 or NaN: no turn";
    }
  }
}

void Columns(const View& v, const char* name, int64_t rows, int64_t want, bool one_for_all) {
  vx::SameShape(v, name, {one_for_all && v.shape[0] == 1 ? 1 : rows, want});
}

void Multiply(DLTensor* a, DLTensor* b, DLTensor* out) {
  const View l = vx::Look(a, "a", 2, {Num::F32, Num::F64});
  const View r = vx::Look(b, "b", 2, {l.num});
  const View to = vx::Look(out, "out", 2, {l.num});
  const int64_t n = to.shape[0];
  Columns(l, "a", n, 4, true);
  Columns(r, "b", n, 4, true);
  Columns(to, "out", n, 4, false);
  for (int64_t i = 0; i < n; ++i) {
    const Quat p = Read(l, l.shape[0] == 1 ? 0 : i);
    const Quat q = Read(r, r.shape[0] == 1 ? 0 : i);
    to.Put(p.w * q.w - p.x * q.x - p.y * q.y - p.z * q.z, i, 0);
    to.Put(p.w * q.x + p.x * q.w + p.y * q.z - p.z * q.y, i, 1);
    to.Put(p.w * q.y - p.x * q.z + p.y * q.w + p.z * q.x, i, 2);
    to.Put(p.w * q.z + p.x * q.y - p.y * q.x + p.z * q.w, i, 3);
  }
}

void Rotate(DLTensor* turn, DLTensor* v, DLTensor* out) {
  const View t = vx::Look(turn, "turn", 2, {Num::F32, Num::F64});
  const View from = vx::Look(v, "v", 2, {t.num});
  const View to = vx::Look(out, "out", 2, {t.num});
  const int64_t n = from.shape[0];
  Columns(t, "turn", n, 4, true);
  Columns(from, "v", n, 3, false);
  Columns(to, "out", n, 3, false);
  NeedTurns(t);
  for (int64_t i = 0; i < n; ++i) {
    const Quat q = ReadUnit(t, t.shape[0] == 1 ? 0 : i);
    const double x = from.Get(i, 0);
    const double y = from.Get(i, 1);
    const double z = from.Get(i, 2);
    const double cx = 2 * (q.y * z - q.z * y);
    const double cy = 2 * (q.z * x - q.x * z);
    const double cz = 2 * (q.x * y - q.y * x);
    to.Put(x + q.w * cx + q.y * cz - q.z * cy, i, 0);
    to.Put(y + q.w * cy + q.z * cx - q.x * cz, i, 1);
    to.Put(z + q.w * cz + q.x * cy - q.y * cx, i, 2);
  }
}

void Matrices(DLTensor* turn, DLTensor* out) {
  const View t = vx::Look(turn, "turn", 2, {Num::F32, Num::F64});
  const View to = vx::Look(out, "out", 3, {t.num});
  const int64_t n = t.shape[0];
  Columns(t, "turn", n, 4, false);
  vx::SameShape(to, "out", {n, 3, 3});
  NeedTurns(t);
  for (int64_t i = 0; i < n; ++i) {
    const Quat q = ReadUnit(t, i);
    const double m[9] = {1 - 2 * (q.y * q.y + q.z * q.z), 2 * (q.x * q.y - q.w * q.z),
                         2 * (q.x * q.z + q.w * q.y),     2 * (q.x * q.y + q.w * q.z),
                         1 - 2 * (q.x * q.x + q.z * q.z), 2 * (q.y * q.z - q.w * q.x),
                         2 * (q.x * q.z - q.w * q.y),     2 * (q.y * q.z + q.w * q.x),
                         1 - 2 * (q.x * q.x + q.y * q.y)};
    for (int k = 0; k < 9; ++k) to.Put(m[k], i, k / 3, k % 3);
  }
}

}  // namespace

TVM_FFI_DLL_EXPORT_TYPED_FUNC(quat_mul, Multiply);
TVM_FFI_DLL_EXPORT_TYPED_FUNC(quat_rotate, Rotate);
TVM_FFI_DLL_EXPORT_TYPED_FUNC(quat_matrix, Matrices);
