// SPDX-License-Identifier: Apache-2.0
// Rows of a table by number; numbers below 0 count from the end. Rows are only moved.
namespace {

using x4::ffi::Tensor;
using x4::ffi::TensorView;

bool movable(DLDataType t) {
  return t.lanes == 1 && (t.code == kDLInt || t.code == kDLUInt || t.code == kDLFloat) &&
         (t.bits == 8 || t.bits == 16 || t.bits == 32 || t.bits == 64);
}

class Numbers {
 public:
  explicit Numbers(const TensorView& t)
      : wide_(x4::holds<int64_t>(t.dtype())), data_(x4::bytes_of(t)) {
    if (!wide_ && !x4::holds<int32_t>(t.dtype())) {
      TVM_FFI_THROW(TypeError) << "row numbers must be int32 or int64, not " << t.dtype();
    }
  }
  int64_t operator[](int64_t i) const {
    return wide_ ? reinterpret_cast<const int64_t*>(data_)[i]
                 : reinterpret_cast<const int32_t*>(data_)[i];
  }

 private:
  bool wide_;
  const char* data_;
};

Tensor gather_rows(TensorView table, TensorView rows) {
  if (table.ndim() != 2) TVM_FFI_THROW(ValueError) << "table: 2 dimensions wanted";
  if (rows.ndim() != 1) TVM_FFI_THROW(ValueError) << "rows: 1 dimension wanted";
  if (!movable(table.dtype())) TVM_FFI_THROW(TypeError) << "can't move " << table.dtype();
  Numbers number(rows);
  x4::plain(table, "table");
  x4::plain(rows, "rows");

  const int64_t n = table.size(0), m = rows.size(0);
  const size_t bytes = static_cast<size_t>(table.size(1)) * (table.dtype().bits / 8);
  for (int64_t i = 0; i < m; ++i) {
    if (number[i] < -n || number[i] >= n) {
      TVM_FFI_THROW(IndexError) << "row " << number[i] << " of a table of " << n;
    }
  }
  Tensor out = x4::make({m, table.size(1)}, table.dtype());
  if (bytes != 0) {
    char* to = x4::first<char>(out);
    const char* from = x4::first<char>(table);
    for (int64_t i = 0; i < m; ++i, to += bytes) {
      int64_t r = number[i] < 0 ? number[i] + n : number[i];
      std::memcpy(to, from + static_cast<size_t>(r) * bytes, bytes);
    }
  }
  return out;
}

}  // namespace

TVM_FFI_DLL_EXPORT_TYPED_FUNC(gather_rows, gather_rows);
