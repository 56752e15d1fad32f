// SPDX-License-Identifier: Apache-2.0
// A module with state: moving averages of vectors, by name, from one call to the next.
#include <map>
#include <mutex>

#include "field.h"

namespace field
{

static std::mutex lock;
static std::map<std::string, std::vector<float>> averages;

void Update(ffi::String name, TensorView x, double decay)
{
#if BUG != 1
  std::lock_guard<std::mutex> guard(lock);
#endif
#if BUG == 3
  std::vector<float> &average = averages[std::string(name.data(), name.size())];
#endif
  RequireTensor(x, kFloat32, 1, "x");
  REQUIRE(decay >= 0 && decay <= 1, ValueError) << "decay must be from 0 to 1";
#if BUG != 3
  std::vector<float> &average = averages[std::string(name.data(), name.size())];
#endif
#if BUG == 2
  if (average.empty()) average.assign(static_cast<size_t>(x.size(0)), 0.0f);
#else
  if (average.size() != static_cast<size_t>(x.size(0)))
    average.assign(static_cast<size_t>(x.size(0)), 0.0f);
#endif
  for (int64_t i = 0; i < x.size(0); ++i)
    average[i] = static_cast<float>(decay * average[i] + (1 - decay) * Data<float>(x)[i]);
}

void Read(ffi::String name, TensorView y)
{
  RequireTensor(y, kFloat32, 1, "y");
  std::lock_guard<std::mutex> guard(lock);
#if BUG == 4
  std::vector<float> &average = averages[std::string(name.data(), name.size())];
#else
  auto found = averages.find(std::string(name.data(), name.size()));
  REQUIRE(found != averages.end(), KeyError) << "there is no average of this name";
  std::vector<float> &average = found->second;
#endif
#if BUG != 5 && BUG != 4
  REQUIRE(static_cast<size_t>(y.size(0)) == average.size(), ValueError) << "y has another extent";
#endif
  for (size_t i = 0; i < average.size(); ++i) Data<float>(y)[i] = average[i];
}

void Reset()
{
  std::lock_guard<std::mutex> guard(lock);
  averages.clear();
}

}  // namespace field

TVM_FFI_DLL_EXPORT_TYPED_FUNC(update, field::Update);
TVM_FFI_DLL_EXPORT_TYPED_FUNC(read, field::Read);
TVM_FFI_DLL_EXPORT_TYPED_FUNC(reset, field::Reset);
