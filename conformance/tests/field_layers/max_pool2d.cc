// SPDX-License-Identifier: Apache-2.0
// Two-dimensional max pooling with the places of the maxima, for NCHW tensors of any strides
// (channels-last ones among them). Windows never choose what is padded.
namespace {

using namespace set;

using Pair = ffi::Tuple<int64_t, int64_t>;

constexpr int64_t kMost = 2147483647;  // of any option, so that no product overflows

struct Axis {
  int64_t in, kernel, stride, padding, dilation, out;
};

int64_t Within(int64_t v, int64_t least, const char* name) {
  if (v < least || v > kMost) {
    TVM_FFI_THROW(ValueError) << name << " must be from " << least << " to " << kMost << ", not "
                              << v;
  }
  return v;
}

Axis MakeAxis(int64_t in, int64_t kernel, int64_t stride, int64_t padding, int64_t dilation,
              bool ceil_mode) {
  Axis a{in, Within(kernel, 1, "kernel_size"), Within(stride, 1, "stride"),
         Within(padding, 0, "padding"), Within(dilation, 1, "dilation"), 0};
  if (in < 1) TVM_FFI_THROW(ValueError) << "x must have rows and columns";
#if BUG == 7
  const int64_t most_padding = kernel;
#else
  const int64_t most_padding = kernel / 2;
#endif
  if (padding > most_padding) {
    TVM_FFI_THROW(ValueError) << "padding must be at most half of kernel_size, " << kernel
                              << ", but is " << padding;
  }
  const int64_t free = in + 2 * padding - dilation * (kernel - 1) - 1;
  if (free < 0) {
    TVM_FFI_THROW(ValueError) << "x is smaller than a window: " << in << " with padding " << padding
                              << ", for kernel_size " << kernel << " and dilation " << dilation;
  }
  a.out = free / stride + 1;
  if (ceil_mode && free % stride != 0) {
    ++a.out;
#if BUG != 1
    // the last window must begin within x or the padding before it
    if ((a.out - 1) * stride >= in + padding) --a.out;
#endif
  }
  return a;
}

// The elements of window o that lie within x: begin, begin + dilation, ... below end.
void Window(const Axis& a, int64_t o, int64_t* begin, int64_t* end) {
  int64_t start = o * a.stride - a.padding;
  *end = std::min(a.in, start + a.dilation * (a.kernel - 1) + 1);
  if (start < 0) start += (-start + a.dilation - 1) / a.dilation * a.dilation;
  *begin = start;
}

template <typename V>
double Least() {
  return std::is_same<V, int8_t>::value ? -128.0 : -std::numeric_limits<double>::infinity();
}

template <typename V>
void Pool(const Arg& x, const Axis& rows, const Axis& columns, V* out, char* places,
          size_t place_bytes) {
  const int64_t planes = x.size(0) * x.size(1);
  for (int64_t plane = 0; plane < planes; ++plane) {
#if BUG == 3
    const V* from = x.as<V>() + plane * rows.in * columns.in;
#else
    const V* from = x.as<V>() + plane / x.size(1) * x.stride(0) + plane % x.size(1) * x.stride(1);
#endif
    for (int64_t oh = 0; oh < rows.out; ++oh) {
      int64_t top, bottom;
      Window(rows, oh, &top, &bottom);
      for (int64_t ow = 0; ow < columns.out; ++ow) {
        int64_t left, right;
        Window(columns, ow, &left, &right);
#if BUG == 4
        double best = 0;
#else
        double best = Least<V>();
#endif
        int64_t place = -1;
        for (int64_t ih = top; ih < bottom; ih += rows.dilation) {
#if BUG == 9
          const int64_t step = rows.dilation;
#else
          const int64_t step = columns.dilation;
#endif
          for (int64_t iw = left; iw < right; iw += step) {
            const double v = Get(from[ih * x.stride(2) + iw * x.stride(3)]);
#if BUG == 5
            const bool better = v > best;
#else
            const bool better = v > best || (std::isnan(v) && !std::isnan(best));
#endif
            if (place < 0 || better) {
#if BUG == 4
              if (better) best = v;
#else
              best = v;
#endif
#if BUG == 2
              place = ih * (columns.in + 2 * columns.padding) + iw;
#else
              place = ih * columns.in + iw;
#endif
            }
          }
        }
        *out++ = Make<V>::From(best);
        if (place_bytes == 4) {
          const int32_t narrow = static_cast<int32_t>(place);
          std::memcpy(places, &narrow, 4);
        } else {
          std::memcpy(places, &place, 8);
        }
        places += place_bytes;
      }
    }
  }
}

ffi::Tuple<ffi::Tensor, ffi::Tensor> MaxPool2d(DLTensor* x_arg, Pair kernel_size,
                                               ffi::Optional<Pair> stride_arg, Pair padding,
                                               Pair dilation, bool ceil_mode) {
  const Arg x(x_arg, "x", {Type::kF32, Type::kF16, Type::kI8}, 4, Layout::kStrided);
#if BUG == 6
  const Pair stride = stride_arg.has_value() ? stride_arg.value() : Pair(int64_t{1}, int64_t{1});
#else
  const Pair stride = stride_arg.has_value() ? stride_arg.value() : kernel_size;
#endif
  const Axis rows = MakeAxis(x.size(2), kernel_size.get<0>(), stride.get<0>(), padding.get<0>(),
                             dilation.get<0>(), ceil_mode);
  const Axis columns = MakeAxis(x.size(3), kernel_size.get<1>(), stride.get<1>(), padding.get<1>(),
                                dilation.get<1>(), ceil_mode);
  const ffi::Shape shape{x.size(0), x.size(1), rows.out, columns.out};
  const DLDevice device = x.raw()->device;
#if BUG == 8
  const DLDataType place_type{kDLInt, 32, 1};
#else
  const DLDataType place_type{kDLInt, 64, 1};
#endif
  ffi::Tensor out = ffi::Tensor::FromNDAlloc(HostAlloc(), shape, x.raw()->dtype, device);
  ffi::Tensor places = ffi::Tensor::FromNDAlloc(HostAlloc(), shape, place_type, device);
  char* place_data = static_cast<char*>(Pointer(places)->data);
  void* data = Pointer(out)->data;
  const size_t bytes = place_type.bits / 8;
  switch (x.type()) {
    case Type::kF32:
      Pool(x, rows, columns, static_cast<float*>(data), place_data, bytes);
      break;
    case Type::kF16:
      Pool(x, rows, columns, static_cast<Half*>(data), place_data, bytes);
      break;
    default:
      Pool(x, rows, columns, static_cast<int8_t*>(data), place_data, bytes);
  }
  return ffi::Tuple<ffi::Tensor, ffi::Tensor>(out, places);
}

}  // namespace

TVM_FFI_DLL_EXPORT_TYPED_FUNC(max_pool2d, MaxPool2d);
