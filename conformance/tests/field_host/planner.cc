// SPDX-License-Identifier: Apache-2.0
// Plans a batch of ragged prefill requests: which worker does which tile of which request.
namespace
{

constexpr int64_t kMaxTiles = int64_t(1) << 20;

int64_t CeilDiv(int64_t a, int64_t b)
{
  return a / b + (a % b != 0);
}

void CheckIndptr(const TensorView &t, const char *name)
{
  CheckTensor(t, {kI32}, 1, name);
  REQUIRE(t.size(0) >= 1, ValueError) << name << " must have at least one element";
}

void CheckOrder(const TensorView &t, const char *name)
{
  const int32_t *p = Ptr<int32_t>(t);
  REQUIRE(p[0] == 0, ValueError) << name << " must start at 0";
  for (int64_t i = 1; i < t.size(0); ++i) {
    REQUIRE(p[i] >= p[i - 1], ValueError) << name << " must not decrease";
  }
}

Map<String, Any> Plan(TensorView qo_indptr, TensorView kv_indptr, const Map<String, Any> &options)
{
  CheckIndptr(qo_indptr, "qo_indptr");
  CheckIndptr(kv_indptr, "kv_indptr");
  REQUIRE(qo_indptr.size(0) == kv_indptr.size(0), ValueError) << "the indptr must be of one batch";
  CheckOrder(qo_indptr, "qo_indptr");
#if BUG != 1
  CheckOrder(kv_indptr, "kv_indptr");
#endif
  int64_t b = qo_indptr.size(0) - 1;
  const int32_t *qo = Ptr<int32_t>(qo_indptr), *kv = Ptr<int32_t>(kv_indptr);

  int64_t page_size = 0, tile = 16, workers = 4;
#if BUG == 4
  static thread_local bool causal = true;
#else
  bool causal = true;
#endif
  for (const auto &item : options) {
    std::string key(item.first.data(), item.first.size());
    if (key == "causal") {
      auto v = item.second.try_cast<bool>();
      REQUIRE(v.has_value(), TypeError) << "causal must be a bool";
      causal = *v;
      continue;
    }
    auto v = item.second.try_cast<int64_t>();
    if (key == "page_size") {
      REQUIRE(v.has_value(), TypeError) << "page_size must be an int";
      REQUIRE(*v >= 1 && *v <= 0x7fffffff, ValueError)
          << "page_size must be between 1 and 2^31 - 1";
      page_size = *v;
    } else if (key == "tile") {
      REQUIRE(v.has_value(), TypeError) << "tile must be an int";
      REQUIRE(*v >= 1 && *v <= 0x7fffffff, ValueError) << "tile must be between 1 and 2^31 - 1";
      tile = *v;
    } else if (key == "workers") {
      REQUIRE(v.has_value(), TypeError) << "workers must be an int";
#if BUG == 3
      REQUIRE(*v >= 0 && *v <= 1024, ValueError) << "workers must be between 1 and 1024";
#else
      REQUIRE(*v >= 1 && *v <= 1024, ValueError) << "workers must be between 1 and 1024";
#endif
      workers = *v;
    } else {
      TVM_FFI_THROW(ValueError) << "unknown option \"" << key << "\"";
    }
  }
  REQUIRE(page_size > 0, ValueError) << "the option page_size is missing";

  int64_t tiles = 0;
  for (int64_t r = 0; r < b; ++r) {
    int64_t q = qo[r + 1] - qo[r];
    if (causal) {
      REQUIRE(int64_t(kv[r + 1]) - kv[r] >= q, ValueError)
          << "request " << r << " has more queries than keys";
    }
    tiles += CeilDiv(q, tile);
  }
  REQUIRE(tiles <= kMaxTiles, ValueError) << "more than " << kMaxTiles << " tiles";

#if BUG == 2
  int64_t room = 0;
  for (int64_t r = 0; r < b; ++r) room += (qo[r + 1] - qo[r]) / tile + 1;
#else
  int64_t room = tiles;
#endif
  Tensor requests = Alloc({room}, kI32), positions = Alloc({room}, kI32);
  Tensor pages = Alloc({b}, kI32);
#if BUG == 5
  int64_t extent = workers + 1;
  DLTensor like{};
  like.device = DLDevice{kDLCPU, 0};
  like.dtype = kI32;
  like.ndim = 1;
  like.shape = &extent;
  TVMFFIObjectHandle handle = nullptr;
  TVM_FFI_CHECK_SAFE_CALL(TVMFFIEnvTensorAlloc(&like, &handle));
  Tensor split = ffi::detail::ObjectUnsafe::ObjectRefFromObjectPtr<Tensor>(
      ffi::detail::ObjectUnsafe::ObjectPtrFromUnowned<ffi::Object>(
          static_cast<ffi::Object *>(handle)));
#else
  Tensor split = Alloc({workers + 1}, kI32);
#endif
  int32_t *pr = Out<int32_t>(requests), *pt = Out<int32_t>(positions), *pp = Out<int32_t>(pages);
  int64_t at = 0, max_pages = 0;
  for (int64_t r = 0; r < b; ++r) {
    int64_t n = CeilDiv(qo[r + 1] - qo[r], tile);
    for (int64_t i = 0; i < n; ++i, ++at) {
      pr[at] = static_cast<int32_t>(r);
      pt[at] = static_cast<int32_t>(i);
    }
    int64_t k = CeilDiv(int64_t(kv[r + 1]) - kv[r], page_size);
    pp[r] = static_cast<int32_t>(k);
    max_pages = std::max(max_pages, k);
  }
  for (int64_t w = 0; w <= workers; ++w)
    Out<int32_t>(split)[w] = static_cast<int32_t>(w * tiles / workers);

  Map<String, Any> out;
  out.Set("request_indices", requests);
  out.Set("tile_indices", positions);
  out.Set("kv_pages", pages);
  out.Set("worker_indptr", split);
  out.Set("total_tiles", tiles);
  out.Set("max_kv_pages", max_pages);
  return out;
}

}  // namespace

TVM_FFI_DLL_EXPORT_TYPED_FUNC(plan, Plan);
