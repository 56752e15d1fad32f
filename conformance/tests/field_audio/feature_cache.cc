// SPDX-License-Identifier: Apache-2.0
// feature_cache: rows of features by id, in front of a slow store. The least recently used row is
// dropped when the cache is full. A cache may be used by several threads.
//
//   feature_cache(capacity, dim) -> cache      capacity 1 to 1000000 rows, dim 1 to 65536
//   feature_cache_put(cache, ids, rows) -> int
//       ids [n] int64, rows [n, dim] float32, finite. The last row of an id counts. Rows are
//       copied. Returns the number of rows in the cache.
//   feature_cache_get(cache, ids, out, fill, found) -> int
//       ids [n] int64; out [n, dim] float32; fill float or None (0), for ids that are missing;
//       found [n] bool or None. Returns the number of ids that were found.
//
// Both use the ids in their order; a row that is found or put is the most recently used one.
namespace {

struct Row {
  int64_t id;
#if BUG == 2
  const float* values;
#else
  std::vector<float> values;
#endif
};

class FeatureCacheObj : public ffi::Object {
 public:
  FeatureCacheObj(int64_t capacity, int64_t dim) : capacity_(capacity), dim_(dim) {}

  int64_t dim() const { return dim_; }

  int64_t Put(const int64_t* ids, const float* rows, int64_t n) {
#if BUG != 7
    for (int64_t i = 0; i < n * dim_; ++i) {
      if (!std::isfinite(rows[i])) TVM_FFI_THROW(ValueError) << "rows must be finite";
    }
#endif
    std::lock_guard<std::mutex> guard(lock_);
    for (int64_t i = 0; i < n; ++i) {
      const float* row = rows + i * dim_;
#if BUG == 7
      for (int64_t d = 0; d < dim_; ++d) {
        if (!std::isfinite(row[d])) TVM_FFI_THROW(ValueError) << "rows must be finite";
      }
#endif
      auto at = index_.find(ids[i]);
      if (at != index_.end()) {
#if BUG != 4
        Assign(&*at->second, row);
#endif
        rows_.splice(rows_.begin(), rows_, at->second);
        continue;
      }
#if BUG == 5
      if (static_cast<int64_t>(index_.size()) > capacity_) {
#else
      if (static_cast<int64_t>(index_.size()) >= capacity_) {
#endif
        index_.erase(rows_.back().id);
        rows_.pop_back();
      }
      Row fresh;
      fresh.id = ids[i];
      Assign(&fresh, row);
      rows_.push_front(std::move(fresh));
      try {
        index_[ids[i]] = rows_.begin();
      } catch (...) {
        rows_.pop_front();
        throw;
      }
    }
    return static_cast<int64_t>(index_.size());
  }

  int64_t Get(const int64_t* ids, int64_t n, float* out, float fill, bool* found) {
#if BUG != 3
    std::lock_guard<std::mutex> guard(lock_);
#endif
    int64_t hits = 0;
    for (int64_t i = 0; i < n; ++i) {
      auto at = index_.find(ids[i]);
      const bool hit = at != index_.end();
      if (found != nullptr && (BUG != 6 || hit)) found[i] = hit;
      if (!hit) {
        std::fill_n(out + i * dim_, dim_, fill);
        continue;
      }
      ++hits;
#if BUG == 2
      std::memcpy(out + i * dim_, at->second->values, dim_ * sizeof(float));
#else
      std::memcpy(out + i * dim_, at->second->values.data(), dim_ * sizeof(float));
#endif
#if BUG != 1
      rows_.splice(rows_.begin(), rows_, at->second);
#endif
    }
    return hits;
  }

  static constexpr bool _type_mutable = true;
  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("z1.FeatureCache", FeatureCacheObj, ffi::Object);

 private:
  void Assign(Row* to, const float* row) const {
#if BUG == 2
    to->values = row;
#else
    to->values.assign(row, row + dim_);
#endif
  }

  const int64_t capacity_;
  const int64_t dim_;
  std::mutex lock_;
  std::list<Row> rows_;  // the most recently used one is the first
  std::unordered_map<int64_t, std::list<Row>::iterator> index_;
};

class FeatureCache : public ffi::ObjectRef {
 public:
  explicit FeatureCache(ffi::ObjectPtr<FeatureCacheObj> p) : ffi::ObjectRef(std::move(p)) {}
  TVM_FFI_DEFINE_OBJECT_REF_METHODS_NOTNULLABLE(FeatureCache, ffi::ObjectRef, FeatureCacheObj);
};

FeatureCache Make(int64_t capacity, int64_t dim) {
  if (capacity < 1 || capacity > 1000000) {
    TVM_FFI_THROW(ValueError) << "capacity must be from 1 to 1000000, not " << capacity;
  }
  if (dim < 1 || dim > 65536) {
    TVM_FFI_THROW(ValueError) << "dim must be from 1 to 65536, not " << dim;
  }
  return FeatureCache(ffi::make_object<FeatureCacheObj>(capacity, dim));
}

int64_t Put(FeatureCache cache, DLTensor* ids_tensor, DLTensor* rows_tensor) {
  const Arg ids("ids", ids_tensor);
  const Arg rows("rows", rows_tensor);
  ids.Type({kI64}).Rank(1).Cpu().Contiguous();
  rows.Type({kF32}).Rank(2).Cpu().Contiguous();
  rows.Extent(0, ids.dim(0)).Extent(1, cache->dim());
  return cache->Put(ids.data<int64_t>(), rows.data<float>(), ids.dim(0));
}

int64_t Get(FeatureCache cache, DLTensor* ids_tensor, DLTensor* out_tensor, Optional<double> fill,
            Optional<Tensor> found) {
  const Arg ids("ids", ids_tensor);
  const Arg out("out", out_tensor);
  ids.Type({kI64}).Rank(1).Cpu().Contiguous();
  out.Type({kF32}).Rank(2).Cpu().Contiguous();
#if BUG == 8
  out.Extent(0, ids.dim(0));
#else
  out.Extent(0, ids.dim(0)).Extent(1, cache->dim());
#endif
  bool* hit = nullptr;
  if (found.has_value()) {
    const Arg f("found", found.value());
    f.Type({kBool}).Rank(1).Extent(0, ids.dim(0)).Cpu().Contiguous();
    hit = f.data<bool>();
  }
  if (fill.has_value() && std::isfinite(fill.value()) &&
      std::fabs(fill.value()) > std::numeric_limits<float>::max()) {
    TVM_FFI_THROW(ValueError) << "fill must fit float32";
  }
  const float value = fill.has_value() ? static_cast<float>(fill.value()) : 0.0f;
  return cache->Get(ids.data<int64_t>(), ids.dim(0), out.data<float>(), value, hit);
}

}  // namespace

TVM_FFI_DLL_EXPORT_TYPED_FUNC(feature_cache, Make);
TVM_FFI_DLL_EXPORT_TYPED_FUNC(feature_cache_put, Put);
TVM_FFI_DLL_EXPORT_TYPED_FUNC(feature_cache_get, Get);
