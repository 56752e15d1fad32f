// SPDX-License-Identifier: Apache-2.0
// Infers the shape of the output of a two-dimensional convolution.
namespace {

using namespace set;
using ffi::Array;
using ffi::Optional;
using ffi::Shape;
using ffi::String;
using ffi::Variant;

using Pair = Variant<int64_t, Array<int64_t>>;
using Padding = Variant<String, int64_t, Array<int64_t>>;

constexpr int64_t kMost = (int64_t{1} << 31) - 1;

int64_t Check(const char* name, int64_t value, int64_t least) {
  if (value < least || value > kMost) {
    TVM_FFI_THROW(ValueError) << name << " must be from " << least << " to " << kMost << ", is "
                              << value;
  }
  return value;
}

struct Two {
  int64_t h = 1;
  int64_t w = 1;
};

Two ReadPair(const char* name, const Optional<Pair>& given) {
  Two two;
  if (!given.has_value()) return two;
  const Pair value = given.value();
  if (auto number = value.as<int64_t>()) {
    two.h = two.w = Check(name, *number, 1);
    return two;
  }
  const Array<int64_t> list = value.get<Array<int64_t>>();
  if (list.size() != 2) {
    TVM_FFI_THROW(ValueError) << name << " must have 2 numbers, has " << list.size();
  }
  two.h = Check(name, list[0], 1);
#if BUG == 6
  two.w = list[1];
#else
  two.w = Check(name, list[1], 1);
#endif
  return two;
}

struct Pads {
  bool same = false;
  int64_t h = 0;  // both sides together
  int64_t w = 0;
};

Pads ReadPadding(const Padding& given) {
  Pads pads;
  if (auto text = given.as<String>()) {
    const std::string name((*text).data(), (*text).size());
    if (name != "same" && name != "valid") {
      TVM_FFI_THROW(ValueError) << "padding must be same or valid, is \"" << name << "\"";
    }
    pads.same = name == "same";
  } else if (auto number = given.as<int64_t>()) {
    pads.h = pads.w = 2 * Check("padding", *number, 0);
  } else {
    const Array<int64_t> list = given.get<Array<int64_t>>();
    const size_t n = list.size();
    if (n != 2 && n != 4) {
      TVM_FFI_THROW(ValueError) << "padding must have 2 or 4 numbers, has " << n;
    }
    for (size_t i = 0; i < n; ++i) Check("padding", list[i], 0);
    if (n == 2) {
      pads.h = 2 * list[0];
      pads.w = 2 * list[1];
    } else {  // top, left, bottom, right
#if BUG == 7
      pads.h = list[0] + list[1];
      pads.w = list[2] + list[3];
#else
      pads.h = list[0] + list[2];
      pads.w = list[1] + list[3];
#endif
    }
  }
  return pads;
}

int64_t Extent(const char* name, int64_t in, int64_t kernel, int64_t stride, int64_t dilation,
               const Pads& pads, int64_t pad) {
  if (pads.same) return BUG == 3 ? in / stride : (in + stride - 1) / stride;
  const int64_t room = in + pad - dilation * (kernel - 1) - 1;
  const int64_t out = room / stride + 1;
#if BUG == 2
  if (out < 1) {
#else
  if (room < 0) {
#endif
    TVM_FFI_THROW(ValueError) << "weight is larger than x with its padding, in its " << name;
  }
  return out;
}

Shape Conv2dShape(Shape x, Shape weight, Optional<Pair> stride, Padding padding,
                  Optional<Pair> dilation, int64_t groups, String layout) {
  if (x.size() != 4) TVM_FFI_THROW(ValueError) << "x must have 4 extents, has " << x.size();
  if (weight.size() != 4) {
    TVM_FFI_THROW(ValueError) << "weight must have 4 extents, has " << weight.size();
  }
  const std::string order(layout.data(), layout.size());
  if (order != "NCHW" && order != "NHWC") {
    TVM_FFI_THROW(ValueError) << "layout must be NCHW or NHWC, is \"" << order << "\"";
  }
  const bool last = order == "NHWC";
  Check("x", x[0], 0);
  for (int i = 1; i < 4; ++i) Check("x", x[i], 1);
  for (int i = 0; i < 4; ++i) Check("weight", weight[i], 1);
  const int64_t channels = last ? x[3] : x[1];
  const int64_t height = last ? x[1] : x[2];
  const int64_t width = last ? x[2] : x[3];
  const Two steps = ReadPair("stride", stride);
  const Two spread = ReadPair("dilation", dilation);
  const Pads pads = ReadPadding(padding);
  Check("groups", groups, 1);
#if BUG == 5
  const bool fits = channels == weight[1] * groups;
#else
  const bool fits = channels == weight[1] * groups && weight[0] % groups == 0;
#endif
  if (!fits) {
    TVM_FFI_THROW(ValueError) << "groups " << groups << " do not fit " << channels
                              << " channels and weight of " << weight[0] << " by " << weight[1];
  }
  const int64_t h = Extent("height", height, weight[2], steps.h, spread.h, pads, pads.h);
  const int64_t w =
      Extent("width", width, weight[3], steps.w, BUG == 4 ? spread.h : spread.w, pads, pads.w);
  if (last && BUG != 1) return Shape({x[0], h, w, weight[0]});
  return Shape({x[0], weight[0], h, w});
}

}  // namespace

TVM_FFI_DLL_EXPORT_TYPED_FUNC(conv2d_shape, Conv2dShape);
