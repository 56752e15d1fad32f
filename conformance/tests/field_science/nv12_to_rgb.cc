// SPDX-License-Identifier: Apache-2.0
// A decoded NV12 frame (a plane of luma, and one of interleaved chroma at half the size) to RGB, each plane with a
// pitch of its own. The image is allocated from the environment: "HWC" or "CHW", uint8 (rounded) or float32 (0..1).
#include <array>
#include <map>
#include <mutex>
namespace {

struct Coefficients {
  double y_offset, y_gain, rv, gu, gv, bu;
};

Coefficients make(const std::string& matrix, bool full_range) {
  const double kr = matrix == "bt601" ? 0.299 : 0.2126, kb = matrix == "bt601" ? 0.114 : 0.0722;
  const double kg = 1.0 - kr - kb;
  const double c = full_range ? 1.0 : 255.0 / 224.0;
  Coefficients k;
  k.y_offset = full_range ? 0.0 : 16.0;
  k.y_gain = full_range ? 1.0 : 255.0 / 219.0;
  k.rv = 2.0 * (1.0 - kr) * c;
  k.bu = 2.0 * (1.0 - kb) * c;
  k.gu = -2.0 * (1.0 - kb) * kb / kg * c;
  k.gv = -2.0 * (1.0 - kr) * kr / kg * c;
  return k;
}

Coefficients coefficients(const std::string& matrix, bool full_range) {
  static std::mutex lock;
  static std::map<std::string, Coefficients> cache;
  std::lock_guard<std::mutex> guard(lock);
#if BUG == 2
  const std::string key = matrix;
#else
  const std::string key = matrix + (full_range ? "/full" : "/limited");
#endif
  auto it = cache.find(key);
  if (it == cache.end()) it = cache.emplace(key, make(matrix, full_range)).first;
  return it->second;
}

// to the next integer; what is half way, but for errors of rounding, goes up
inline double nearest(double v) { return std::floor(v + 0.5 + 1e-9); }
inline double clamp255(double v) { return v < 0 ? 0 : v > 255 ? 255 : v; }

inline void store(uint8_t* p, double v) {
#if BUG == 4
  *p = static_cast<uint8_t>(static_cast<int>(nearest(v)));
#else
  *p = static_cast<uint8_t>(clamp255(nearest(v)));
#endif
}
inline void store(float* p, double v) { *p = static_cast<float>(clamp255(v) / 255.0); }

template <typename T>
void run(const uint8_t* y, int64_t y_pitch, const uint8_t* uv, int64_t uv_pitch, T* out, int64_t h, int64_t w,
         bool planar, const Coefficients& k) {
  const int64_t pixel = planar ? 1 : 3, plane = planar ? h * w : 1;
  for (int64_t i = 0; i < h; ++i) {
#if BUG == 1
    const uint8_t* c = uv + (i / 2) * y_pitch;
#else
    const uint8_t* c = uv + (i / 2) * uv_pitch;
#endif
    for (int64_t j = 0; j < w; ++j) {
      const double l = (y[i * y_pitch + j] - k.y_offset) * k.y_gain;
      const double u = c[j / 2 * 2] - 128.0, v = c[j / 2 * 2 + 1] - 128.0;
      T* p = out + (i * w + j) * pixel;
      store(p, l + k.rv * v);
      store(p + plane, l + k.gu * u + k.gv * v);
      store(p + 2 * plane, l + k.bu * u);
    }
  }
}

void check_plane(TensorView t, const char* name) {
  check_cpu(t, name);
  check_rank(t, 2, name);
  REQUIRE(same(t.dtype(), kU8), TypeError, name << " must be uint8");
  REQUIRE(t.size(1) <= 1 || strides_of(t)[1] == 1, ValueError, name << ": samples of a row must lie side by side");
}

Tensor nv12_to_rgb(TensorView y, TensorView uv, String layout, String matrix, bool full_range, DLDataType dtype) {
  check_plane(y, "y");
  check_plane(uv, "uv");
  const int64_t h = y.size(0), w = y.size(1);
  REQUIRE(h % 2 == 0 && w % 2 == 0, ValueError, "height and width must be even");
#if BUG != 6
  check_extent(uv, 0, h / 2, "uv");
#endif
  check_extent(uv, 1, w, "uv");
  const bool planar = layout == "CHW";
  REQUIRE(planar || layout == "HWC", ValueError, "unknown layout " << layout);
  REQUIRE(matrix == "bt601" || matrix == "bt709", ValueError, "unknown matrix " << matrix);
#if BUG == 3
  REQUIRE((dtype.code == kDLUInt && dtype.bits == 8) || dtype.code == kDLFloat, TypeError,
          "dtype must be uint8 or float32");
#else
  REQUIRE(same(dtype, kU8) || same(dtype, kF32), TypeError, "dtype must be uint8 or float32");
#endif
  const uint8_t* yp = data<uint8_t>(y, "y");
  const uint8_t* up = data<uint8_t>(uv, "uv");
  const int64_t y_pitch = strides_of(y)[0], uv_pitch = strides_of(uv)[0];
  const Coefficients k = coefficients(std::string(matrix), full_range);
#if BUG == 5
  Tensor out = planar ? alloc({3, h, w}, dtype) : alloc({w, h, 3}, dtype);
#else
  Tensor out = planar ? alloc({3, h, w}, dtype, y.device()) : alloc({h, w, 3}, dtype, y.device());
#endif
  if (numel(out) == 0) return out;
  if (dtype.code == kDLUInt) {
    run<uint8_t>(yp, y_pitch, up, uv_pitch, data<uint8_t>(out, "out"), h, w, planar, k);
  } else {
    run<float>(yp, y_pitch, up, uv_pitch, data<float>(out, "out"), h, w, planar, k);
  }
  return out;
}

}  // namespace

TVM_FFI_DLL_EXPORT_TYPED_FUNC(nv12_to_rgb, nv12_to_rgb);
