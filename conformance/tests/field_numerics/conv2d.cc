// SPDX-License-Identifier: Apache-2.0
// conv2d: two-dimensional convolution (cross-correlation) of images in NCHW.
//
// x: (n, groups * ci, h, w), w: (groups * co, ci, kh, kw), bias: (groups * co) or None; all of float32
// or float64, contiguous. stride, dilation: two numbers from 1 on, padding: two from 0 on, for rows
// and columns; up to 2^31 - 1 each. Zeros are padded, on both sides, fewer than the dilated kernel
// has, and the dilated kernel must fit in the padded image. groups: 1 to 1024.
// activation: "none", "relu" or "relu6"; NaN stays NaN.
// Returns a new tensor (n, groups * co, oh, ow), oh = (h + 2 padding - dilation (kh - 1) - 1) / stride
// + 1, rounded down. Sums are taken in float64.
namespace {

using namespace set;

enum class Activation { kNone, kRelu, kRelu6 };

double Act(double v, Activation a) {
#if BUG == 5
  if (a == Activation::kRelu) return std::max(0.0, v);
#endif
  if (a == Activation::kNone) return v;
  if (v < 0) return 0;
  if (a == Activation::kRelu6 && v > 6) return 6;
  return v;
}

struct Axis {
  int64_t in, kernel, stride, padding, dilation, out;
};

Axis MakeAxis(const char* what, int64_t in, int64_t kernel, int64_t stride, int64_t padding,
              int64_t dilation) {
  constexpr int64_t most = std::numeric_limits<int32_t>::max();
  SET_CHECK(in <= most, ValueError) << "x has too many " << what;
  SET_CHECK(kernel >= 1 && kernel <= most, ValueError)
      << "w must have 1 to " << most << " " << what << ", not " << kernel;
  SET_CHECK(stride >= 1 && stride <= most, ValueError)
      << "stride must be 1 to " << most << ", not " << stride;
  SET_CHECK(dilation >= 1 && dilation <= most, ValueError)
      << "dilation must be 1 to " << most << ", not " << dilation;
  const int64_t reach = dilation * (kernel - 1);
  SET_CHECK(padding >= 0 && padding <= std::min(reach, most), ValueError)
      << "padding must be 0 to " << std::min(reach, most)
      << ", less than the dilated kernel, not " << padding;
  SET_CHECK(reach < in + 2 * padding, ValueError)
      << "w with its dilation has " << reach + 1 << " " << what << ", the padded x only "
      << in + 2 * padding;
  return Axis{in, kernel, stride, padding, dilation, (in + 2 * padding - reach - 1) / stride + 1};
}

#if BUG == 8
// Kernels are converted once: those of a model don't change.
const std::vector<double>& Packed(const void* w, const std::vector<double>& fresh) {
  static std::mutex lock;
  static auto& cache = *new std::unordered_map<const void*, std::vector<double>>();
  std::lock_guard<std::mutex> guard(lock);
  std::vector<double>& packed = cache[w];
  if (packed.size() != fresh.size()) packed = fresh;
  return packed;
}
#endif

template <typename T>
void Run(const DLTensor* tx, const DLTensor* tw, const DLTensor* tbias, const DLTensor* tout,
         const Axis& rows, const Axis& cols, int64_t groups, Activation activation) {
  const int64_t n = tx->shape[0], c = tx->shape[1], o = tw->shape[0], ci = tw->shape[1];
  [[maybe_unused]] const int64_t co = o / groups;
  const T* x = Data<T>(tx);
  const T* bias = tbias != nullptr ? Data<T>(tbias) : nullptr;
  T* out = Data<T>(tout);
#if BUG == 8
  const std::vector<double> w =
      Packed(Data<T>(tw), std::vector<double>(Data<T>(tw), Data<T>(tw) + Count(tw)));
#else
  const T* w = Data<T>(tw);
#endif
  for (int64_t in = 0; in < n; ++in) {
    for (int64_t io = 0; io < o; ++io) {
#if BUG == 3
      const int64_t first = 0;
#else
      const int64_t first = io / co * ci;  // the first channel of the group
#endif
      for (int64_t y = 0; y < rows.out; ++y) {
        for (int64_t z = 0; z < cols.out; ++z) {
          double sum = bias != nullptr ? static_cast<double>(bias[io]) : 0.0;
          for (int64_t ic = 0; ic < ci; ++ic) {
            const T* plane = x + (in * c + first + ic) * rows.in * cols.in;
            for (int64_t ky = 0; ky < rows.kernel; ++ky) {
              const int64_t iy = y * rows.stride - rows.padding + ky * rows.dilation;
              if (iy < 0 || iy >= rows.in) continue;
              for (int64_t kx = 0; kx < cols.kernel; ++kx) {
                const int64_t dilation = BUG == 1 ? rows.dilation : cols.dilation;
                const int64_t iz = z * cols.stride - cols.padding + kx * dilation;
                if (iz < 0 || (BUG == 9 ? iz > cols.in : iz >= cols.in)) continue;
                sum += static_cast<double>(plane[iy * cols.in + iz]) *
                       static_cast<double>(w[((io * ci + ic) * rows.kernel + ky) * cols.kernel + kx]);
              }
            }
          }
          out[((in * o + io) * rows.out + y) * cols.out + z] =
              static_cast<T>(Act(sum, activation));
        }
      }
    }
  }
}

void CheckPair(const ffi::Shape& s, const char* name) {
  SET_CHECK(s.size() == 2, ValueError)
      << name << " must be two numbers, for rows and columns, not " << s.size();
}

ffi::Tensor Conv2d(DLTensor* x, DLTensor* w, ffi::Optional<ffi::Tensor> bias, ffi::Shape stride,
                   ffi::Shape padding, ffi::Shape dilation, int64_t groups,
                   ffi::String activation) {
  CheckTensor(x, "x", {kF32, kF64});
  CheckTensor(w, "w", {x->dtype});
  CheckRank(x, "x", 4);
  CheckRank(w, "w", 4);
#if BUG != 7
  CheckCompact(x, "x");
#endif
  CheckCompact(w, "w");
  CheckPair(stride, "stride");
  CheckPair(padding, "padding");
  CheckPair(dilation, "dilation");
  SET_CHECK(groups >= 1 && groups <= 1024, ValueError)
      << "groups must be 1 to 1024, not " << groups;
  const int64_t n = x->shape[0], c = x->shape[1], o = w->shape[0], ci = w->shape[1];
#if BUG == 6
  SET_CHECK(c % groups == 0 && c / groups >= ci, ValueError)
#else
  SET_CHECK(c % groups == 0 && c / groups == ci, ValueError)
#endif
      << "w must have the channels of x by groups, " << c << " / " << groups << ", not " << ci;
  SET_CHECK(o % groups == 0, ValueError)
      << "w must have a multiple of groups = " << groups << " outputs, not " << o;
  const DLTensor* tbias = Raw(bias);
  if (tbias != nullptr) {
    CheckTensor(tbias, "bias", {x->dtype});
#if BUG == 4
    CheckRank(tbias, "bias", 1);
#else
    CheckShape(tbias, "bias", {o});
#endif
    CheckCompact(tbias, "bias");
  }
  Activation how = Activation::kNone;
  if (activation == "relu") {
    how = Activation::kRelu;
  } else if (activation == "relu6") {
    how = Activation::kRelu6;
  } else {
    SET_CHECK(activation == "none", ValueError)
        << "activation must be \"none\", \"relu\" or \"relu6\", not \""
        << std::string(activation.data(), activation.size()) << "\"";
  }
  const Axis rows =
      MakeAxis("rows", x->shape[2], w->shape[2], stride[0], padding[0], dilation[0]);
  const Axis cols = MakeAxis("columns", x->shape[3], w->shape[3], stride[1],
                             padding[BUG == 2 ? 0 : 1], dilation[1]);
  const int64_t shape[4] = {n, o, rows.out, cols.out};
  ffi::Tensor out = NewTensor(ffi::ShapeView(shape, 4), x->dtype);
  if (Same(x->dtype, kF32)) {
    Run<float>(x, w, tbias, out.GetDLTensorPtr(), rows, cols, groups, how);
  } else {
    Run<double>(x, w, tbias, out.GetDLTensorPtr(), rows, cols, groups, how);
  }
  return out;
}

TVM_FFI_DLL_EXPORT_TYPED_FUNC(conv2d, Conv2d);

}  // namespace
