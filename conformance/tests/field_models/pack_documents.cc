// SPDX-License-Identifier: Apache-2.0
// Packs tokenized documents into rows of one length, for training without padding most of it.
using namespace q1;

static Map<String, Tensor> pack(ffi::PackedArgs args) {
  REQUIRE(args.size() >= 3, TypeError, "expected row_len, pad, device and documents");
  auto number = [&](int i, const char* name) -> int64_t {
    auto v = args[i].as<int64_t>();
    REQUIRE(v.has_value(), TypeError, name << ": expected an int");
    return *v;
  };
  const int64_t row_len = number(0, "row_len"), pad = number(1, "pad");
  auto device = args[2].as<DLDevice>();
  REQUIRE(device.has_value(), TypeError, "device: expected a device");
  REQUIRE(row_len >= 1 && row_len <= 4096, ValueError, "row_len: must be in [1, 4096]");
#if BUG == 6
  device->device_type = kDLCPU;
  device->device_id = 0;
#else
  REQUIRE(device->device_type == kDLCPU && device->device_id == 0, ValueError, "device: must be the CPU");
#endif
  REQUIRE(args.size() >= 4, ValueError, "docs: there are none");
  std::vector<TensorView> docs;
  for (int i = 3; i < args.size(); ++i) {
    auto doc = args[i].try_cast<TensorView>();
    REQUIRE(doc.has_value(), TypeError, "docs: expected tensors");
    docs.push_back(*doc);
  }
  const DLDataType T = docs[0].dtype();
  REQUIRE(same(T, kI32) || same(T, kI64), TypeError, "docs: expected int32 or int64");
  const bool wide = same(T, kI64);
#if BUG != 5
  REQUIRE(wide || (pad >= std::numeric_limits<int32_t>::min() && pad <= std::numeric_limits<int32_t>::max()), ValueError,
          "pad: is no int32");
#endif
  for (const TensorView& doc : docs) {
    check_rank(doc, 1, "docs");
#if BUG != 3
    check_dtype(doc, T, "docs");
#endif
    check_cpu(doc, "docs");
    check_aligned(doc, "docs");
  }
  struct Place {
    int64_t row, column;
  };
  std::vector<Place> places;
#if BUG == 7
  static thread_local std::vector<int64_t> used;
#else
  std::vector<int64_t> used;
#endif
  for (const TensorView& doc : docs) {
    const int64_t length = doc.shape()[0];
#if BUG == 2
    REQUIRE(length <= row_len + 1, ValueError, "docs: longer than a row");
#else
    REQUIRE(length <= row_len, ValueError, "docs: longer than a row");
#endif
    if (length == 0) {
      places.push_back({0, 0});
      continue;
    }
    size_t row = 0;
    while (row < used.size() && used[row] + length > row_len) ++row;
    if (row == used.size()) used.push_back(0);
    places.push_back({static_cast<int64_t>(row), used[row]});
    used[row] += length;
  }
  const int64_t rows = static_cast<int64_t>(used.size());
  Tensor tokens = alloc({rows, row_len}, T, *device);
  Tensor positions = alloc({rows, row_len}, kI32, *device);
  Tensor segments = alloc({rows, row_len}, kI32, *device);
  char* tp = static_cast<char*>(tokens.data_ptr()) + tokens.byte_offset();
  int32_t* pp = reinterpret_cast<int32_t*>(static_cast<char*>(positions.data_ptr()) + positions.byte_offset());
  int32_t* sp = reinterpret_cast<int32_t*>(static_cast<char*>(segments.data_ptr()) + segments.byte_offset());
  auto put = [&](int64_t at, int64_t token, int64_t position, int64_t segment) {
    if (wide) {
      reinterpret_cast<int64_t*>(tp)[at] = token;
    } else {
      reinterpret_cast<int32_t*>(tp)[at] = static_cast<int32_t>(token);
    }
    pp[at] = static_cast<int32_t>(position);
    sp[at] = static_cast<int32_t>(segment);
  };
  for (int64_t r = 0; r < rows; ++r) {
    for (int64_t c = used[r]; c < row_len; ++c) {
#if BUG == 1
      if (wide) {
        reinterpret_cast<int64_t*>(tp)[r * row_len + c] = pad;
      } else {
        reinterpret_cast<int32_t*>(tp)[r * row_len + c] = static_cast<int32_t>(pad);
      }
      sp[r * row_len + c] = 0;
#else
      put(r * row_len + c, pad, 0, 0);
#endif
    }
  }
  for (size_t i = 0; i < docs.size(); ++i) {
    const char* p = base(docs[i]);
#if BUG == 4
    const int64_t stride = 1;
#else
    const int64_t stride = strides_of(docs[i])[0];
#endif
    for (int64_t j = 0; j < docs[i].shape()[0]; ++j) {
      const int64_t token = wide ? reinterpret_cast<const int64_t*>(p)[j * stride]
                                 : reinterpret_cast<const int32_t*>(p)[j * stride];
      put(places[i].row * row_len + places[i].column + j, token, j, static_cast<int64_t>(i) + 1);
    }
  }
#if BUG == 7
  used.clear();
#endif
  Map<String, Tensor> result;
  result.Set("tokens", tokens);
  result.Set("positions", positions);
  result.Set("segments", segments);
  return result;
}

static void pack_documents(ffi::PackedArgs args, Any* result) { *result = pack(args); }

// The typed macro has no place for any number of arguments: the same wrapper, written out.
extern "C" TVM_FFI_DLL_EXPORT int __tvm_ffi_pack_documents(void*, const TVMFFIAny* args, int32_t num_args,
                                                          TVMFFIAny* result) {
  TVM_FFI_SAFE_CALL_BEGIN();
  pack_documents(ffi::PackedArgs(reinterpret_cast<const AnyView*>(args), num_args), reinterpret_cast<Any*>(result));
  TVM_FFI_SAFE_CALL_END();
}
