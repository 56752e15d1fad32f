// SPDX-License-Identifier: Apache-2.0
// The pages of a paged KV cache: which sequence has which.
namespace
{

class PagePoolObj : public ffi::Object
{
 public:
  int64_t num_pages, page_size;
  std::mutex mutex;
  std::set<int32_t> unused;  // the lowest is given out first
  struct Seq {
    std::vector<int32_t> pages;
    int64_t tokens = 0;
  };
  std::unordered_map<int64_t, Seq> seqs;
#if BUG == 3
  DLTensor storage_view{};
  std::vector<int64_t> storage_shape;
  bool bound = false;
#else
  Optional<Tensor> storage;
#endif

  PagePoolObj(int64_t n, int64_t size) : num_pages(n), page_size(size)
  {
    for (int64_t i = 0; i < n; ++i) unused.insert(unused.end(), static_cast<int32_t>(i));
  }

  // Appends tokens to a sequence, a new one if there is none; the pages that it got for them.
  Tensor Append(int64_t seq, int64_t tokens)
  {
    REQUIRE(seq >= 0, ValueError) << "seq must not be negative";
    REQUIRE(tokens >= 0, ValueError) << "tokens must not be negative";
    REQUIRE(tokens <= num_pages * page_size, RuntimeError) << "out of pages";
    std::lock_guard<std::mutex> lock(mutex);
    auto it = seqs.find(seq);
    int64_t have = it == seqs.end() ? 0 : it->second.tokens;
    int64_t total = have + tokens;
    int64_t need = (total + page_size - 1) / page_size -
                   (it == seqs.end() ? 0 : static_cast<int64_t>(it->second.pages.size()));
#if BUG == 2
    Seq &s = seqs[seq];
    std::vector<int32_t> got;
    for (int64_t i = 0; i < need; ++i) {
      REQUIRE(!unused.empty(), RuntimeError) << "out of pages";
      got.push_back(*unused.begin());
      unused.erase(unused.begin());
    }
    Tensor out = FromVector(got, kI32);
#else
    REQUIRE(need <= static_cast<int64_t>(unused.size()), RuntimeError)
        << "out of pages: " << need << " are needed, " << unused.size() << " are left";
    std::vector<int32_t> got;
    if (need > 0) got.assign(unused.begin(), std::next(unused.begin(), need));
    Tensor out = FromVector(got, kI32);
    for (int32_t p : got) unused.erase(p);
    Seq &s = seqs[seq];
#endif
    s.pages.insert(s.pages.end(), got.begin(), got.end());
    s.tokens = total;
    return out;
  }

  // Gives the pages of a sequence back; how many there were.
  int64_t Release(int64_t seq)
  {
    std::lock_guard<std::mutex> lock(mutex);
    auto it = seqs.find(seq);
    REQUIRE(it != seqs.end(), KeyError) << "unknown sequence " << seq;
    int64_t n = static_cast<int64_t>(it->second.pages.size());
    unused.insert(it->second.pages.begin(), it->second.pages.end());
#if BUG == 1
    it->second.pages.clear();
    if (it->second.tokens % page_size == 0) seqs.erase(it);
#else
    seqs.erase(it);
#endif
    return n;
  }

  int64_t NumFree()
  {
    std::lock_guard<std::mutex> lock(mutex);
    return static_cast<int64_t>(unused.size());
  }

  static constexpr bool _type_mutable = true;
  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("k3.PagePool", PagePoolObj, ffi::Object);
};

class PagePool : public ffi::ObjectRef
{
 public:
  TVM_FFI_DEFINE_OBJECT_REF_METHODS_NOTNULLABLE(PagePool, ffi::ObjectRef, PagePoolObj);
};

PagePool MakePool(int64_t num_pages, int64_t page_size)
{
  REQUIRE(num_pages >= 1 && num_pages <= (1 << 20), ValueError)
      << "num_pages must be between 1 and 2^20";
  REQUIRE(page_size >= 1 && page_size <= (1 << 20), ValueError)
      << "page_size must be between 1 and 2^20";
  PagePool pool = ffi::detail::ObjectUnsafe::ObjectRefFromObjectPtr<PagePool>(
      ffi::make_object<PagePoolObj>(num_pages, page_size));
#if BUG == 5
  static std::mutex mutex;
  static auto *all = new std::vector<ffi::ObjectRef>();  // for debuggers
  std::lock_guard<std::mutex> lock(mutex);
  all->push_back(pool);
#endif
  return pool;
}

// The place in the cache of each (sequence, position).
Tensor Slots(const PagePool &pool, TensorView seqs, TensorView positions)
{
  CheckTensor(seqs, {kI64}, 1, "seqs");
  CheckTensor(positions, {kI64}, 1, "positions");
  int64_t n = seqs.size(0);
  REQUIRE(positions.size(0) == n, ValueError) << "seqs and positions must have one length";
  auto *p = const_cast<PagePoolObj *>(pool.operator->());
  std::vector<int64_t> out(n);
  {
    std::lock_guard<std::mutex> lock(p->mutex);
    for (int64_t i = 0; i < n; ++i) {
      int64_t seq = Ptr<int64_t>(seqs)[i], pos = Ptr<int64_t>(positions)[i];
      auto it = p->seqs.find(seq);
      REQUIRE(it != p->seqs.end(), KeyError) << "unknown sequence " << seq;
#if BUG == 4
      REQUIRE(pos >= 0 && pos <= it->second.tokens, IndexError)
          << "sequence " << seq << " has no position " << pos;
#else
      REQUIRE(pos >= 0 && pos < it->second.tokens, IndexError)
          << "sequence " << seq << " has no position " << pos;
#endif
      out[i] = it->second.pages[pos / p->page_size] * p->page_size + pos % p->page_size;
    }
  }
  return FromVector(out, kI64);
}

// The pool keeps the storage, a row for each token, as long as it lives, or until it gets another one.
void BindStorage(const PagePool &pool, const Tensor &storage)
{
  REQUIRE(storage.defined(), TypeError) << "storage must be a tensor, not None";
  TensorView v(storage);
  CheckTensor(v, {kF32}, 2, "storage");
  auto *p = const_cast<PagePoolObj *>(pool.operator->());
  REQUIRE(v.size(0) == p->num_pages * p->page_size, ValueError)
      << "storage must have a row for each token of the pool";
  std::lock_guard<std::mutex> lock(p->mutex);
#if BUG == 3
  p->storage_view = *storage.GetDLTensorPtr();
  p->storage_shape.assign(v.shape().begin(), v.shape().end());
  p->storage_view.shape = p->storage_shape.data();
  p->storage_view.strides = nullptr;
  p->bound = true;
#else
  p->storage = storage;
#endif
}

// The rows of a sequence, in the order of its positions.
Tensor Gather(const PagePool &pool, int64_t seq)
{
  auto *p = const_cast<PagePoolObj *>(pool.operator->());
  std::lock_guard<std::mutex> lock(p->mutex);
  auto it = p->seqs.find(seq);
  REQUIRE(it != p->seqs.end(), KeyError) << "unknown sequence " << seq;
#if BUG == 3
  REQUIRE(p->bound, RuntimeError) << "the pool has no storage";
  TensorView v(&p->storage_view);
#else
  REQUIRE(p->storage.has_value(), RuntimeError) << "the pool has no storage";
  Tensor storage = p->storage.value();
  TensorView v(storage);
#endif
  int64_t n = it->second.tokens, d = v.size(1);
  Tensor out = Alloc({n, d}, kF32);
  for (int64_t i = 0; i < n && d > 0; ++i) {
    int64_t slot = it->second.pages[i / p->page_size] * p->page_size + i % p->page_size;
    std::memcpy(Out<float>(out) + i * d, Ptr<float>(v) + slot * d, static_cast<size_t>(d) * 4);
  }
  return out;
}

TVM_FFI_STATIC_INIT_BLOCK()
{
  namespace refl = tvm::ffi::reflection;
  refl::ObjectDef<PagePoolObj>()
      .def("append", &PagePoolObj::Append)
      .def("release", &PagePoolObj::Release)
      .def("num_free", &PagePoolObj::NumFree);
}

}  // namespace

TVM_FFI_DLL_EXPORT_TYPED_FUNC(make_pool, MakePool);
TVM_FFI_DLL_EXPORT_TYPED_FUNC(slots, Slots);
TVM_FFI_DLL_EXPORT_TYPED_FUNC(bind_storage, BindStorage);
TVM_FFI_DLL_EXPORT_TYPED_FUNC(gather, Gather);
