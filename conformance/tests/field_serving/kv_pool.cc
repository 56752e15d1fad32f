// SPDX-License-Identifier: Apache-2.0
// Block allocator of a paged KV cache: sequences own blocks, forks share them until they are written; and allocation of the cache itself.
#include <tvm/ffi/reflection/registry.h>

namespace
{
class KvPoolObj : public ffi::Object
{
 public:
  KvPoolObj(int64_t num_blocks, int64_t block_size) : block_size_(block_size), refs_(num_blocks, 0)
  {
    for (int64_t i = 0; i < num_blocks; ++i) Free().insert(i);
  }

  Array<int64_t> Extend(int64_t seq, int64_t tokens)
  {
    TVM_FFI_CHECK(seq >= 0, ValueError) << "seq must not be negative";
    TVM_FFI_CHECK(tokens >= 1 && tokens <= 0x7fffffff, ValueError) << "tokens must be in [1, 2^31)";
    std::lock_guard<std::mutex> lock(mutex_);
    Seq now;
    auto it = seqs_.find(seq);
    if (it != seqs_.end()) now = it->second;
    bool copy = now.tokens % block_size_ != 0 && refs_[now.blocks.back()] > 1;
    int64_t need = (now.tokens + tokens + block_size_ - 1) / block_size_ -
                   int64_t(now.blocks.size()) + (copy ? 1 : 0);
#if BUG != 1
    TVM_FFI_CHECK(need <= int64_t(Free().size()), ValueError)
        << "out of blocks: " << need << " needed, " << Free().size() << " free";
#endif
    if (copy) {
      --refs_[now.blocks.back()];
      now.blocks.back() = Take();
      --need;
    }
    for (; need > 0; --need) now.blocks.push_back(Take());
    now.tokens += tokens;
    seqs_[seq] = now;
    return Array<int64_t>(now.blocks.begin(), now.blocks.end());
  }

  int64_t Fork(int64_t src, int64_t dst)
  {
    std::lock_guard<std::mutex> lock(mutex_);
    auto it = seqs_.find(src);
    TVM_FFI_CHECK(it != seqs_.end(), ValueError) << "unknown sequence " << src;
    TVM_FFI_CHECK(dst >= 0, ValueError) << "dst must not be negative";
#if BUG != 4
    TVM_FFI_CHECK(seqs_.count(dst) == 0, ValueError) << "there is a sequence " << dst << " already";
#endif
    Seq copy = it->second;
    for (int64_t x : copy.blocks) ++refs_[x];
    seqs_[dst] = copy;
    return int64_t(copy.blocks.size());
  }

  int64_t Release(int64_t seq)
  {
    std::lock_guard<std::mutex> lock(mutex_);
    auto it = seqs_.find(seq);
    TVM_FFI_CHECK(it != seqs_.end(), ValueError) << "unknown sequence " << seq;
    int64_t freed = 0;
    for (int64_t x : it->second.blocks) {
#if BUG == 3
      --refs_[x];
      if (Free().insert(x).second) ++freed;
#else
      if (--refs_[x] > 0) continue;
      Free().insert(x);
      ++freed;
#endif
    }
    seqs_.erase(it);
    return freed;
  }

  int64_t FreeBlocks()
  {
    std::lock_guard<std::mutex> lock(mutex_);
    return int64_t(Free().size());
  }

  std::vector<int64_t> Blocks(int64_t seq)
  {
    std::lock_guard<std::mutex> lock(mutex_);
    auto it = seqs_.find(seq);
    TVM_FFI_CHECK(it != seqs_.end(), ValueError) << "unknown sequence " << seq;
    return it->second.blocks;
  }

  static constexpr bool _type_mutable = true;
  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("k1.KvPool", KvPoolObj, ffi::Object);

 private:
  struct Seq {
    int64_t tokens = 0;
    std::vector<int64_t> blocks;
  };
  std::set<int64_t> &Free()
  {
#if BUG == 2
    static std::set<int64_t> all;
    return all;
#else
    return free_;
#endif
  }
  int64_t Take()
  {
    TVM_FFI_CHECK(!Free().empty(), ValueError) << "out of blocks";
    int64_t x = *Free().begin();
    Free().erase(Free().begin());
    refs_[x] = 1;
    return x;
  }
  int64_t block_size_;
  std::vector<int32_t> refs_;
  std::set<int64_t> free_;
  std::unordered_map<int64_t, Seq> seqs_;
  std::mutex mutex_;
};

class KvPool : public ffi::ObjectRef
{
 public:
  KvPool(int64_t num_blocks, int64_t block_size)
  {
    data_ = ffi::make_object<KvPoolObj>(num_blocks, block_size);
  }
  TVM_FFI_DEFINE_OBJECT_REF_METHODS_NOTNULLABLE(KvPool, ffi::ObjectRef, KvPoolObj);
};

KvPool NewPool(int64_t num_blocks, int64_t block_size)
{
  TVM_FFI_CHECK(num_blocks >= 1 && num_blocks <= 65536, ValueError)
      << "num_blocks must be in [1, 65536]";
  TVM_FFI_CHECK(block_size >= 1 && block_size <= 4096, ValueError)
      << "block_size must be in [1, 4096]";
  return KvPool(num_blocks, block_size);
}

// One row of blocks for each sequence, padded with -1.
Tensor KvTable(KvPool pool, Array<int64_t> seqs, int64_t width)
{
  TVM_FFI_CHECK(width >= 0 && width <= 65536, ValueError) << "width must be in [0, 65536]";
  int64_t n = int64_t(seqs.size());
#if BUG == 7
  TVMFFIObjectHandle held =
      const_cast<ffi::Object *>(ffi::detail::ObjectUnsafe::RawObjectPtrFromObjectRef(pool));
  TVMFFIObjectIncRef(held);
#endif
  std::vector<std::vector<int64_t>> rows;
  for (int64_t s : seqs) {
    rows.push_back(pool->Blocks(s));
#if BUG != 6
    TVM_FFI_CHECK(int64_t(rows.back().size()) <= width, ValueError)
        << "sequence " << s << " has more than " << width << " blocks";
#endif
  }
  Tensor table = NewTensor(Shape({n, width}), kI32);
  TensorView view(table);
  int32_t *p = Ptr<int32_t>(view);
  std::fill(p, p + n * width, -1);
  for (int64_t i = 0; i < n; ++i) std::copy(rows[i].begin(), rows[i].end(), p + i * width);
#if BUG == 7
  TVMFFIObjectDecRef(held);
#endif
  return table;
}

Array<Tensor> AllocCache(int64_t layers, Shape shape, DLDataType dtype, DLDevice device)
{
  TVM_FFI_CHECK(layers >= 1 && layers <= 1024, ValueError) << "layers must be in [1, 1024]";
  TVM_FFI_CHECK(shape.size() == 4, ValueError) << "shape must have 4 extents";
  TVM_FFI_CHECK(Same(dtype, kF32) || Same(dtype, kF16) || Same(dtype, kBF16), TypeError)
      << "unsupported data type";
#if BUG == 5
  device = kCpu;
#else
  TVM_FFI_CHECK(device.device_type == kDLCPU && device.device_id == 0, ValueError)
      << "the cache must be on cpu:0";
#endif
  int64_t n = 1, limit = int64_t(1) << 24;
  bool empty = false;
  for (int64_t x : shape) {
    TVM_FFI_CHECK(x >= 0, ValueError) << "shape must not be negative";
    empty = empty || x == 0;
  }
  if (empty)
    n = 0;
  else
    for (int64_t x : shape) {
      TVM_FFI_CHECK(x <= limit / n, ValueError) << "the cache is too large";
      n *= x;
    }
  TVM_FFI_CHECK(n * layers <= limit, ValueError) << "the cache is too large";
  Array<Tensor> caches;
  for (int64_t i = 0; i < layers; ++i) {
    Tensor t = NewTensor(shape, dtype, device);
    TensorView v(t);
#if BUG == 8
    if (n != 0) std::memset(Ptr<char>(v), 0, n);
#else
    if (n != 0) std::memset(Ptr<char>(v), 0, n * (dtype.bits / 8));
#endif
    caches.push_back(t);
  }
  return caches;
}

TVM_FFI_STATIC_INIT_BLOCK()
{
  namespace refl = tvm::ffi::reflection;
  refl::ObjectDef<KvPoolObj>(refl::init(false))
      .def("extend", &KvPoolObj::Extend)
      .def("fork", &KvPoolObj::Fork)
      .def("release", &KvPoolObj::Release)
      .def("free_blocks", &KvPoolObj::FreeBlocks);
}
}  // namespace
TVM_FFI_DLL_EXPORT_TYPED_FUNC(kv_pool, NewPool);
TVM_FFI_DLL_EXPORT_TYPED_FUNC(kv_table, KvTable);
TVM_FFI_DLL_EXPORT_TYPED_FUNC(alloc_cache, AllocCache);
