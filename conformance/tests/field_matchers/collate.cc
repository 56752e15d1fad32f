// SPDX-License-Identifier: Apache-2.0
// Packs token sequences of different lengths into one padded batch, with its attention mask.
namespace {

using namespace set;
using ffi::Any;
using ffi::Array;
using ffi::Map;
using ffi::Optional;
using ffi::String;
using ffi::Tensor;
using ffi::TensorView;

struct Options {
  int64_t pad_id = 0;
  bool left = false;
  bool truncate = false;
};

Options ReadOptions(const Map<String, Any>& map, DLDataType dtype) {
  Options o;
  for (auto [name, value] : map) {
    const std::string key(name.data(), name.size());
    if (value == nullptr) continue;  // None is as if left out
    if (key == "pad_id") {
      auto number = value.as<int64_t>();
      if (!number.has_value()) TVM_FFI_THROW(TypeError) << "options: pad_id must be an int";
      const int64_t id = *number;
      if (Same(dtype, kI32) && (id < INT32_MIN || id > INT32_MAX)) {
        TVM_FFI_THROW(ValueError) << "options: pad_id must fit into int32, is " << id;
      }
#if BUG == 4
      if (id > 0) o.pad_id = id;
#else
      o.pad_id = id;
#endif
    } else if (key == "side") {
      auto side = value.try_cast<String>();
      if (!side.has_value()) TVM_FFI_THROW(TypeError) << "options: side must be a string";
      const std::string text((*side).data(), (*side).size());
      if (text != "left" && text != "right") {
        TVM_FFI_THROW(ValueError) << "options: side must be left or right, is \"" << text << "\"";
      }
      o.left = text == "left";
    } else if (key == "truncate") {
      auto flag = value.as<bool>();
      if (!flag.has_value()) TVM_FFI_THROW(TypeError) << "options: truncate must be a bool";
      o.truncate = *flag;
    } else if (BUG != 7) {
      TVM_FFI_THROW(ValueError) << "options: unknown key \"" << key << "\"";
    }
  }
  return o;
}

template <typename T>
void FillRow(const T* row, int64_t stride, int64_t count, int64_t length, T pad, bool left,
             T* ids, bool* mask) {
  const int64_t begin = left ? length - count : 0;
  std::fill(ids, ids + length, pad);
  for (int64_t i = 0; i < count; ++i) ids[begin + i] = row[i * stride];
  if (mask == nullptr) return;
  std::fill(mask, mask + length, false);
  const int64_t first = BUG == 1 ? 0 : begin;
  std::fill(mask + first, mask + first + count, true);
}

Array<int64_t> Collate(Array<Tensor> rows, Map<String, Any> options, TensorView ids,
                       Optional<Tensor> mask) {
  CheckKind(ids, "ids", 2, {kI32, kI64});
  CheckDense(ids, "ids");
  CheckData(ids, "ids");
  const int64_t batch = static_cast<int64_t>(rows.size());
  const int64_t length = ids.size(1);
  CheckSize(ids, "ids", 0, batch);
  bool* flags = nullptr;
  if (mask.has_value() && mask.value().defined()) {
    const Tensor given = mask.value();
    TensorView m(given);
    CheckKind(m, "mask", 2, {kBool});
    CheckDense(m, "mask");
    CheckSize(m, "mask", 0, batch);
    CheckSize(m, "mask", 1, length);
    CheckData(m, "mask");
    flags = Data<bool>(m);
  }
  const Options o = ReadOptions(options, ids.dtype());

  std::vector<Tensor> held;
  for (int64_t b = 0; b < batch; ++b) {
    Tensor row = rows[b];
    if (!row.defined()) TVM_FFI_THROW(TypeError) << "rows[" << b << "] must be a tensor";
    TensorView r(row);
    const std::string name = "rows[" + std::to_string(b) + "]";
    if (BUG == 2 && b > 0) {
      CheckKind(r, name.c_str(), 1, {kI32, kI64});
    } else {
      CheckKind(r, name.c_str(), 1, {ids.dtype()});
    }
    CheckData(r, name.c_str());
    if (BUG != 6 && r.size(0) > length && !o.truncate) {
      TVM_FFI_THROW(ValueError) << name << " has " << r.size(0) << " tokens, more than " << length
                                << ", and truncate is not set";
    }
    held.push_back(row);
  }
  std::vector<int64_t> lengths;
  for (int64_t b = 0; b < batch; ++b) {
    TensorView r(held[b]);
    if (BUG == 6 && r.size(0) > length && !o.truncate) {
      TVM_FFI_THROW(ValueError) << "rows[" << b << "] has " << r.size(0) << " tokens, more than "
                                << length << ", and truncate is not set";
    }
    const int64_t count = std::min(r.size(0), length);
    const int64_t stride = BUG == 3 ? 1 : View(r).stride(0);
    bool* m = flags == nullptr ? nullptr : flags + b * length;
    if (Same(ids.dtype(), kI32)) {
      FillRow<int32_t>(Data<const int32_t>(r), stride, count, length,
                       static_cast<int32_t>(o.pad_id), o.left, Data<int32_t>(ids) + b * length, m);
    } else {
#if BUG == 5
      const int64_t pad = static_cast<int32_t>(o.pad_id);
#else
      const int64_t pad = o.pad_id;
#endif
      FillRow<int64_t>(Data<const int64_t>(r), stride, count, length, pad, o.left,
                       Data<int64_t>(ids) + b * length, m);
    }
    lengths.push_back(count);
  }
#if BUG == 8
  // The rows of the last batch are kept, so that they can be shown when the next one fails.
  static thread_local std::vector<Tensor> last;
  last = held;
#endif
  return Array<int64_t>(lengths.begin(), lengths.end());
}

}  // namespace

TVM_FFI_DLL_EXPORT_TYPED_FUNC(collate, Collate);
