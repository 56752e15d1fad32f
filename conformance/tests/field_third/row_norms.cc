// SPDX-License-Identifier: Apache-2.0
// Norms of the rows of a matrix, on as many threads as the caller says.
#include "kit.h"

namespace kit
{

template <typename T>
static double Norm(const T *row, int64_t d, double order)
{
#if BUG == 2
  static std::vector<double> scratch;
#else
  std::vector<double> scratch;
#endif
  scratch.resize(d);
  for (int64_t j = 0; j < d; ++j) scratch[j] = std::fabs(static_cast<double>(row[j]));
  double sum = 0, top = 0;
  for (const double a : scratch) {
    top = std::max(top, a);
    sum += order == 1 ? a : a * a;
  }
  return std::isinf(order) ? top : order == 1 ? sum : std::sqrt(sum);
}

void RowNorms(TensorView x, TensorView out, Variant<int64_t, String> order, int64_t num_threads)
{
  Dense(x, 2, "x");
  Dense(out, 1, "out");
  const bool wide = Is(x, kDLFloat, 64);
  Typed(wide || IsF32(x), "x");
#if BUG == 6
  Typed(IsF32(out) || Is(out, kDLFloat, 64), "out");
#else
  Typed(SameDtype(x, out), "out");
#endif
  Extent(out, 0, x.size(0), "out");
  double power = 0;
  if (const auto name = order.as<String>()) {
#if BUG == 5
    TVM_FFI_CHECK(std::strncmp(name.value().c_str(), "inf", 3) == 0, ValueError)
#else
    TVM_FFI_CHECK(name.value() == "inf", ValueError)
#endif
        << "order: expected 1, 2 or inf";
    power = std::numeric_limits<double>::infinity();
  } else {
    power = static_cast<double>(order.get<int64_t>());
    TVM_FFI_CHECK(power == 1 || power == 2, ValueError) << "order: expected 1, 2 or inf";
  }
#if BUG == 3
  TVM_FFI_CHECK(num_threads <= 64, ValueError) << "num_threads must be in [1, 64]";
#else
  TVM_FFI_CHECK(1 <= num_threads && num_threads <= 64, ValueError)
      << "num_threads must be in [1, 64]";
#endif
  const int64_t rows = x.size(0), d = x.size(1);
#if BUG == 1
  const int64_t share = rows / num_threads;
#else
  const int64_t share = (rows + num_threads - 1) / num_threads;
#endif
#if BUG == 4
  static const void *last = nullptr;
  static double last_power = -1;
  static std::vector<double> kept;
  static std::mutex guard;
  std::lock_guard<std::mutex> held(guard);
  if (last != x.data_ptr() || last_power != power || kept.size() != static_cast<size_t>(rows)) {
    last = x.data_ptr();
    last_power = power;
    kept.clear();
    for (int64_t i = 0; i < rows; ++i)
      kept.push_back(wide ? Norm(Data<double>(x) + i * d, d, power)
                          : Norm(Data<float>(x) + i * d, d, power));
  }
  for (int64_t i = 0; i < rows; ++i) {
    if (wide)
      Data<double>(out)[i] = kept[i];
    else
      Data<float>(out)[i] = static_cast<float>(kept[i]);
  }
  (void)share;
#else
  auto work = [&](int64_t from, int64_t to) {
    for (int64_t i = from; i < to; ++i) {
      const double norm =
          wide ? Norm(Data<double>(x) + i * d, d, power) : Norm(Data<float>(x) + i * d, d, power);
      if (wide)
        Data<double>(out)[i] = norm;
      else
        Data<float>(out)[i] = static_cast<float>(norm);
    }
  };
  std::vector<std::thread> threads;
  for (int64_t t = 1; t < num_threads && t * share < rows; ++t)
    threads.emplace_back(work, t * share, std::min(rows, (t + 1) * share));
  work(0, std::min(rows, share));
  for (std::thread &thread : threads) thread.join();
#endif
}

}  // namespace kit

TVM_FFI_DLL_EXPORT_TYPED_FUNC(row_norms, kit::RowNorms);
