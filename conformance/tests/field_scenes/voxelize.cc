// SPDX-License-Identifier: Apache-2.0
// voxelize(points, options) -> (voxels [v, max_points, d], coords int32 [v, 3], counts int32 [v]): points of a lidar by cells
// of a grid, in the order in which cells are met. Points outside of the range, and NaN, are left out.
using namespace set;

struct Options {
  double size[3], lo[3], hi[3];
  int64_t dims[3], max_points, max_voxels;
  bool strict;
};

static double number(const Any& v, const char* name) {
  auto d = v.try_cast<double>();
  REQUIRE(d.has_value(), TypeError, name << " must hold numbers");
  return *d;
}

static Options read(const Map<String, Any>& m) {
  Options o{};
  for (const auto& kv : m) {
    String k = kv.first;
    REQUIRE(k == "voxel_size" || k == "range" || k == "max_points" || k == "max_voxels" || k == "strict", ValueError,
            "unknown option " << k);
  }
  for (const char* k : {"voxel_size", "range", "max_points"}) REQUIRE(m.count(k), ValueError, "the option " << k << " is missing");
  auto size = m["voxel_size"].try_cast<Array<Any>>(), range = m["range"].try_cast<Array<Any>>();
  REQUIRE(size.has_value() && range.has_value(), TypeError, "voxel_size and range must be arrays");
  REQUIRE(size->size() == 3, ValueError, "voxel_size must have 3 numbers");
  REQUIRE(range->size() == 6, ValueError, "range must have 6 numbers");
  for (int i = 0; i < 3; ++i) {
    o.size[i] = number((*size)[i], "voxel_size");
    o.lo[i] = number((*range)[i], "range");
    o.hi[i] = number((*range)[i + 3], "range");
    REQUIRE(std::isfinite(o.lo[i]) && std::isfinite(o.hi[i]) && o.lo[i] < o.hi[i], ValueError, "range must rise");
#if BUG == 3
    REQUIRE(o.size[0] > 0 && std::isfinite(o.size[i]), ValueError, "voxel_size must be positive");
#else
    REQUIRE(o.size[i] > 0 && std::isfinite(o.size[i]), ValueError, "voxel_size must be positive");
#endif
    double cells = std::ceil((o.hi[i] - o.lo[i]) / o.size[i]);
    REQUIRE(cells <= 1048576, ValueError, "the grid has too many cells");
    o.dims[i] = std::max<int64_t>(1, int64_t(cells));
  }
  auto points = m["max_points"].try_cast<int64_t>();
  REQUIRE(points.has_value(), TypeError, "max_points must be an int");
  o.max_points = *points;
  REQUIRE(o.max_points >= 1 && o.max_points <= 64, ValueError, "max_points must be from 1 to 64");
  o.max_voxels = 20000;
  if (m.count("max_voxels") && m["max_voxels"] != nullptr) {
    auto voxels = m["max_voxels"].try_cast<int64_t>();
    REQUIRE(voxels.has_value(), TypeError, "max_voxels must be an int");
    o.max_voxels = *voxels;
    REQUIRE(o.max_voxels >= 1 && o.max_voxels <= 20000, ValueError, "max_voxels must be from 1 to 20000");
  }
  if (m.count("strict") && m["strict"] != nullptr) {
    auto strict = m["strict"].as<bool>();
    REQUIRE(strict.has_value(), TypeError, "strict must be a bool");
    o.strict = *strict;
  }
  return o;
}

static Tuple<Tensor, Tensor, Tensor> voxelize(TensorView points, Map<String, Any> options) {
  need_dtype(points, "points", kF32);
  need_basic(points, "points", 2);
  const int64_t n = points.size(0), d = points.size(1);
  REQUIRE(d >= 3 && d <= 16, ValueError, "points must have from 3 to 16 features");
  std::vector<int64_t> s = strides_of(points);
  REQUIRE(n == 0 || s[1] == 1, ValueError, "the features of a point must lie side by side");
  Options o = read(options);
  const float* x = ptr<float>(points);
#if BUG == 5
  s[0] = d;
#endif
#if BUG == 4
  static thread_local std::unordered_map<int64_t, int64_t> cells;
#else
  std::unordered_map<int64_t, int64_t> cells;
#endif
  std::vector<int64_t> slot(n, -1);
  std::vector<int32_t> coords(std::min(o.max_voxels, n) * 3), counts(std::min(o.max_voxels, n));
  int64_t used = 0;
  for (int64_t i = 0; i < n; ++i) {
    const float* p = x + i * s[0];
    int64_t c[3];
    bool inside = true;
    for (int k = 0; k < 3; ++k) {
      double v = double(p[k]);
#if BUG == 6
      if (v < o.lo[k] || v >= o.hi[k]) {
#else
      if (!(v >= o.lo[k] && v < o.hi[k])) {
#endif
        inside = false;
        break;
      }
      c[k] = std::min<int64_t>(int64_t(std::floor((v - o.lo[k]) / o.size[k])), o.dims[k] - 1);
    }
    if (!inside) continue;
    int64_t key = (c[0] * o.dims[1] + c[1]) * o.dims[2] + c[2];
    auto found = cells.find(key);
    int64_t v;
    if (found != cells.end()) {
      v = found->second;
    } else {
#if BUG == 1
      if (used > o.max_voxels) {
#else
      if (used >= o.max_voxels) {
#endif
        REQUIRE(!o.strict, ValueError, "there are more than " << o.max_voxels << " voxels");
        continue;
      }
      v = used++;
      cells.emplace(key, v);
      for (int k = 0; k < 3; ++k) coords[v * 3 + k] = int32_t(c[k]);
    }
    if (counts[v] < o.max_points) slot[i] = v * o.max_points + counts[v]++;
  }
#if BUG == 4
  cells.clear();
#endif
  Tensor out = alloc({used, o.max_points, d}, kF32), at = alloc({used, 3}, kI32), num = alloc({used}, kI32);
  if (used > 0) {
    float* w = static_cast<float*>(out.data_ptr());
#if BUG != 2
    std::fill(w, w + used * o.max_points * d, 0.0f);
#endif
    for (int64_t i = 0; i < n; ++i)
      if (slot[i] >= 0) std::copy(x + i * s[0], x + i * s[0] + d, w + slot[i] * d);
    std::copy(coords.begin(), coords.begin() + used * 3, static_cast<int32_t*>(at.data_ptr()));
    std::copy(counts.begin(), counts.begin() + used, static_cast<int32_t*>(num.data_ptr()));
  }
  return Tuple<Tensor, Tensor, Tensor>(out, at, num);
}
TVM_FFI_DLL_EXPORT_TYPED_FUNC(voxelize, voxelize);
