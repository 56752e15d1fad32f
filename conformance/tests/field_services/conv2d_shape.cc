// SPDX-License-Identifier: Apache-2.0
// Shape of the result of a 2D convolution, as graph compilers infer it.
namespace {

using namespace set;

using IntOrPair = Variant<int64_t, Shape>;
using Padding = Variant<String, int64_t, Shape>;

constexpr int64_t kMaxExtent = std::numeric_limits<int32_t>::max();
constexpr int64_t kMaxStep = 1 << 16;

#if BUG == 7
using Extent = int32_t;
#else
using Extent = int64_t;
#endif

struct Pair {
  int64_t h, w;
};

void CheckRange(int64_t value, int64_t least, int64_t most, const char* name) {
  if (value < least || value > most) {
    TVM_FFI_THROW(ValueError) << name << " must be from " << least << " to " << most << ", not "
                              << value;
  }
}

Pair ReadPair(const IntOrPair& value, const char* name) {
  Pair pair;
  if (auto number = value.as<int64_t>()) {
    pair = {*number, *number};
  } else {
    Shape shape = value.get<Shape>();
#if BUG == 9
    if (shape.size() < 2) {
#else
    if (shape.size() != 2) {
#endif
      TVM_FFI_THROW(ValueError) << name << " must have 2 numbers, not " << shape.size();
    }
    pair = {shape[0], shape[1]};
  }
  CheckRange(pair.h, 1, kMaxStep, name);
  CheckRange(pair.w, 1, kMaxStep, name);
  return pair;
}

struct Pads {
  bool same = false;
  int64_t top = 0, left = 0, bottom = 0, right = 0;
};

Pads ReadPads(const Padding& value) {
  Pads pads;
  if (auto text = value.as<String>()) {
    if (*text == "same") {
      pads.same = true;
    } else if (*text != "valid") {
      TVM_FFI_THROW(ValueError) << "padding must be \"same\", \"valid\" or numbers, not \""
                                << std::string(text->data(), text->size()) << "\"";
    }
    return pads;
  }
  if (auto number = value.as<int64_t>()) {
    pads.top = pads.left = pads.bottom = pads.right = *number;
  } else {
    Shape shape = value.get<Shape>();
    if (shape.size() == 2) {
      pads.top = pads.bottom = shape[0];
      pads.left = pads.right = shape[1];
    } else if (shape.size() == 4) {
      pads.top = shape[0];
      pads.left = shape[BUG == 5 ? 2 : 1];
      pads.bottom = shape[BUG == 5 ? 1 : 2];
      pads.right = shape[3];
    } else {
      TVM_FFI_THROW(ValueError) << "padding must have 2 or 4 numbers, not " << shape.size();
    }
  }
  for (int64_t pad : {pads.top, pads.left, pads.bottom, pads.right}) {
    CheckRange(pad, 0, kMaxStep, "padding");
  }
  return pads;
}

int64_t Slide(int64_t size, int64_t kernel, int64_t stride, int64_t dilation, bool same,
              int64_t pads) {
  if (same) return BUG == 6 ? size / stride : (size + stride - 1) / stride;
  Extent padded = static_cast<Extent>(size + pads);
  Extent reach = static_cast<Extent>((kernel - 1) * dilation + 1);
#if BUG != 4
  if (reach > padded) {
    TVM_FFI_THROW(ValueError) << "weight reaches over " << reach << " elements, x has " << padded
                              << " with its padding";
  }
#endif
  return (padded - reach) / stride + 1;
}

Shape Conv2dShape(Shape x, Shape weight, IntOrPair stride, Padding padding, IntOrPair dilation,
                  int64_t groups, String layout) {
  if (x.size() != 4) TVM_FFI_THROW(ValueError) << "x must have 4 extents, not " << x.size();
  if (weight.size() != 4) {
    TVM_FFI_THROW(ValueError) << "weight must have 4 extents, not " << weight.size();
  }
  bool last = layout == "NHWC";
#if BUG != 8
  if (!last && layout != "NCHW") {
    TVM_FFI_THROW(ValueError) << "layout must be \"NCHW\" or \"NHWC\", not \""
                              << std::string(layout.data(), layout.size()) << "\"";
  }
#endif
  for (int64_t extent : x) CheckRange(extent, 1, kMaxExtent, "x");
  for (int64_t extent : weight) CheckRange(extent, 1, kMaxExtent, "weight");
  CheckRange(groups, 1, kMaxExtent, "groups");
  int64_t n = x[0], c = x[last ? 3 : 1], h = x[last ? 1 : 2], w = x[last ? 2 : 3];
  if (c % groups != 0 || c / groups != weight[1]) {
    TVM_FFI_THROW(ValueError) << "weight must have " << c << " / " << groups
                              << " channels of x for each group, not " << weight[1];
  }
#if BUG != 3
  if (weight[0] % groups != 0) {
    TVM_FFI_THROW(ValueError) << "groups must divide the " << weight[0] << " filters of weight";
  }
#endif
  Pair by = ReadPair(stride, "stride");
  Pair apart = ReadPair(dilation, "dilation");
  Pads pads = ReadPads(padding);

  int64_t rows = Slide(h, weight[2], by.h, apart.h, pads.same, pads.top + pads.bottom);
  int64_t columns = Slide(w, weight[3], by.w, BUG == 2 ? apart.h : apart.w, pads.same,
                          pads.left + pads.right);
#if BUG == 1
  return Shape({n, weight[0], rows, columns});
#else
  if (last) return Shape({n, rows, columns, weight[0]});
  return Shape({n, weight[0], rows, columns});
#endif
}

}  // namespace

TVM_FFI_DLL_EXPORT_TYPED_FUNC(conv2d_shape, Conv2dShape);
