// SPDX-License-Identifier: Apache-2.0
// Recommender / RL: a prioritized replay buffer behind an object. Rows are copied in; the oldest are overwritten.
using ffi::Optional;
using ffi::String;
using ffi::Tensor;
using ffi::TensorView;

class ReplayObj : public ffi::Object {
 public:
  int64_t capacity = 0, dim = 0;
  int64_t size = 0, next = 0;
#if BUG == 1
  std::vector<const float*> rows;
#else
  std::vector<float> rows;
#endif
  std::vector<double> prio;
#if BUG == 2
  static double top;
#else
  double top = 1.0;  // the largest priority so far: what rows without one get
#endif
  std::mutex lock;
  static constexpr bool _type_mutable = true;
  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("blindq2.Replay", ReplayObj, ffi::Object);
};
#if BUG == 2
double ReplayObj::top = 1.0;
#endif
class Replay : public ffi::ObjectRef {
 public:
  explicit Replay(ffi::ObjectPtr<ReplayObj> n) : ffi::ObjectRef(std::move(n)) {}
  TVM_FFI_DEFINE_OBJECT_REF_METHODS_NOTNULLABLE(Replay, ffi::ObjectRef, ReplayObj);
};

Replay replay_new(int64_t capacity, int64_t dim) {
  if (capacity < 1 || capacity > 4096) TVM_FFI_THROW(ValueError) << "capacity must be 1 to 4096";
  if (dim < 1 || dim > 256) TVM_FFI_THROW(ValueError) << "dim must be 1 to 256";
  ffi::ObjectPtr<ReplayObj> p = ffi::make_object<ReplayObj>();
  p->capacity = capacity;
  p->dim = dim;
#if BUG == 1
  p->rows.resize(capacity);
#else
  p->rows.resize(capacity * dim);
#endif
  p->prio.resize(capacity);
  return Replay(p);
}

static void check_prio(const TensorView& t, int64_t n) {
  check_cpu(t, "priority");
  check_same(t, "priority", kF64);
  check_rank(t, "priority", 1);
  check_size(t, "priority", 0, n);
  check_dense(t, "priority");
  check_aligned(t, "priority");
#if BUG != 3
  const double* p = data<double>(t);
  for (int64_t i = 0; i < n; ++i)
    if (!(p[i] >= 0) || !std::isfinite(p[i])) TVM_FFI_THROW(ValueError) << "priorities must be finite, and not negative";
#endif
}

int64_t replay_add(Replay buffer, TensorView obs, Optional<Tensor> priority) {
  ReplayObj* b = buffer.get();
  check_cpu(obs, "obs");
  check_same(obs, "obs", kF32);
  check_rank(obs, "obs", 2);
  check_size(obs, "obs", 1, b->dim);
  check_dense(obs, "obs");
  check_aligned(obs, "obs");
  int64_t n = obs.shape()[0];
  const double* p = nullptr;
  Tensor hold;
  if (priority.has_value()) {
    hold = priority.value();
    check_prio(view_of(hold, "priority"), n);
    p = data<double>(TensorView(hold));
  }
  const float* x = data<float>(obs);
  std::lock_guard<std::mutex> guard(b->lock);
  for (int64_t i = 0; i < n; ++i) {
#if BUG == 3
    if (p && (!(p[i] >= 0) || !std::isfinite(p[i])))
      TVM_FFI_THROW(ValueError) << "priorities must be finite, and not negative";
#endif
#if BUG == 1
    b->rows[b->next] = x + i * b->dim;
#else
    std::memcpy(&b->rows[b->next * b->dim], x + i * b->dim, b->dim * sizeof(float));
#endif
    double v = p ? p[i] : b->top;
    b->prio[b->next] = v;
    if (v > b->top) b->top = v;
    b->next = (b->next + 1) % b->capacity;
    if (b->size < b->capacity) ++b->size;
  }
  return b->size;
}

void replay_update(Replay buffer, TensorView index, TensorView priority) {
  ReplayObj* b = buffer.get();
  check_cpu(index, "index");
  check_same(index, "index", kI64);
  check_rank(index, "index", 1);
  check_dense(index, "index");
  check_aligned(index, "index");
  int64_t k = index.shape()[0];
  check_prio(priority, k);
  const int64_t* at = data<int64_t>(index);
  const double* p = data<double>(priority);
#if BUG == 3
  for (int64_t i = 0; i < k; ++i)
    if (!(p[i] >= 0) || !std::isfinite(p[i])) TVM_FFI_THROW(ValueError) << "priorities must be finite, and not negative";
#endif
  std::lock_guard<std::mutex> guard(b->lock);
  for (int64_t i = 0; i < k; ++i)
#if BUG == 4
    if (at[i] < 0 || at[i] >= b->capacity) TVM_FFI_THROW(IndexError) << "no row " << at[i];
#else
    if (at[i] < 0 || at[i] >= b->size) TVM_FFI_THROW(IndexError) << "no row " << at[i];
#endif
  for (int64_t i = 0; i < k; ++i) {
    b->prio[at[i]] = p[i];
    if (p[i] > b->top) b->top = p[i];
  }
}

// For each u in [0, 1) a row, drawn by its share of the sum of the priorities: (index, obs).
ffi::Tuple<Tensor, Tensor> replay_sample(Replay buffer, TensorView u) {
  ReplayObj* b = buffer.get();
  check_cpu(u, "u");
  check_same(u, "u", kF64);
  check_rank(u, "u", 1);
  check_dense(u, "u");
  check_aligned(u, "u");
  int64_t m = u.shape()[0];
  const double* r = data<double>(u);
#if BUG == 6
  DLTensor like{};
  like.device = DLDevice{kDLCPU, 0};
  like.dtype = kI64;
  like.ndim = 1;
  like.shape = &m;
  TVMFFIObjectHandle handle = nullptr;
  TVM_FFI_CHECK_SAFE_CALL(TVMFFIEnvTensorAlloc(&like, &handle));
#endif
  for (int64_t i = 0; i < m; ++i)
    if (!(r[i] >= 0 && r[i] < 1)) TVM_FFI_THROW(ValueError) << "u must be in [0, 1)";
#if BUG == 6
  Tensor index(ffi::detail::ObjectUnsafe::ObjectPtrFromOwned<ffi::TensorObj>(static_cast<TVMFFIObject*>(handle)));
#else
  Tensor index = env_alloc({m}, kI64);
#endif
  Tensor obs = env_alloc({m, b->dim}, kF32);
  int64_t* at = data<int64_t>(TensorView(index));
  float* y = data<float>(TensorView(obs));
  std::lock_guard<std::mutex> guard(b->lock);
  std::vector<double> sum(b->size);
  double total = 0;
  int64_t last = -1;
  for (int64_t i = 0; i < b->size; ++i) {
    total += b->prio[i];
    sum[i] = total;
    if (b->prio[i] > 0) last = i;
  }
#if BUG == 5
  if (last < 0) {
    std::fill(at, at + m, 0);
    std::fill(y, y + m * b->dim, 0.0f);
    return ffi::Tuple<Tensor, Tensor>(index, obs);
  }
#else
  if (last < 0) TVM_FFI_THROW(RuntimeError) << "nothing to sample from";
#endif
  if (!std::isfinite(total)) TVM_FFI_THROW(RuntimeError) << "the sum of the priorities is too large";
  for (int64_t i = 0; i < m; ++i) {
    int64_t k = std::upper_bound(sum.begin(), sum.end(), r[i] * total) - sum.begin();
    k = std::min(k, last);
    at[i] = k;
#if BUG == 1
    std::memcpy(y + i * b->dim, b->rows[k], b->dim * sizeof(float));
#else
    std::memcpy(y + i * b->dim, &b->rows[k * b->dim], b->dim * sizeof(float));
#endif
  }
  return ffi::Tuple<Tensor, Tensor>(index, obs);
}

ffi::Map<String, double> replay_stats(Replay buffer) {
  ReplayObj* b = buffer.get();
  std::lock_guard<std::mutex> guard(b->lock);
  double total = 0;
  for (int64_t i = 0; i < b->size; ++i) total += b->prio[i];
  ffi::Map<String, double> out;
  out.Set("size", static_cast<double>(b->size));
  out.Set("total", total);
  out.Set("top", b->top);
  return out;
}

TVM_FFI_DLL_EXPORT_TYPED_FUNC(replay_new, replay_new);
TVM_FFI_DLL_EXPORT_TYPED_FUNC(replay_add, replay_add);
TVM_FFI_DLL_EXPORT_TYPED_FUNC(replay_update, replay_update);
TVM_FFI_DLL_EXPORT_TYPED_FUNC(replay_sample, replay_sample);
TVM_FFI_DLL_EXPORT_TYPED_FUNC(replay_stats, replay_stats);
