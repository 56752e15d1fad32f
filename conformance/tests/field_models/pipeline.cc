// SPDX-License-Identifier: Apache-2.0
// Pipeline parallel training: the order of steps of one stage, and running it with callbacks.
using namespace q1;

struct Step {
  bool backward;
  int64_t microbatch;
};

static std::vector<Step> plan(int64_t stages, int64_t rank, int64_t m, const String& mode) {
  REQUIRE(stages >= 1 && stages <= 1024, ValueError, "stages: must be in [1, 1024]");
#if BUG == 6
  REQUIRE(rank >= 0 && rank <= stages, ValueError, "rank: must be in [0, stages)");
#else
  REQUIRE(rank >= 0 && rank < stages, ValueError, "rank: must be in [0, stages)");
#endif
  std::vector<Step> steps;
  steps.reserve(2 * m);
  if (mode == "gpipe") {
    for (int64_t i = 0; i < m; ++i) steps.push_back({false, i});
    for (int64_t i = m - 1; i >= 0; --i) steps.push_back({true, i});
  } else if (mode == "1f1b") {
    const int64_t warmup = std::min(m, stages - rank - 1);
    for (int64_t i = 0; i < warmup; ++i) steps.push_back({false, i});
    for (int64_t i = warmup; i < m; ++i) {
      steps.push_back({false, i});
      steps.push_back({true, i - warmup});
    }
    for (int64_t i = m - warmup; i < m; ++i) steps.push_back({true, i});
  } else {
    TVM_FFI_THROW(ValueError) << "mode: expected gpipe or 1f1b";
  }
  return steps;
}

static Tensor pipeline_schedule(int64_t stages, int64_t rank, int64_t microbatches, String mode) {
  REQUIRE(microbatches >= 0 && microbatches <= 4096, ValueError, "microbatches: must be in [0, 4096]");
  const auto steps = plan(stages, rank, microbatches, mode);
  Tensor table = alloc({2 * microbatches, 2}, kI32, DLDevice{kDLCPU, 0});
  int32_t* p = reinterpret_cast<int32_t*>(static_cast<char*>(table.data_ptr()) + table.byte_offset());
  for (size_t i = 0; i < steps.size(); ++i) {
    p[2 * i] = steps[i].backward;
    p[2 * i + 1] = static_cast<int32_t>(steps[i].microbatch);
  }
  return table;
}

#if BUG == 7
struct Borrowed {
  void AllocData(DLTensor* t, void* data) { t->data = data; }
  void FreeData(DLTensor*) {}
};
#endif

static double number(const Any& value, const char* what) {
  auto v = value.try_cast<double>();
  REQUIRE(v.has_value(), TypeError, what << ": returned no number");
#if BUG == 3
  return *v;
#else
  REQUIRE(std::isfinite(*v), ValueError, what << ": not finite");
  return *v;
#endif
}

static double run_pipeline(TensorView x, int64_t stages, int64_t rank, String mode, Function forward,
                           Optional<Function> backward, TensorView losses, Optional<Tensor> norms) {
  check_rank(x, 2, "x");
  REQUIRE(same(x.dtype(), kF32) || same(x.dtype(), kF64), TypeError, "x: expected float32 or float64");
  check_cpu(x, "x");
  check_aligned(x, "x");
  check_contiguous(x, "x");
  const int64_t m = x.shape()[0], d = x.shape()[1];
  REQUIRE(m >= 1, ValueError, "x: no microbatches");
  auto check_numbers = [&](const TensorView& t, const char* name) {
    check_rank(t, 1, name);
    check_dtype(t, kF64, name);
    check_size(t, 0, m, name);
    check_cpu(t, name);
    check_aligned(t, name);
    check_contiguous(t, name);
  };
  check_numbers(losses, "losses");
  if (norms.has_value()) {
    check_numbers(view(norms), "norms");
    REQUIRE(backward.has_value(), ValueError, "norms: need a backward function");
  }
  const auto steps = plan(stages, rank, m, mode);
  const int64_t row = d * (x.dtype().bits / 8);
  double* lp = ptr<double>(losses);
#if BUG == 4
  static std::vector<double> loss, norm;
  loss.assign(m, 0);
  norm.assign(m, 0);
#else
  std::vector<double> loss(m), norm(m);
#endif
  for (const Step& step : steps) {
    const int64_t i = step.microbatch;
    if (!step.backward) {
#if BUG == 7
      Tensor part = Tensor::FromNDAlloc(Borrowed(), Shape({d}), x.dtype(), x.device(), base(x) + i * row);
#else
      Tensor part = alloc({d}, x.dtype(), x.device());
      if (row) std::memcpy(static_cast<char*>(part.data_ptr()) + part.byte_offset(), base(x) + i * row, row);
#endif
#if BUG == 2
      TVMFFIObjectHandle handle = ffi::detail::ObjectUnsafe::TVMFFIObjectPtrFromObjectRef(part);
      TVMFFIObjectIncRef(handle);
      loss[i] = number(forward(i, part), "forward");
      TVMFFIObjectDecRef(handle);
#else
      loss[i] = number(forward(i, part), "forward");
#endif
#if BUG == 5
      lp[i] = loss[i];
#endif
    } else if (backward.has_value()) {
#if BUG == 1
      try {
        norm[i] = number(backward.value()(i, loss[i]), "backward");
      } catch (const ffi::Error&) {
        norm[i] = 0;
      }
#else
      norm[i] = number(backward.value()(i, loss[i]), "backward");
#endif
    }
  }
  double sum = 0;
  for (int64_t i = 0; i < m; ++i) sum += lp[i] = loss[i];
  if (norms.has_value()) {
    double* np = ptr<double>(view(norms));
    for (int64_t i = 0; i < m; ++i) np[i] = norm[i];
  }
  return sum / static_cast<double>(m);
}

TVM_FFI_DLL_EXPORT_TYPED_FUNC(pipeline_schedule, pipeline_schedule);
TVM_FFI_DLL_EXPORT_TYPED_FUNC(run_pipeline, run_pipeline);
