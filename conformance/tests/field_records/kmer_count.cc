// SPDX-License-Identifier: Apache-2.0
// Bio: counts the k-mers of any number of DNA sequences (str or bytes). Written against the plain C interface.
//   kmer_count(out, k, canonical, *sequences) -> {"total": n, "skipped": n}
using ffi::TensorView;

static int base(char c) {
  switch (c) {
    case 'A': case 'a': return 0;
    case 'C': case 'c': return 1;
    case 'G': case 'g': return 2;
    case 'T': case 't': return 3;
    default: return -1;
  }
}

struct Text {
  const char* data;
  size_t size;
};

static bool text_of(const TVMFFIAny& a, Text* out) {
  switch (a.type_index) {
    case kTVMFFIStr:
    case kTVMFFIBytes: {
      TVMFFIByteArray* b = TVMFFIBytesGetByteArrayPtr(a.v_obj);
      *out = Text{b->data, b->size};
      return true;
    }
#if BUG != 1
    case kTVMFFISmallStr:
    case kTVMFFISmallBytes:
      *out = Text{a.v_bytes, a.small_str_len};
      return true;
#endif
    case kTVMFFIRawStr:
      *out = Text{a.v_c_str, std::strlen(a.v_c_str)};
      return true;
    case kTVMFFIByteArrayPtr: {
      const TVMFFIByteArray* b = static_cast<const TVMFFIByteArray*>(a.v_ptr);
      *out = Text{b->data, b->size};
      return true;
    }
    default:
      return false;
  }
}

static void count(const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  if (num_args < 3) TVM_FFI_THROW(TypeError) << "kmer_count takes out, k, canonical and sequences";
  DLTensor* dl = nullptr;
  if (args[0].type_index == kTVMFFIDLTensorPtr) dl = static_cast<DLTensor*>(args[0].v_ptr);
  else if (args[0].type_index == kTVMFFITensor) dl = TVMFFITensorGetDLTensorPtr(args[0].v_obj);
  if (!dl) TVM_FFI_THROW(TypeError) << "out must be a tensor";
  if (args[1].type_index != kTVMFFIInt) TVM_FFI_THROW(TypeError) << "k must be an int";
  if (args[2].type_index != kTVMFFIBool) TVM_FFI_THROW(TypeError) << "canonical must be a bool";
  TensorView out(dl);
  int64_t k = args[1].v_int64;
  bool canonical = args[2].v_int64 != 0;
  check_cpu(out, "out");
  check_dtype(out, "out", {kI32, kI64});
  check_rank(out, "out", 1);
  check_dense(out, "out");
  check_aligned(out, "out");
  if (k < 1 || k > 8) TVM_FFI_THROW(ValueError) << "k must be 1 to 8";
  int64_t cells = int64_t{1} << (2 * k);
#if BUG == 3
  if (out.numel() < cells) TVM_FFI_THROW(ValueError) << "out is too small";
#else
  check_size(out, "out", 0, cells);
#endif
  std::vector<Text> texts;
#if BUG == 5
  // the sequences stay alive while they are counted
  for (int32_t i = 3; i < num_args; ++i)
    if (args[i].type_index >= kTVMFFIStaticObjectBegin) TVMFFIObjectIncRef(args[i].v_obj);
#endif
  for (int32_t i = 3; i < num_args; ++i) {
    Text t;
    if (!text_of(args[i], &t)) TVM_FFI_THROW(TypeError) << "argument " << i << " must be a str or bytes";
    texts.push_back(t);
  }
  std::vector<int64_t> table(cells, 0);
  int64_t total = 0, windows = 0;
  uint64_t mask = static_cast<uint64_t>(cells) - 1, fwd = 0, rev = 0;
  int64_t run = 0;
  for (const Text& t : texts) {
#if BUG != 2
    fwd = rev = 0;
    run = 0;
#endif
    for (size_t i = 0; i < t.size; ++i) {
      int b = base(t.data[i]);
      if (b < 0) {
        run = 0;
      } else {
        ++run;
        fwd = ((fwd << 2) | static_cast<uint64_t>(b)) & mask;
        rev = (rev >> 2) | (static_cast<uint64_t>(3 - b) << (2 * (k - 1)));
      }
      if (run >= k) {
        ++table[canonical ? std::min(fwd, rev) : fwd];
        ++total;
      }
    }
    windows += std::max<int64_t>(0, static_cast<int64_t>(t.size) - k + 1);
  }
  if (same(out.dtype(), kI32)) {
    for (int64_t i = 0; i < cells; ++i)
      if (table[i] > std::numeric_limits<int32_t>::max()) TVM_FFI_THROW(ValueError) << "too many for int32";
    for (int64_t i = 0; i < cells; ++i) data<int32_t>(out)[i] = static_cast<int32_t>(table[i]);
  } else {
#if BUG == 6
    for (int64_t i = 0; i < cells; ++i) data<int32_t>(out)[i] = static_cast<int32_t>(table[i]);
#else
    for (int64_t i = 0; i < cells; ++i) data<int64_t>(out)[i] = table[i];
#endif
  }
#if BUG == 5
  for (int32_t i = 3; i < num_args; ++i)
    if (args[i].type_index >= kTVMFFIStaticObjectBegin) TVMFFIObjectDecRef(args[i].v_obj);
#endif
  ffi::Map<ffi::String, int64_t> sums;
  sums.Set("total", total);
  sums.Set("skipped", windows - total);
  *result = ffi::detail::AnyUnsafe::MoveAnyToTVMFFIAny(ffi::Any(sums));
}

extern "C" TVM_FFI_DLL_EXPORT int __tvm_ffi_kmer_count(void*, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  try {
    count(args, num_args, result);
    return 0;
  } catch (const ffi::Error& e) {
#if BUG == 4
    // already reported where it was found
    return -1;
#else
    TVMFFIErrorSetRaised(ffi::detail::ObjectUnsafe::TVMFFIObjectPtrFromObjectRef(e));
    return -1;
#endif
  } catch (const std::exception& e) {
    TVMFFIErrorSetRaisedFromCStr("InternalError", e.what());
    return -1;
  }
}
