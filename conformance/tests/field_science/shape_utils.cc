// SPDX-License-Identifier: Apache-2.0
// Shapes: broadcasting any number of them, filling in the -1 of a reshape, and strides.
namespace {

constexpr size_t kMaxRank = 16;

bool multiply(int64_t a, int64_t b, int64_t* out) { return !__builtin_mul_overflow(a, b, out); }

int64_t product(ShapeView s, const char* name) {
  int64_t p = 1;
  bool zero = false;
  for (int64_t v : s) zero = zero || v == 0;
  if (zero) return 0;
  for (int64_t v : s) REQUIRE(multiply(p, v, &p), ValueError, name << " has too many elements");
  return p;
}

void check_shape(ShapeView s, const char* name) {
#if BUG != 5
  REQUIRE(s.size() <= kMaxRank, ValueError, name << " has more than " << kMaxRank << " dimensions");
#endif
  for (int64_t v : s) REQUIRE(v >= 0, ValueError, name << " has the negative extent " << v);
}

// broadcast_shapes(*shapes) -> Shape
void broadcast_shapes(const AnyView* args, int32_t num_args, Any* result) {
  std::vector<int64_t> out;
  for (int32_t a = 0; a < num_args; ++a) {
#if BUG == 6
    const TVMFFIAny raw = args[a].CopyToTVMFFIAny();
    if (raw.type_index < ffi::TypeIndex::kTVMFFIStaticObjectBegin) {
      TVM_FFI_THROW(TypeError) << "argument " << a << " is no shape";
    }
    const TVMFFIShapeCell* cell = TVMFFIShapeGetCellPtr(raw.v_obj);
    const ShapeView s(cell->data, cell->size);
#else
    const std::optional<Shape> given = args[a].try_cast<Shape>();
    REQUIRE(given.has_value(), TypeError, "argument " << a << " is no shape");
    const ShapeView s(given->data(), given->size());
#endif
    check_shape(s, "shape");
    if (s.size() > out.size()) {
#if BUG == 1
      out.resize(s.size(), 1);
#else
      out.insert(out.begin(), s.size() - out.size(), 1);
#endif
    }
    for (size_t i = 0; i < s.size(); ++i) {
#if BUG == 1
      int64_t& o = out[i];
#else
      int64_t& o = out[out.size() - s.size() + i];
#endif
      if (o == 1) {
        o = s[i];
      } else if (s[i] != 1 && s[i] != o) {
#if BUG == 3
        *result = Any();
        return;
#else
        TVM_FFI_THROW(ValueError) << "extents " << o << " and " << s[i] << " can't be broadcast";
#endif
      }
    }
  }
  Shape s(out);
#if BUG == 2
  TVMFFIObjectIncRef(ffi::detail::ObjectUnsafe::TVMFFIObjectPtrFromObjectRef(s));
#endif
  *result = std::move(s);
}

// infer_reshape(shape, target) -> Shape: target with its -1, if it has one, replaced
Shape infer_reshape(Shape shape, Shape target) {
  check_shape(shape, "shape");
#if BUG != 5
  REQUIRE(target.size() <= kMaxRank, ValueError, "target has more than " << kMaxRank << " dimensions");
#endif
  const int64_t total = product(shape, "shape");
  int64_t out[kMaxRank];
  int64_t known = 1, at = -1;
  bool zero = false;
  for (size_t i = 0; i < target.size(); ++i) {
    const int64_t v = target[i];
    REQUIRE(v >= -1, ValueError, "extents of target must be -1 or more");
    out[i] = v;
    if (v == -1) {
      REQUIRE(at < 0, ValueError, "only one extent of target may be -1");
      at = static_cast<int64_t>(i);
    } else if (v == 0) {
      zero = true;
    } else {
      REQUIRE(multiply(known, v, &known), ValueError, "target has too many elements");
    }
  }
  if (zero) known = 0;
  if (at >= 0) {
#if BUG != 4
    REQUIRE(known != 0, ValueError, "the -1 of target could be anything");
#endif
    REQUIRE(total % known == 0, ValueError, total << " elements can't be reshaped so");
    out[at] = total / known;
  } else {
    REQUIRE(known == total, ValueError, "target has " << known << " elements, not " << total);
  }
  return Shape(out, out + target.size());
}

// strides_of_shape(shape, order) -> Shape, in elements
Shape strides_of_shape(Shape shape, String order) {
  check_shape(shape, "shape");
  REQUIRE(order == "C" || order == "F", ValueError, "unknown order " << order);
  const size_t n = shape.size();
  int64_t out[kMaxRank];
  int64_t step = 1;
  for (size_t k = 0; k < n; ++k) {
    const size_t i = order == "C" ? n - 1 - k : k;
    out[i] = step;
    if (k + 1 < n) {
      REQUIRE(multiply(step, shape[i], &step), ValueError, "strides are too large");
    }
  }
  return Shape(out, out + n);
}

}  // namespace

EXPORT_PACKED(broadcast_shapes, broadcast_shapes);
TVM_FFI_DLL_EXPORT_TYPED_FUNC(infer_reshape, infer_reshape);
TVM_FFI_DLL_EXPORT_TYPED_FUNC(strides_of_shape, strides_of_shape);
