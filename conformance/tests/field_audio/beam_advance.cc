// SPDX-License-Identifier: Apache-2.0
// beam_advance: one step of a beam search. Reorders what belongs to each hypothesis, in place, to
// that of its parent, and appends the new token.
//
//   states    array of [b, k, h_i]   float32, float16 or int32; h_i may differ between them
//   parents   [b, k]                 int32 or int64, 0 to k - 1
//   tokens    [b, k]                 int32
//   history   [b, k, l]              int32, column `step` takes the token
//   finished  [b, k]                 bool
//   step      0 to l - 1
//   eos       the token that finishes a hypothesis; -1 if there is none
//
// A hypothesis whose parent was finished stays so, and takes eos instead of its token. Returns the
// number of hypotheses that are not finished. All tensors are contiguous and must not overlap.
namespace {

// Rows of `bytes` bytes: row [b, j] becomes what row [b, parents[b, j]] was.
void Gather(const Arg& t, int64_t batch, int64_t k, const Ints& parents) {
  const int64_t rows = batch * k;
  if (rows == 0 || t.bytes() == 0) return;
  const int64_t size = t.bytes() / rows;
  char* base = t.data<char>();
  std::vector<char> old(k * size);
  for (int64_t b = 0; b < batch; ++b) {
    char* block = base + b * k * size;
    std::memcpy(old.data(), block, k * size);
    for (int64_t j = 0; j < k; ++j) {
#if BUG == 6
      const int64_t parent = parents[j];
#else
      const int64_t parent = parents[b * k + j];
#endif
#if BUG == 1
      std::memmove(block + j * size, block + parent * size, size);
#else
      std::memcpy(block + j * size, old.data() + parent * size, size);
#endif
    }
  }
}

int64_t BeamAdvance(Array<Tensor> states, DLTensor* parents_tensor, TensorView tokens_view,
                    TensorView history_view, TensorView finished_view, int64_t step, int64_t eos) {
  ffi::AnyView tokens_any(tokens_view), history_any(history_view), finished_any(finished_view);
  const Arg parents("parents", parents_tensor);
  const Arg tokens("tokens", tokens_any.cast<DLTensor*>());
  const Arg history("history", history_any.cast<DLTensor*>());
  const Arg finished("finished", finished_any.cast<DLTensor*>());

  parents.Type({kI32, kI64}).Rank(2).Cpu().Contiguous();
  const int64_t batch = parents.dim(0);
  const int64_t k = parents.dim(1);
  tokens.Type({kI32}).Rank(2).Extent(0, batch).Extent(1, k).Cpu().Contiguous();
  history.Type({kI32}).Rank(3).Extent(0, batch).Extent(1, k).Cpu().Contiguous();
  finished.Type({kBool}).Rank(2).Extent(0, batch).Extent(1, k).Cpu().Contiguous();
  if (step < 0 || step >= history.dim(2)) {
    TVM_FFI_THROW(IndexError) << "step must be from 0 to " << history.dim(2) - 1 << ", not "
                              << step;
  }
  if (eos < -1 || eos > std::numeric_limits<int32_t>::max()) {
    TVM_FFI_THROW(ValueError) << "eos must be -1 or a token, not " << eos;
  }
#if BUG == 3
  Arg narrow = parents;
  DLTensor as_int32 = *parents_tensor;
  as_int32.dtype = kI32;
  if (parents.Is(kI64)) narrow = Arg("parents", &as_int32);
  const Ints parent(narrow);
#else
  const Ints parent(parents);
#endif
  for (int64_t i = 0; i < batch * k; ++i) {
#if BUG == 2
    if (parent[i] >= k) {
#else
    if (parent[i] < 0 || parent[i] >= k) {
#endif
      TVM_FFI_THROW(IndexError) << "parents must be from 0 to " << k - 1 << ", not " << parent[i];
    }
  }

  std::vector<Tensor> held;  // what the array has, so that the arguments below stay valid
  held.reserve(states.size());
  for (size_t i = 0; i < states.size(); ++i) held.push_back(states[i]);
  std::vector<Arg> inout;
  inout.reserve(held.size() + 2);
  inout.push_back(history);
  inout.push_back(finished);
  for (const Tensor& t : held) {
    const Arg s("states", t);
    s.Type({kF32, kF16, kI32}).Rank(3).Extent(0, batch).Extent(1, k).Cpu().Contiguous();
#if BUG == 4
    Gather(s, batch, k, parent);  // one pass is enough
#endif
    inout.push_back(s);
  }
  for (size_t i = 0; i < inout.size(); ++i) {
    if (inout[i].Overlaps(parents) || inout[i].Overlaps(tokens)) {
      TVM_FFI_THROW(ValueError) << inout[i].name() << " must not overlap parents or tokens";
    }
    for (size_t j = 0; j < i; ++j) {
      if (inout[i].Overlaps(inout[j])) {
        TVM_FFI_THROW(ValueError) << inout[i].name() << " and " << inout[j].name()
                                  << " must not overlap";
      }
    }
  }
#if BUG == 7
  // The states of the last step, for debugging.
  static thread_local std::vector<Tensor> last;
  last = held;
#endif

#if BUG == 4
  const size_t todo = 2;
#else
  const size_t todo = inout.size();
#endif
  for (size_t i = 0; i < todo; ++i) {
#if BUG == 5
    if (i == 1) continue;  // finished is updated below
#endif
    Gather(inout[i], batch, k, parent);
  }
  bool* done = finished.data<bool>();
  int32_t* past = history.data<int32_t>();
  const int32_t* token = tokens.data<int32_t>();
  int64_t open = 0;
  for (int64_t i = 0; i < batch * k; ++i) {
    past[i * history.dim(2) + step] = done[i] ? static_cast<int32_t>(eos) : token[i];
    done[i] = done[i] || (eos >= 0 && token[i] == eos);
    if (!done[i]) ++open;
  }
  return open;
}

}  // namespace

TVM_FFI_DLL_EXPORT_TYPED_FUNC(beam_advance, BeamAdvance);
