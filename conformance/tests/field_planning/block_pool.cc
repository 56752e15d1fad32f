// SPDX-License-Identifier: Apache-2.0
// Allocation of KV-cache blocks to sequences: blocks are shared after a fork, the free block of the lowest number is taken.

class BlockPoolObj : public ffi::Object {
 public:
  BlockPoolObj(int64_t num_blocks, int64_t block_size) : block_size_(block_size), refs_(num_blocks, 0) {}

  // Grows the sequence (a new one, if it is not known) by tokens. Returns the blocks that it got for it.
  Shape append(int64_t seq, int64_t tokens) {
    check_range(seq, 0, std::numeric_limits<int32_t>::max(), "seq");
    check_range(tokens, 0, std::numeric_limits<int32_t>::max(), "tokens");
    std::lock_guard<std::mutex> guard(lock_);
    auto known = seqs_.find(seq);
    Seq grown = known == seqs_.end() ? Seq() : known->second;
    int64_t need = (grown.tokens + tokens + block_size_ - 1) / block_size_ - int64_t(grown.blocks.size());
#if BUG != 1
    NEED(need <= free_count(), RuntimeError) << "out of blocks: " << need << " are needed, " << free_count() << " are free";
#endif
    std::vector<int64_t> got;
    for (size_t b = 0; b < refs_.size() && int64_t(got.size()) < need; ++b)
      if (refs_[b] == 0) {
        refs_[b] = 1;
        got.push_back(int64_t(b));
      }
#if BUG == 1
    NEED(int64_t(got.size()) >= need, RuntimeError) << "out of blocks: " << need << " are needed, " << got.size() << " are free";
#endif
    grown.tokens += tokens;
    grown.blocks.insert(grown.blocks.end(), got.begin(), got.end());
    seqs_[seq] = std::move(grown);
    return Shape(got.begin(), got.end());
  }

  // A new sequence with the blocks of another one.
  void fork(int64_t seq, int64_t child) {
    check_range(child, 0, std::numeric_limits<int32_t>::max(), "child");
    std::lock_guard<std::mutex> guard(lock_);
    auto it = seqs_.find(seq);
    NEED(it != seqs_.end(), KeyError) << "no sequence " << seq;
    NEED(seqs_.find(child) == seqs_.end(), ValueError) << "sequence " << child << " exists";
    Seq copy = it->second;
    for (int64_t b : copy.blocks) ++refs_[b];
    seqs_[child] = std::move(copy);
  }

  // Returns how many blocks are free of it.
  int64_t release(int64_t seq) {
    std::lock_guard<std::mutex> guard(lock_);
    auto it = seqs_.find(seq);
    NEED(it != seqs_.end(), KeyError) << "no sequence " << seq;
    int64_t freed = 0;
    for (int64_t b : it->second.blocks) {
#if BUG == 2
      refs_[b] = 0;
      ++freed;
#else
      freed += --refs_[b] == 0;
#endif
    }
    seqs_.erase(it);
    return freed;
  }

  int64_t available() {
    std::lock_guard<std::mutex> guard(lock_);
    return free_count();
  }

  struct Seq {
    int64_t tokens = 0;
    std::vector<int64_t> blocks;
  };

  std::map<int64_t, Seq> snapshot() {
    std::lock_guard<std::mutex> guard(lock_);
    return seqs_;
  }

  int64_t total() const { return int64_t(refs_.size()); }

  static constexpr bool _type_mutable = true;
  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("m1.BlockPool", BlockPoolObj, ffi::Object);

 private:
  int64_t free_count() const { return std::count(refs_.begin(), refs_.end(), 0); }

  int64_t block_size_;
  std::vector<int32_t> refs_;
#if BUG == 5
  static inline std::map<int64_t, Seq> seqs_;
#else
  std::map<int64_t, Seq> seqs_;
#endif
  std::mutex lock_;
};

class BlockPool : public ObjectRef {
 public:
  TVM_FFI_DEFINE_OBJECT_REF_METHODS_NOTNULLABLE(BlockPool, ObjectRef, BlockPoolObj);
  explicit BlockPool(ObjectPtr<BlockPoolObj> n) : ObjectRef(std::move(n)) {}
};

TVM_FFI_STATIC_INIT_BLOCK() {
  namespace refl = tvm::ffi::reflection;
  refl::ObjectDef<BlockPoolObj>(refl::init(false))
      .def("append", &BlockPoolObj::append)
      .def("fork", &BlockPoolObj::fork)
      .def("release", &BlockPoolObj::release)
      .def("available", &BlockPoolObj::available);
}

static BlockPool make_pool(int64_t num_blocks, int64_t block_size) {
  check_range(num_blocks, 0, 65536, "num_blocks");
#if BUG == 4
  check_range(block_size, 0, 1024, "block_size");
#else
  check_range(block_size, 1, 1024, "block_size");
#endif
  return BlockPool(ffi::make_object<BlockPoolObj>(num_blocks, block_size));
}

// A function append(seq, tokens) on a pool of its own, for schedulers without classes.
static Function make_allocator(int64_t num_blocks, int64_t block_size) {
  BlockPool pool = make_pool(num_blocks, block_size);
#if BUG == 3
  BlockPoolObj* self = pool.get();
  return Function::FromTyped([self](int64_t seq, int64_t tokens) { return self->append(seq, tokens); });
#else
  return Function::FromTyped([pool](int64_t seq, int64_t tokens) { return pool->append(seq, tokens); });
#endif
}

static Map<String, int64_t> pool_stats(BlockPool pool) {
  Map<String, int64_t> stats;
  int64_t tokens = 0;
  auto seqs = pool->snapshot();
  for (auto& s : seqs) tokens += s.second.tokens;
  stats.Set("free", pool->available());
  stats.Set("total", pool->total());
  stats.Set("seqs", int64_t(seqs.size()));
  stats.Set("tokens", tokens);
#if BUG == 6
  TVMFFIObjectIncRef(ffi::detail::ObjectUnsafe::TVMFFIObjectPtrFromObjectRef(pool));
#endif
  return stats;
}

// out[i, j] = block j of sequence seqs[i], -1 behind its last one.
static void pool_tables(BlockPool pool, Array<int64_t> seqs, TensorView out) {
  check_tensor(out, "out", 2, {I32});
  check_dense(out, "out");
  check_extent(out, 0, int64_t(seqs.size()), "out");
  int64_t w = out.shape()[1];
  auto all = pool->snapshot();
  for (int64_t s : seqs) {
    auto it = all.find(s);
    NEED(it != all.end(), KeyError) << "no sequence " << s;
    NEED(int64_t(it->second.blocks.size()) <= w, ValueError) << "out: sequence " << s << " has more blocks";
  }
  int32_t* to = data_of<int32_t>(out);
  int64_t i = 0;
  for (int64_t s : seqs) {
    const auto& blocks = all[s].blocks;
    int64_t j = 0;
    for (int64_t b : blocks) to[i * w + j++] = int32_t(b);
    while (j < w) to[i * w + j++] = -1;
    ++i;
  }
}

TVM_FFI_DLL_EXPORT_TYPED_FUNC(make_pool, make_pool);
TVM_FFI_DLL_EXPORT_TYPED_FUNC(make_allocator, make_allocator);
TVM_FFI_DLL_EXPORT_TYPED_FUNC(pool_stats, pool_stats);
TVM_FFI_DLL_EXPORT_TYPED_FUNC(pool_tables, pool_tables);
