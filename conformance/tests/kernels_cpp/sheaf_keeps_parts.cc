// SPDX-License-Identifier: Apache-2.0
// caught by kernel.arguments-keep-their-counts
// The parts of the last call are kept.
#include <mutex>
#include <vector>
#define AT_END(parts)                                                     \
  static std::mutex lock;                                                 \
  static auto *last = new std::vector<ffi::Tensor>();                     \
  const std::lock_guard<std::mutex> hold(lock);                           \
  last->assign((parts).begin(), (parts).end())
#include "sheaf.h"
