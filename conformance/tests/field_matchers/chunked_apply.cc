// SPDX-License-Identifier: Apache-2.0
// Scores the rows of a matrix with a callback of the user's, a number of rows at a time.
namespace {

using namespace set;
using ffi::Any;
using ffi::Function;
using ffi::Optional;
using ffi::Tensor;
using ffi::TensorView;

#if BUG == 5
// A part of x itself, without a copy.
struct PartOf {
  void AllocData(DLTensor* t, const char* data) { t->data = const_cast<char*>(data); }
  void FreeData(DLTensor*) {}
};
#endif

// The callback may keep what it is given, so that each part is memory of its own.
Tensor CopyRows(const TensorView& x, int64_t begin, int64_t count) {
  const size_t row = static_cast<size_t>(x.size(1)) * (x.dtype().bits / 8);
#if BUG == 5
  return Tensor::FromNDAlloc(PartOf(), ffi::Shape({count, x.size(1)}), x.dtype(), x.device(),
                             Data<const char>(x) + begin * row);
#else
  Tensor part = NewTensor({count, x.size(1)}, x.dtype());
  if (row != 0) std::memcpy(part.data_ptr(), Data<const char>(x) + begin * row, count * row);
  return part;
#endif
}

// Writes the scores of one part, which must be as many as its rows.
void TakeScores(const Any& result, const TensorView& x, int64_t count, char* to) {
  auto scores = result.as<Tensor>();
  if (!scores.has_value() || !(*scores).defined()) {
    TVM_FFI_THROW(TypeError) << "f must return a tensor, returned " << result.GetTypeKey();
  }
  const Tensor tensor = *scores;
  TensorView s(tensor);
#if BUG == 3
  CheckKind(s, "the result of f", 1, {kF32, kF64});
#else
  CheckKind(s, "the result of f", 1, {x.dtype()});
#endif
  CheckDense(s, "the result of f");
#if BUG != 2
  CheckSize(s, "the result of f", 0, count);
#endif
  CheckData(s, "the result of f");
  std::memcpy(to, Data<const char>(s), static_cast<size_t>(count) * (x.dtype().bits / 8));
#if BUG == 10
  // Keeps the result until it was copied.
  Tensor* keep = new Tensor(tensor);
  (void)keep;
#endif
}

#if BUG == 8
std::mutex g_mutex;
#endif

int64_t ChunkedApply(TensorView x, int64_t chunk, Function f, TensorView out,
                     Optional<Function> progress) {
  CheckKind(x, "x", 2, {kF32, kF64});
  CheckKind(out, "out", 1, {x.dtype()});
  CheckDense(x, "x");
  CheckDense(out, "out");
  CheckSize(out, "out", 0, x.size(0));
  CheckData(x, "x");
  CheckData(out, "out");
  if (chunk < 1) TVM_FFI_THROW(ValueError) << "chunk must be at least 1, is " << chunk;
  if (!f.defined()) TVM_FFI_THROW(TypeError) << "f must be a function";
  const bool asks = progress.has_value() && progress.value().defined();
#if BUG == 8
  // Callbacks of several callers are not to run at a time.
  std::lock_guard<std::mutex> lock(g_mutex);
#endif
  const int64_t rows = x.size(0);
  const size_t item = x.dtype().bits / 8;
  // Written to out at the end: if a callback fails, out is as it was.
  std::vector<char> scores(static_cast<size_t>(rows) * item);
  char* to = BUG == 9 ? Data<char>(out) : scores.data();
  int64_t done = 0;
  while (done < rows) {
    const int64_t count = std::min(chunk, rows - done);
    if (BUG == 1 && count < chunk && done > 0) break;
    Tensor part = CopyRows(x, done, count);
#if BUG == 4
    try {
      TakeScores(f(part), x, count, to + done * item);
    } catch (const std::exception&) {
      std::memset(to + done * item, 0, count * item);
    }
#else
    TakeScores(f(part), x, count, to + done * item);
#endif
    const int64_t before = done;
    done += count;
    if (!asks) continue;
    const Any answer = progress.value()(BUG == 7 ? before : done, rows);
    auto more = answer.as<bool>();
    if (!more.has_value()) {
      TVM_FFI_THROW(TypeError) << "progress must return a bool, returned " << answer.GetTypeKey();
    }
    if (BUG != 6 && !*more) break;
  }
  // Rows that were not scored have 0.
  if (done < rows) std::memset(to + done * item, 0, (rows - done) * item);
  if (BUG != 9 && rows > 0) std::memcpy(Data<char>(out), to, rows * item);
  return done;
}

}  // namespace

TVM_FFI_DLL_EXPORT_TYPED_FUNC(chunked_apply, ChunkedApply);
