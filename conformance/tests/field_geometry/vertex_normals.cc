// SPDX-License-Identifier: Apache-2.0
// vertex_normals: normals of unit length at the vertices of a mesh of triangles.
//
//   vertices   (v, 3)   float32 or float64; rows may lie anywhere
//   faces      (f, 3)   int32 or int64: vertices of each triangle, 0 to v - 1
//   weighting           how much a face counts at a vertex: "area", "uniform", or its "angle" there
//   normals    (v, 3)   of the type of vertices; (0, 0, 0) where there is no face, or none but
//                       degenerate ones, or where they cancel out
//   areas      (f)      optional, of the type of vertices: areas of the faces, 0 of degenerate ones
//   threads             0 (as many as the machine has) to 64; the outcome doesn't depend on it
//
// Returns (total area, number of degenerate faces). A face is degenerate if its cross product isn't
// longer than 1e-12 times the product of two sides; these count nowhere else. Works in double
// precision. A refused call has written nothing.
namespace {
using namespace set;

struct Vec {
  double x, y, z;
};
inline Vec operator+(Vec a, Vec b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
inline Vec operator-(Vec a, Vec b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
inline Vec operator*(Vec a, double s) { return {a.x * s, a.y * s, a.z * s}; }
inline double Dot(Vec a, Vec b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
inline double Norm(Vec a) { return std::sqrt(Dot(a, a)); }
inline Vec Cross(Vec a, Vec b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

constexpr double kTiny = 1e-12;

struct Face {
  Vec normal;       // unit length, 0 if the face is degenerate
  double twice;     // the length of the cross product, 0 if the face is degenerate
  double angle[3];  // at its vertices
  bool good;
};

Face Measure(Vec a, Vec b, Vec c) {
  const Vec u = b - a, w = c - a, cross = Cross(u, w);
  const double length = Norm(cross);
  Face face{{0, 0, 0}, 0, {0, 0, 0}, false};
#if BUG != 4
  if (!(length > kTiny * (Norm(u) * Norm(w)))) return face;
#endif
  face.normal = {cross.x / length, cross.y / length, cross.z / length};
  face.twice = length;
  face.angle[0] = std::atan2(length, Dot(u, w));
#if BUG == 6
  face.angle[1] = face.angle[2] = face.angle[0];
#else
  face.angle[1] = std::atan2(length, Dot(a - b, c - b));
  face.angle[2] = std::atan2(length, Dot(a - c, b - c));
#endif
  face.good = true;
  return face;
}

enum class Weighting { kArea, kUniform, kAngle };

template <typename T, typename I>
ffi::Tuple<double, int64_t> Run(const TensorView& vertices, const TensorView& faces,
                                Weighting weighting, const TensorView& normals,
                                const TensorView* areas, int64_t threads) {
  const int64_t v = vertices.shape()[0], f = faces.shape()[0];
  const T* points = Data<T>(vertices);
  const int64_t row = Strides(vertices)[0];
  const I* corners = Data<I>(faces);
#if BUG == 2
  const int64_t step = 3;
#else
  const int64_t step = 1;
#endif
  for (int64_t k = 0; k < 3 * f; k += step) {
#if BUG == 8
    const int32_t corner = static_cast<int32_t>(corners[k]);
#else
    const I corner = corners[k];
#endif
    SET_REQUIRE(corner >= 0 && (BUG == 1 ? corner <= v : corner < v), ValueError)
        << "`faces` must be between 0 and " << v - 1 << ", but faces[" << k / 3 << ", " << k % 3
        << "] is " << corners[k];
  }
  auto corner = [&](int64_t face, int64_t i) {
#if BUG == 8
    return static_cast<int64_t>(static_cast<int32_t>(corners[3 * face + i]));
#else
    return static_cast<int64_t>(corners[3 * face + i]);
#endif
  };
  auto point = [&](int64_t i) {
    const T* p = points + i * row;
    return Vec{static_cast<double>(p[0]), static_cast<double>(p[1]), static_cast<double>(p[2])};
  };
  std::vector<Face> measured(static_cast<size_t>(f));
  ParallelFor(f, Workers(threads, f), [&](int64_t begin, int64_t end, int64_t) {
    for (int64_t k = begin; k < end; ++k) {
      measured[k] = Measure(point(corner(k, 0)), point(corner(k, 1)), point(corner(k, 2)));
    }
  });
  auto weight = [&](const Face& face, int64_t i) {
    if (weighting == Weighting::kArea) return face.twice;
    if (weighting == Weighting::kAngle) return face.angle[i];
    return face.good ? 1.0 : 0.0;
  };
  std::vector<Vec> sums(static_cast<size_t>(v), Vec{0, 0, 0});
  std::vector<double> weights(static_cast<size_t>(v), 0.0);
#if BUG == 3
  ParallelFor(f, Workers(threads, f), [&](int64_t begin, int64_t end, int64_t) {
    for (int64_t k = begin; k < end; ++k) {
      for (int64_t i = 0; i < 3; ++i) {
        const int64_t at = corner(k, i);
        sums[at] = sums[at] + measured[k].normal * weight(measured[k], i);
        weights[at] += weight(measured[k], i);
      }
    }
  });
#else
  // The corners of each vertex, in the order of faces: each vertex is summed up by one thread.
  std::vector<int64_t> first(static_cast<size_t>(v + 1), 0), incident(static_cast<size_t>(3 * f));
  for (int64_t k = 0; k < 3 * f; ++k) ++first[corner(k / 3, k % 3) + 1];
  for (int64_t i = 0; i < v; ++i) first[i + 1] += first[i];
  std::vector<int64_t> next(first.begin(), first.end() - 1);
  for (int64_t k = 0; k < 3 * f; ++k) incident[next[corner(k / 3, k % 3)]++] = k;
  ParallelFor(v, Workers(threads, v), [&](int64_t begin, int64_t end, int64_t) {
    for (int64_t i = begin; i < end; ++i) {
      for (int64_t k = first[i]; k < first[i + 1]; ++k) {
        const Face& face = measured[incident[k] / 3];
        const double w = weight(face, incident[k] % 3);
        sums[i] = sums[i] + face.normal * w;
        weights[i] += w;
      }
    }
  });
#endif
  T* out = Data<T>(normals);
  for (int64_t i = 0; i < v; ++i) {
    const double length = Norm(sums[i]);
#if BUG == 7
    if (weights[i] == 0) continue;
#endif
    const bool some = length > kTiny * weights[i];
    out[3 * i] = static_cast<T>(some ? sums[i].x / length : 0);
    out[3 * i + 1] = static_cast<T>(some ? sums[i].y / length : 0);
    out[3 * i + 2] = static_cast<T>(some ? sums[i].z / length : 0);
  }
  double total = 0;
  int64_t degenerate = 0;
  T* area = areas != nullptr ? Data<T>(*areas) : nullptr;
  for (int64_t k = 0; k < f; ++k) {
#if BUG == 5
    if (area != nullptr) total += measured[k].twice / 2;
#else
    total += measured[k].twice / 2;
#endif
    if (!measured[k].good) ++degenerate;
    if (area != nullptr) area[k] = static_cast<T>(measured[k].twice / 2);
  }
  return ffi::Tuple<double, int64_t>(total, degenerate);
}

ffi::Tuple<double, int64_t> VertexNormals(TensorView vertices, TensorView faces, String weighting,
                                          TensorView normals, Optional<Tensor> areas,
                                          int64_t threads) {
  CheckCpu(vertices, "vertices");
  CheckCpu(faces, "faces");
  CheckCpu(normals, "normals");
  CheckFloat(vertices, "vertices");
  CheckIndexType(faces, "faces");
  CheckSameType(normals, "normals", vertices, "vertices");
  CheckRank(vertices, "vertices", 2);
  CheckRank(faces, "faces", 2);
  const int64_t v = vertices.shape()[0], f = faces.shape()[0];
  CheckShape(vertices, "vertices", {v, 3});
  CheckShape(faces, "faces", {f, 3});
  CheckShape(normals, "normals", {v, 3});
  CheckRows(vertices, "vertices");
  CheckContiguous(faces, "faces");
#if BUG != 9
  CheckContiguous(normals, "normals");
#endif
  Weighting which = Weighting::kArea;
  if (weighting == "uniform") {
    which = Weighting::kUniform;
  } else if (weighting == "angle") {
    which = Weighting::kAngle;
  } else {
    SET_REQUIRE(weighting == "area", ValueError)
        << "`weighting` must be \"area\", \"uniform\" or \"angle\", but is \""
        << std::string(weighting) << "\"";
  }
  Tensor kept;
  std::unique_ptr<TensorView> areas_view;
  if (areas.has_value()) {
    kept = areas.value();
    areas_view = std::make_unique<TensorView>(kept);
    CheckCpu(*areas_view, "areas");
    CheckSameType(*areas_view, "areas", vertices, "vertices");
    CheckShape(*areas_view, "areas", {f});
    CheckContiguous(*areas_view, "areas");
  }
  CheckThreads(threads);
  const bool narrow = IsFloat32(vertices.dtype()), wide = IsInt64(faces.dtype());
  auto run = [&](auto real, auto index) {
    return Run<decltype(real), decltype(index)>(vertices, faces, which, normals, areas_view.get(),
                                                threads);
  };
  if (narrow) return wide ? run(float{}, int64_t{}) : run(float{}, int32_t{});
  return wide ? run(double{}, int64_t{}) : run(double{}, int32_t{});
}

}  // namespace

TVM_FFI_DLL_EXPORT_TYPED_FUNC(vertex_normals, VertexNormals);
