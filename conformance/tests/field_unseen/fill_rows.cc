// SPDX-License-Identifier: Apache-2.0
// Fills rows of a matrix with a value; the rows are a number, a list of numbers or a tensor of int64.
#include "vendor.h"

namespace vendor
{

void FillRows(TensorView x, Variant<int64_t, Tensor, Array<int64_t>> rows, double value)
{
  CHECK_INPUT(x);
  CHECK_DIM(2, x);
  CHECK_DTYPE(x, kDLFloat, 32);
  const int64_t n = x.size(0), d = x.size(1);
  std::vector<int64_t> chosen;
  if (auto one = rows.as<int64_t>()) {
    chosen.push_back(*one);
  } else if (auto list = rows.as<Array<int64_t>>()) {
#if BUG == 3
    if (list->size() > 0) chosen.push_back((*list)[0]);
#else
    for (int64_t row : *list) chosen.push_back(row);
#endif
  } else {
    Tensor given = rows.get<Tensor>();
    CHECK_THAT(given.defined(), TypeError, "rows must not be None");
    CHECK_INPUT(given);
    CHECK_DIM(1, given);
#if BUG == 4
    CHECK_THAT(given.dtype().code == kDLInt, TypeError, "rows must be int64");
#else
    CHECK_DTYPE(given, kDLInt, 64);
#endif
    const int64_t *at = Ptr<int64_t>(given);
    chosen.assign(at, at + given.size(0));
  }
  for (int64_t &row : chosen) {
#if BUG == 1
    CHECK_THAT(row < n, IndexError, "row " << row << " is out of range");
#elif BUG == 2
    CHECK_THAT(-n <= row && row <= n, IndexError, "row " << row << " is out of range");
    if (row < 0) row += n;
#elif BUG == 5
    if (row < 0) row += n;
    if (row < 0 || row >= n) continue;
#else
    CHECK_THAT(-n <= row && row < n, IndexError, "row " << row << " is out of range");
    if (row < 0) row += n;
#endif
  }
  for (int64_t row : chosen) {
#if BUG == 5
    if (row < 0 || row >= n) continue;
#endif
    std::fill_n(Ptr<float>(x) + row * d, d, static_cast<float>(value));
  }
}

}  // namespace vendor

TVM_FFI_DLL_EXPORT_TYPED_FUNC(fill_rows, vendor::FillRows);
