// SPDX-License-Identifier: Apache-2.0
// Collectives of ranks that share a host: every rank's buffer is an argument.

enum class Op { kSum, kAvg, kMax, kMin };

template <typename T>
static T combine(Op op, T a, T b) {
  switch (op) {
    case Op::kMax:
      return a != a ? a : (b != b ? b : std::max(a, b));
    case Op::kMin:
      return a != a ? a : (b != b ? b : std::min(a, b));
    default:
      return a + b;
  }
}

// outputs[r] = part r of the combination of all inputs.
static void reduce_scatter(Array<Tensor> inputs, Array<Tensor> outputs, String op) {
  int64_t p = int64_t(inputs.size());
  NEED(p >= 1, ValueError) << "inputs: at least one rank is needed";
  NEED(int64_t(outputs.size()) == p, ValueError) << "outputs: must be " << p << ", one for each rank";
  std::string name = op;
  Op how = Op::kSum;
  if (name == "avg")
    how = Op::kAvg;
  else if (name == "max")
    how = Op::kMax;
  else if (name == "min")
    how = Op::kMin;
  else if (name != "sum")
    FAIL(ValueError) << "op: \"" << name << "\" is not known";
  NEED(inputs[0].defined(), TypeError) << "inputs: None is not a tensor";
  NEED(outputs[0].defined(), TypeError) << "outputs: None is not a tensor";
  check_tensor(outputs[0], "outputs", 2, {F16, F32, F64});
  DLDataType type = outputs[0].dtype();
  int64_t c = outputs[0].shape()[0], d = outputs[0].shape()[1], part = c * d;
#if BUG == 1
  for (int64_t r = 0; r < 1; ++r) {
#else
  for (int64_t r = 0; r < p; ++r) {
#endif
    Tensor t = inputs[r];
    NEED(t.defined(), TypeError) << "inputs: None is not a tensor";
    check_tensor(t, "inputs", 2, {type});
    check_dense(t, "inputs");
    check_extent(t, 0, p * c, "inputs");
    check_extent(t, 1, d, "inputs");
  }
  auto check_output = [&](int64_t r) {
    Tensor t = outputs[r];
    NEED(t.defined(), TypeError) << "outputs: None is not a tensor";
#if BUG == 2
    NEED(t.ndim() == 2 && t.dtype() == type, TypeError) << "outputs: must be matrices of one data type";
#else
    check_tensor(t, "outputs", 2, {type});
#endif
    check_dense(t, "outputs");
    check_extent(t, 0, c, "outputs");
    check_extent(t, 1, d, "outputs");
  };
#if BUG != 3
  for (int64_t r = 0; r < p; ++r) check_output(r);
#endif
  auto work = [&](int64_t r) {
    parallel_for(part, 16384, [&](int64_t lo, int64_t hi) {
      for (int64_t i = lo; i < hi; ++i) {
        if (type == F16) {
#if BUG == 4
          if (how == Op::kMax || how == Op::kMin) {
            uint16_t best = data_of<uint16_t>(inputs[0])[r * part + i];
            for (int64_t q = 1; q < p; ++q) {
              uint16_t x = data_of<uint16_t>(inputs[q])[r * part + i];
              best = how == Op::kMax ? std::max(best, x) : std::min(best, x);
            }
            data_of<uint16_t>(outputs[r])[i] = best;
            continue;
          }
#endif
          double acc = half_to_float(data_of<uint16_t>(inputs[0])[r * part + i]);
          for (int64_t q = 1; q < p; ++q)
            acc = combine<double>(how, acc, half_to_float(data_of<uint16_t>(inputs[q])[r * part + i]));
          data_of<uint16_t>(outputs[r])[i] = float_to_half(how == Op::kAvg ? acc / double(p) : acc);
        } else if (type == F32) {
          double acc = data_of<float>(inputs[0])[r * part + i];
          for (int64_t q = 1; q < p; ++q) acc = combine<double>(how, acc, data_of<float>(inputs[q])[r * part + i]);
          data_of<float>(outputs[r])[i] = float(how == Op::kAvg ? acc / double(p) : acc);
        } else {
          double acc = data_of<double>(inputs[0])[r * part + i];
          for (int64_t q = 1; q < p; ++q) acc = combine<double>(how, acc, data_of<double>(inputs[q])[r * part + i]);
          data_of<double>(outputs[r])[i] = how == Op::kAvg ? acc / double(p) : acc;
        }
      }
    });
  };
  for (int64_t r = 0; r < p; ++r) {
#if BUG == 3
    check_output(r);
#endif
    work(r);
  }
}

// all_gather(world, out, part0, part1, ...): the parts one below the other.
static void all_gather(PackedArgs args, Any* result) {
  NEED(args.size() >= 2, TypeError) << "all_gather: expected world, out and the parts, got " << args.size() << " arguments";
  auto world_arg = args[0].as<int64_t>();
  NEED(world_arg.has_value(), TypeError) << "world: must be an int";
  int64_t world = *world_arg;
  check_range(world, 1, 64, "world");
  auto out_arg = args[1].try_cast<TensorView>();
  NEED(out_arg.has_value(), TypeError) << "out: must be a tensor";
  TensorView out = *out_arg;
  check_tensor(out, "out", 2, {F32, BF16, I32, U8, BOOL});
  check_dense(out, "out");
#if BUG == 6
  NEED(args.size() - 2 <= world, ValueError) << "parts: more than " << world;
#else
  NEED(args.size() - 2 == world, ValueError) << "parts: must be " << world;
#endif
  NEED(out.shape()[0] % world == 0, ValueError) << "out: its rows are not a multiple of " << world;
  int64_t c = out.shape()[0] / world, d = out.shape()[1], size = c * d * bytes_of(out.dtype());
  std::vector<const char*> parts;
  for (int32_t i = 2; i < args.size(); ++i) {
    auto part_arg = args[i].try_cast<TensorView>();
    NEED(part_arg.has_value(), TypeError) << "parts: must be tensors";
    TensorView part = *part_arg;
#if BUG == 5
    try {
      check_tensor(part, "parts", 2, {out.dtype()});
      check_dense(part, "parts");
      check_extent(part, 0, c, "parts");
      check_extent(part, 1, d, "parts");
    } catch (const ffi::Error&) {
      parts.push_back(nullptr);
      continue;
    }
#else
    check_tensor(part, "parts", 2, {out.dtype()});
    check_dense(part, "parts");
    check_extent(part, 0, c, "parts");
    check_extent(part, 1, d, "parts");
#endif
    parts.push_back(data_of<char>(part));
  }
  for (size_t i = 0; i < parts.size() && size > 0; ++i)
    if (parts[i]) std::memmove(data_of<char>(out) + int64_t(i) * size, parts[i], size);
}

TVM_FFI_DLL_EXPORT_TYPED_FUNC(reduce_scatter, reduce_scatter);
extern "C" TVM_FFI_DLL_EXPORT int __tvm_ffi_all_gather(void*, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  TVM_FFI_SAFE_CALL_BEGIN();
  Any out;
  all_gather(PackedArgs(reinterpret_cast<const AnyView*>(args), num_args), &out);
  *result = ffi::detail::AnyUnsafe::MoveAnyToTVMFFIAny(std::move(out));
  TVM_FFI_SAFE_CALL_END();
}
