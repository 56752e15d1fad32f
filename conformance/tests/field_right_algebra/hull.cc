// SPDX-License-Identifier: Apache-2.0
// The convex hull of points in the plane, by Andrew's monotone chain. Coordinates are whole
// numbers up to a million, so that no turn is ever misjudged.
namespace {

using vx::Num;
using vx::View;
using vx::ffi::Tensor;
using vx::ffi::Tuple;

constexpr int64_t kMost = 1000000;

struct Point {
  int64_t x, y, index;
};

bool Before(const Point& a, const Point& b) {
  return a.x != b.x ? a.x < b.x : a.y != b.y ? a.y < b.y : a.index < b.index;
}

int64_t Turn(const Point& o, const Point& a, const Point& b) {
  return (a.x - o.x) * (b.y - o.y) - (a.y - o.y) * (b.x - o.x);
}

std::vector<Point> Read(const View& v) {
  std::vector<Point> points;
  points.reserve(static_cast<size_t>(v.shape[0]));
  for (int64_t i = 0; i < v.shape[0]; ++i) {
    const Point p{v.Int(i, 0), v.Int(i, 1), i};
    if (std::max(std::abs(p.x), std::abs(p.y)) > kMost) {
      TVM_FFI_THROW(ValueError) << "points: coordinates go up to " << kMost << "; point " << i;
    }
    points.push_back(p);
  }
  return points;
}

// Corners from the leftmost, lowest one, counterclockwise, as indices of the first points there,
// and twice the area. Points on an edge are no corners.
Tuple<Tensor, int64_t> Hull(vx::ffi::TensorView points) {
  const View v = vx::Look(points, "points", 2, {Num::I32});
  vx::SameShape(v, "points", {v.shape[0], 2});
  std::vector<Point> all = Read(v);
  std::sort(all.begin(), all.end(), Before);
  const auto same = [](const Point& a, const Point& b) { return a.x == b.x && a.y == b.y; };
  all.erase(std::unique(all.begin(), all.end(), same), all.end());

  std::vector<Point> hull;
  const auto add = [&hull](const Point& p, size_t least) {
    while (hull.size() > least && Turn(hull[hull.size() - 2], hull.back(), p) <= 0) {
      hull.pop_back();
    }
    hull.push_back(p);
  };
  if (all.size() < 3) {
    hull = all;
  } else {
    for (const Point& p : all) add(p, 1);
    const size_t lower = hull.size();
    for (size_t i = all.size() - 1; i-- > 0;) add(all[i], lower);
    hull.pop_back();  // the first one again
  }

  int64_t area = 0;
  for (size_t i = 2; i < hull.size(); ++i) area += Turn(hull[0], hull[i - 1], hull[i]);
  const int64_t count = static_cast<int64_t>(hull.size());
  Tensor made = vx::NewTensor(vx::ffi::ShapeView(&count, 1), DLDataType{kDLInt, 64, 1});
  const View to = vx::Look(made, "result", 1, {Num::I64});
  for (int64_t i = 0; i < count; ++i) vx::Poke(to.At(i), hull[static_cast<size_t>(i)].index);
  return Tuple<Tensor, int64_t>(made, area);
}

}  // namespace

TVM_FFI_DLL_EXPORT_TYPED_FUNC(convex_hull, Hull);
