// SPDX-License-Identifier: Apache-2.0
// Connected components of label maps: neighbours of one value that is not 0 are a component. A batch of
// images; components are numbered as a raster scan meets them, and small ones are dropped.

namespace {

struct Box {
  int32_t y0, x0, y1, x1;
};

int32_t Root(std::vector<int32_t>& parent, int32_t i) {
  while (parent[i] != i) {
    parent[i] = parent[parent[i]];
    i = parent[i];
  }
  return i;
}

void Join(std::vector<int32_t>& parent, int32_t a, int32_t b) {
  a = Root(parent, a);
  b = Root(parent, b);
  if (a < b) parent[b] = a;
  else parent[a] = b;
}

struct Scratch {
  std::vector<int32_t> parent;
  std::vector<int64_t> area;
  std::vector<int32_t> number;
};

#if BUG == 6
inline uint8_t Value(int32_t v) { return static_cast<uint8_t>(v); }
#else
inline int32_t Value(int32_t v) { return v; }
#endif

template <class T>
void Label(const T* image, const uint8_t* mask, int64_t h, int64_t w, bool eight, int64_t min_area, Scratch& s,
           int32_t* labels, std::vector<Box>* boxes) {
  int32_t n = static_cast<int32_t>(h * w);
  s.parent.resize(n);
  s.area.assign(n, 0);
  s.number.assign(n, 0);
  auto value = [&](int64_t i) -> int32_t { return mask && !mask[i] ? 0 : Value(image[i]); };
  for (int64_t y = 0; y < h; ++y) {
    for (int64_t x = 0; x < w; ++x) {
      int32_t i = static_cast<int32_t>(y * w + x);
      s.parent[i] = i;
      int32_t v = value(i);
      if (v == 0) continue;
      if (x > 0 && value(i - 1) == v) Join(s.parent, i, i - 1);
      if (y > 0) {
        if (value(i - w) == v) Join(s.parent, i, static_cast<int32_t>(i - w));
        if (eight && x > 0 && value(i - w - 1) == v) Join(s.parent, i, static_cast<int32_t>(i - w - 1));
#if BUG == 2
        if (eight && value(i - w + 1) == v) Join(s.parent, i, static_cast<int32_t>(i - w + 1));
#else
        if (eight && x + 1 < w && value(i - w + 1) == v) Join(s.parent, i, static_cast<int32_t>(i - w + 1));
#endif
      }
    }
  }
  for (int32_t i = 0; i < n; ++i)
    if (value(i) != 0) ++s.area[Root(s.parent, i)];
  int32_t count = 0;
  for (int64_t y = 0; y < h; ++y) {
    for (int64_t x = 0; x < w; ++x) {
      int32_t i = static_cast<int32_t>(y * w + x);
      labels[i] = 0;
      if (value(i) == 0) continue;
      int32_t r = Root(s.parent, i);
      if (s.area[r] < min_area) continue;
      if (s.number[r] == 0) {
        s.number[r] = ++count;
        boxes->push_back({static_cast<int32_t>(y), static_cast<int32_t>(x), 0, 0});
      }
      labels[i] = s.number[r];
      Box& b = (*boxes)[s.number[r] - 1];
      b.x0 = std::min(b.x0, static_cast<int32_t>(x));
      b.y1 = std::max(b.y1, static_cast<int32_t>(y + 1));
      b.x1 = std::max(b.x1, static_cast<int32_t>(x + 1));
    }
  }
}

#if BUG == 1
Scratch scratch_of_part[2];
#endif

Tuple<Tensor, Array<Tensor>> LabelComponents(TensorView image, Optional<TensorView> mask, int64_t connectivity,
                                             int64_t min_area) {
  CheckTensor(image, "image", {kU8, kI32}, 3);
  CheckContiguous(image, "image");
  int64_t b = image.size(0), h = image.size(1), w = image.size(2);
  REQUIRE(b <= 65535, ValueError) << "image: a batch of " << b << " is too large";
  REQUIRE(h <= 65535 && w <= 65535 && h * w <= INT32_MAX, ValueError) << "image: " << h << " by " << w << " is too large";
  const uint8_t* m = nullptr;
  if (mask.has_value()) {
    TensorView t = mask.value();
    CheckTensor(t, "mask", {kU8}, 2);
    CheckDim(t, "mask", 0, h);
    CheckDim(t, "mask", 1, w);
#if BUG != 3
    CheckContiguous(t, "mask");
#endif
    m = Ptr<uint8_t>(t);
  }
  REQUIRE(connectivity == 4 || connectivity == 8, ValueError) << "connectivity: has to be 4 or 8, got " << connectivity;
  REQUIRE(min_area >= 0, ValueError) << "min_area: is negative";
#if BUG == 5
  int least = static_cast<int>(min_area);
#else
  int64_t least = min_area;
#endif

  Tensor labels = Alloc({b, h, w}, kI32, image.device());
  int32_t* out = Ptr<int32_t>(TensorView(labels));
  std::vector<std::vector<Box>> boxes(b);
  ParallelFor(b, b * h * w > 8192 ? 2 : 1, [&](int64_t lo, int64_t hi, int64_t part) {
#if BUG == 1
    Scratch& s = scratch_of_part[part];
#else
    Scratch s;
#endif
    for (int64_t i = lo; i < hi; ++i) {
      int64_t at = i * h * w;
      if (Is(image.dtype(), kU8))
        Label(Ptr<uint8_t>(image) + at, m, h, w, connectivity == 8, least, s, out + at, &boxes[i]);
      else
        Label(Ptr<int32_t>(image) + at, m, h, w, connectivity == 8, least, s, out + at, &boxes[i]);
    }
  });
  Array<Tensor> all;
  for (int64_t i = 0; i < b; ++i) {
    int64_t n = static_cast<int64_t>(boxes[i].size());
#if BUG == 4
    if (n == 0) continue;
#endif
    Tensor t = Alloc({n, 4}, kI32, image.device());
    if (n > 0) std::memcpy(Ptr<char>(TensorView(t)), boxes[i].data(), n * sizeof(Box));
    all.push_back(t);
  }
  return Tuple<Tensor, Array<Tensor>>(labels, all);
}

}  // namespace

TVM_FFI_DLL_EXPORT_TYPED_FUNC(label_components, LabelComponents);
