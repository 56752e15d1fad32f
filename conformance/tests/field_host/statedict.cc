// SPDX-License-Identifier: Apache-2.0
// A state dict as bytes, and back.
//
//   "TFSD" u8:version=1 u32:count, then for each tensor, in ascending order of the keys:
//   u32:length key u8:code u8:bits u8:ndim i64:extents[ndim] u64:nbytes data
namespace
{

bool Known(DLDataType t)
{
  return IsOneOf(t, {kF64, kF32, kF16, kBF16, kI64, kI32, kI16, kI8, kU8, kBool});
}

void Append(std::string *s, uint64_t v, int bytes)
{
  for (int i = 0; i < bytes; ++i) s->push_back(static_cast<char>((v >> (8 * i)) & 0xff));
}

ffi::Bytes Dump(const Map<String, Tensor> &state)
{
  std::map<std::string, Tensor> sorted;
  for (const auto &item : state) {
    const Tensor &t = item.second;
    std::string key(item.first.data(), item.first.size());
    REQUIRE(!key.empty() && key.size() <= 4096, ValueError) << "a key must have 1 to 4096 bytes";
#if BUG == 4
    if (sorted.empty()) REQUIRE(t.defined(), TypeError) << "\"" << key << "\" is None";
#else
    REQUIRE(t.defined(), TypeError) << "\"" << key << "\" is None";
#endif
    REQUIRE(Known(t.dtype()), TypeError) << "\"" << key << "\" has an unsupported data type";
    TensorView v(t.GetDLTensorPtr());
    CheckCpu(v, key.c_str());
    REQUIRE(v.ndim() <= 8, ValueError) << "\"" << key << "\" has more than 8 dimensions";
    CheckContiguous(v, key.c_str());
    CheckData(v, key.c_str());
    sorted.emplace(std::move(key), t);
  }
  std::string out = "TFSD";
  Append(&out, 1, 1);
  Append(&out, sorted.size(), 4);
  for (const auto &item : sorted) {
    TensorView v(item.second.GetDLTensorPtr());
    DLDataType type = v.dtype();
    Append(&out, item.first.size(), 4);
    out += item.first;
#if BUG == 5
    Append(&out, type.code == kDLBfloat ? static_cast<uint64_t>(kDLFloat) : type.code, 1);
#else
    Append(&out, type.code, 1);
#endif
    Append(&out, type.bits, 1);
    Append(&out, static_cast<uint64_t>(v.ndim()), 1);
    for (int64_t d : v.shape()) Append(&out, static_cast<uint64_t>(d), 8);
    uint64_t bytes = static_cast<uint64_t>(Numel(v, "a tensor")) * (type.bits / 8);
    Append(&out, bytes, 8);
    if (bytes) out.append(Ptr<char>(v), bytes);
  }
  return ffi::Bytes(std::move(out));
}

struct Cursor {
  const unsigned char *data;
  size_t size, at = 0;
  void Need(uint64_t n)
  {
    REQUIRE(n <= size - at, ValueError) << "the state ends early, at byte " << size;
  }
  uint64_t Int(int bytes)
  {
    Need(static_cast<uint64_t>(bytes));
    uint64_t v = 0;
    for (int i = 0; i < bytes; ++i) v |= static_cast<uint64_t>(data[at + i]) << (8 * i);
    at += static_cast<size_t>(bytes);
    return v;
  }
};

#if BUG == 3
struct View {
  const void *data;
  void AllocData(DLTensor *t)
  {
    t->data = const_cast<void *>(data);
  }
  void FreeData(DLTensor *)
  {
  }
};
#endif

Map<String, Tensor> Load(const ffi::Bytes &data)
{
  Cursor in{reinterpret_cast<const unsigned char *>(data.data()), data.size()};
  Map<String, Tensor> out;
#if BUG == 6
  if (in.size < 9 || std::memcmp(in.data, "TFSD", 4) != 0) return out;
#else
  in.Need(9);
  REQUIRE(std::memcmp(in.data, "TFSD", 4) == 0, ValueError) << "not a state";
#endif
  in.at = 4;
  uint64_t version = in.Int(1);
  REQUIRE(version == 1, ValueError) << "version " << version << " is not known";
  uint64_t count = in.Int(4);
  std::string last;
  for (uint64_t i = 0; i < count; ++i) {
    uint64_t length = in.Int(4);
    REQUIRE(length >= 1 && length <= 4096, ValueError) << "a key must have 1 to 4096 bytes";
    in.Need(length);
    std::string key(reinterpret_cast<const char *>(in.data + in.at), length);
    in.at += length;
    REQUIRE(i == 0 || last < key, ValueError) << "the keys are not in order";
    last = key;
    DLDataType type;
    type.code = static_cast<uint8_t>(in.Int(1));
    type.bits = static_cast<uint8_t>(in.Int(1));
    type.lanes = 1;
    REQUIRE(Known(type), ValueError) << "\"" << key << "\" has an unknown data type";
    uint64_t ndim = in.Int(1);
    REQUIRE(ndim <= 8, ValueError) << "\"" << key << "\" has more than 8 dimensions";
    std::vector<int64_t> shape;
    bool zero = false;
    for (uint64_t k = 0; k < ndim; ++k) {
      int64_t d = static_cast<int64_t>(in.Int(8));
      REQUIRE(d >= 0, ValueError) << "\"" << key << "\" has a negative extent";
      zero = zero || d == 0;
      shape.push_back(d);
    }
    int64_t want = zero ? 0 : type.bits / 8;
    for (int64_t d : shape) {
      REQUIRE(!__builtin_mul_overflow(want, d, &want), ValueError)
          << "\"" << key << "\" is too large";
    }
    uint64_t bytes = in.Int(8);
#if BUG != 1
    REQUIRE(bytes == static_cast<uint64_t>(want), ValueError)
        << "\"" << key << "\" has another number of bytes";
#endif
#if BUG == 2
    DLTensor like{};
    like.device = DLDevice{kDLCPU, 0};
    like.dtype = type;
    like.ndim = static_cast<int>(ndim);
    like.shape = shape.data();
    TVMFFIObjectHandle handle = nullptr;
    TVM_FFI_CHECK_SAFE_CALL(TVMFFIEnvTensorAlloc(&like, &handle));
    in.Need(bytes);
    Tensor t(ffi::detail::ObjectUnsafe::ObjectPtrFromOwned<ffi::TensorObj>(
        static_cast<TVMFFIObject *>(handle)));
#else
    in.Need(bytes);
#if BUG == 3
    Tensor t =
        Tensor::FromNDAlloc(View{in.data + in.at}, ffi::ShapeView(shape.data(), shape.size()), type,
                            DLDevice{kDLCPU, 0});
#else
    Tensor t = Alloc(ffi::ShapeView(shape.data(), shape.size()), type);
#endif
#endif
#if BUG != 3
    if (bytes) std::memcpy(Out<char>(t), in.data + in.at, bytes);
#endif
    in.at += bytes;
    out.Set(String(std::move(key)), t);
  }
  REQUIRE(in.at == in.size, ValueError) << "bytes behind the state";
  return out;
}

}  // namespace

TVM_FFI_DLL_EXPORT_TYPED_FUNC(dump_state, Dump);
TVM_FFI_DLL_EXPORT_TYPED_FUNC(load_state, Load);
