// SPDX-License-Identifier: Apache-2.0
// mrope_index(tokens, grids, image_token, merge, device) -> (positions int64 [3, n], delta): positions in time, height and
// width of the tokens of a prompt with images and videos (grids t x h x w of patches, merged `merge` x `merge`).
using namespace set;

static int64_t token(const TensorView& t, int64_t i) {
  return t.dtype().bits == 32 ? int64_t(ptr<int32_t>(t)[i]) : ptr<int64_t>(t)[i];
}

static Tuple<Tensor, int64_t> mrope_index(TensorView tokens, Array<Shape> grids, int64_t image_token, int64_t merge, DLDevice device) {
  DLDataType t = tokens.dtype();
  REQUIRE(same(t, kI32) || same(t, kI64), TypeError, "tokens must be int32 or int64");
  need(tokens, "tokens", t, 1);
#if BUG != 4
  REQUIRE(same(device, tokens.device()), ValueError, "device must be that of tokens");
#endif
  REQUIRE(image_token >= 0 && image_token <= 2147483647, ValueError, "image_token must be from 0 to 2147483647");
  REQUIRE(merge >= 1 && merge <= 16, ValueError, "merge must be from 1 to 16");
  const int64_t n = tokens.size(0);
#if BUG == 1
  if (!grids.empty()) REQUIRE(grids[0].size() == 3, ValueError, "a grid must have 3 extents");
#endif
  for (const Shape& g : grids) {
#if BUG != 1
    REQUIRE(g.size() == 3, ValueError, "a grid must have 3 extents");
#endif
    for (int k = 0; k < 3; ++k) REQUIRE(g.data()[k] >= 1, ValueError, "the extents of a grid must be positive");
#if BUG == 2
    REQUIRE(g.data()[1] % merge == 0, ValueError, "height and width of a grid must be multiples of merge");
#else
    REQUIRE(g.data()[1] % merge == 0 && g.data()[2] % merge == 0, ValueError, "height and width of a grid must be multiples of merge");
#endif
  }
  std::vector<int64_t> shape{3, n};
  DLTensor prototype{};
  prototype.device = tokens.device();
#if BUG == 5
  prototype.dtype = t;
#else
  prototype.dtype = kI64;
#endif
  prototype.ndim = 2;
  prototype.shape = shape.data();
  TVMFFIObjectHandle handle = nullptr;
  REQUIRE(TVMFFIEnvTensorAlloc(&prototype, &handle) == 0, RuntimeError, "no memory for the positions");
#if BUG != 6
  Tensor out(tvm::ffi::detail::ObjectUnsafe::ObjectPtrFromOwned<TensorObj>(static_cast<TVMFFIObject*>(handle)));
  char* base = static_cast<char*>(out.data_ptr());
#else
  char* base = static_cast<char*>(TVMFFITensorGetDLTensorPtr(handle)->data);
#endif
  const bool wide = prototype.dtype.bits == 64;
  auto put = [&](int64_t axis, int64_t i, int64_t v) {
    if (wide) {
      reinterpret_cast<int64_t*>(base)[axis * n + i] = v;
    } else {
      reinterpret_cast<int32_t*>(base)[axis * n + i] = int32_t(v);
    }
  };
  int64_t pos = 0, i = 0;
  size_t next = 0;
  while (i < n) {
    if (token(tokens, i) != image_token) {
      for (int a = 0; a < 3; ++a) put(a, i, pos);
      ++pos;
      ++i;
      continue;
    }
    REQUIRE(next < grids.size(), ValueError, "tokens have more images than grids");
    Shape g = grids[next++];
    const int64_t T = g.data()[0], H = g.data()[1] / merge, W = g.data()[2] / merge, left = n - i;
#if BUG == 3
    REQUIRE(T <= left + 1 && H <= left + 1 && W <= left + 1 && T * H <= left + 1 && T * H * W <= left + 1, ValueError,
            "an image has fewer tokens than its grid");
#else
    REQUIRE(T <= left && H <= left && W <= left && T * H <= left && T * H * W <= left, ValueError, "an image has fewer tokens than its grid");
#endif
    const int64_t need = T * H * W;
    for (int64_t k = 0; k < std::min(need, left); ++k)
      REQUIRE(token(tokens, i + k) == image_token, ValueError, "an image has fewer tokens than its grid");
    for (int64_t k = 0; k < need; ++k) {
      put(0, i + k, pos + k / (H * W));
      put(1, i + k, pos + k / W % H);
      put(2, i + k, pos + k % W);
    }
#if BUG == 7
    pos += std::max(H, W);
#else
    pos += std::max(T, std::max(H, W));
#endif
    i += need;
  }
  REQUIRE(next == grids.size(), ValueError, "there are more grids than images in tokens");
#if BUG == 6
  Tensor out(tvm::ffi::detail::ObjectUnsafe::ObjectPtrFromOwned<TensorObj>(static_cast<TVMFFIObject*>(handle)));
#endif
  return Tuple<Tensor, int64_t>(out, pos - n);
}
TVM_FFI_DLL_EXPORT_TYPED_FUNC(mrope_index, mrope_index);
