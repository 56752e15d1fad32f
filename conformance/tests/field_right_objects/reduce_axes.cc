// SPDX-License-Identifier: Apache-2.0
// sum, max or mean of a tensor over some of its axes: one, a list, or all (None). Any strides.
namespace {

using tvm::ffi::Array;
using tvm::ffi::Optional;
using tvm::ffi::String;
using tvm::ffi::Tensor;
using tvm::ffi::Variant;
using Axes = Variant<int64_t, Array<int64_t>>;

constexpr int kMostAxes = 16;

uint32_t Mask(const Optional<Axes>& axes, int ndim) {
  if (!axes.has_value()) return (uint32_t{1} << ndim) - 1;
  std::vector<int64_t> list;
  const Axes given = *axes;
  if (std::optional<int64_t> one = given.as<int64_t>()) {
    list.push_back(*one);
  } else {
    for (int64_t axis : given.get<Array<int64_t>>()) list.push_back(axis);
  }
  for (int64_t axis : list) {
    if (axis < -ndim || axis >= ndim) TVM_FFI_THROW(IndexError) << "unknown axis " << axis;
  }
  uint32_t mask = 0;
  for (int64_t axis : list) {
    const uint32_t bit = uint32_t{1} << (axis < 0 ? axis + ndim : axis);
    if (mask & bit) TVM_FFI_THROW(ValueError) << "axis " << axis << " is named twice";
    mask |= bit;
  }
  return mask;
}

struct Walk {
  int64_t extent[kMostAxes], step[kMostAxes];
  int ndim = 0;

  void Push(int64_t n, int64_t by) {
    extent[ndim] = n;
    step[ndim++] = by;
  }

  template <typename F>
  void Each(int64_t offset, F&& f, int axis = 0) const {
    if (axis == ndim) return f(offset);
    for (int64_t i = 0; i < extent[axis]; ++i) Each(offset + i * step[axis], f, axis + 1);
  }
};

Tensor Reduce(DLTensor* x, String how, Optional<Axes> axes, Optional<bool> keep) {
  if (x == nullptr) TVM_FFI_THROW(TypeError) << "x must be a tensor";
  const double* from = kit::Cells<double>(*x, "x");
  if (x->ndim > kMostAxes) TVM_FFI_THROW(ValueError) << "x has too many dimensions";
  const std::string name(kit::View(how));
  if (name != "sum" && name != "max" && name != "mean") {
    TVM_FFI_THROW(ValueError) << "how must be sum, max or mean, not '" << name << "'";
  }
  const uint32_t mask = Mask(axes, x->ndim);
  Walk kept, gone;
  std::vector<int64_t> shape;
  int64_t count = 1;
  for (int i = 0; i < x->ndim; ++i) {
    const bool reduced = (mask >> i) & 1;
    (reduced ? gone : kept).Push(x->shape[i], kit::Step(*x, i));
    if (reduced) count *= x->shape[i];
    if (!reduced || keep.value_or(false)) shape.push_back(reduced ? 1 : x->shape[i]);
  }
  if (count == 0 && name != "sum") TVM_FFI_THROW(ValueError) << name << " of no elements";

  Tensor out = kit::NewTensor(tvm::ffi::ShapeView(shape.data(), shape.size()), x->dtype);
  double* to = static_cast<double*>(out.data_ptr());
  const bool largest = name == "max", mean = name == "mean";
  kept.Each(0, [&](int64_t start) {
    double value = largest ? -std::numeric_limits<double>::infinity() : 0;
    gone.Each(start, [&](int64_t at) {
      const double v = from[at];
      if (!largest) {
        value += v;
      } else if (v > value || std::isnan(v)) {
        value = v;
      }
    });
    *to++ = mean ? value / static_cast<double>(count) : value;
  });
  return out;
}

}  // namespace

TVM_FFI_DLL_EXPORT_TYPED_FUNC(reduce_axes, Reduce);
