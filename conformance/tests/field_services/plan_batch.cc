// SPDX-License-Identifier: Apache-2.0
// One step of continuous batching: how many tokens of each request run next.
namespace {

using namespace set;

struct Request {
  int64_t index;
  int64_t need;  // tokens that are left of the prompt, or one to decode
};

std::vector<int64_t> ReadLengths(const TensorView& t) {
  std::vector<int64_t> all(t.size(0));
  if (Is(t.dtype(), kDLInt, 32)) {
    std::copy_n(Data<int32_t>(t), all.size(), all.begin());
  } else {
#if BUG == 7
    const int64_t* from = Data<int64_t>(t);
    for (size_t i = 0; i < all.size(); ++i) all[i] = static_cast<int32_t>(from[i]);
#else
    std::copy_n(Data<int64_t>(t), all.size(), all.begin());
#endif
  }
  return all;
}

int64_t PlanBatch(TensorView prompt, TensorView done, TensorView take, TensorView indptr,
                  int64_t budget, int64_t max_requests, Optional<int64_t> chunk, String policy) {
  DLDataType t = prompt.dtype();
  if (!Is(t, kDLInt, 32) && !Is(t, kDLInt, 64)) WrongType(t, "prompt", "int32 or int64");
  if (done.dtype() != t) WrongType(done.dtype(), "done", "the type of prompt");
  if (!Is(take.dtype(), kDLInt, 32)) WrongType(take.dtype(), "take", "int32");
  if (!Is(indptr.dtype(), kDLInt, 32)) WrongType(indptr.dtype(), "indptr", "int32");
  const std::pair<const TensorView*, const char*> tensors[] = {
      {&prompt, "prompt"}, {&done, "done"}, {&take, "take"}, {&indptr, "indptr"}};
  for (const auto& tensor : tensors) {
    CheckRank(*tensor.first, 1, tensor.second);
    CheckHost(*tensor.first, tensor.second);
    CheckContiguous(*tensor.first, tensor.second);
  }
  int64_t n = prompt.size(0);
  CheckSize(done, 0, n, "done");
  CheckSize(take, 0, n, "take");
#if BUG == 9
  if (indptr.size(0) < n) CheckSize(indptr, 0, n + 1, "indptr");
#else
  CheckSize(indptr, 0, n + 1, "indptr");
#endif
  if (budget < 1 || budget > std::numeric_limits<int32_t>::max()) {
    TVM_FFI_THROW(ValueError) << "budget must be from 1 to 2147483647, not " << budget;
  }
  if (max_requests < 1) {
    TVM_FFI_THROW(ValueError) << "max_requests must be at least 1, not " << max_requests;
  }
  if (chunk.has_value() && chunk.value() < 1) {
    TVM_FFI_THROW(ValueError) << "chunk must be at least 1, not " << chunk.value();
  }
  bool shortest = policy == "shortest";
  if (!shortest && policy != "fcfs") {
    TVM_FFI_THROW(ValueError) << "policy must be \"fcfs\" or \"shortest\", not \""
                              << std::string(policy.data(), policy.size()) << "\"";
  }

  int32_t* tokens = Data<int32_t>(take);
  int32_t* ends = Data<int32_t>(indptr);
  std::vector<int64_t> wanted = ReadLengths(prompt), finished = ReadLengths(done);
#if BUG == 8
  static std::vector<Request> queue;
  queue.clear();
#else
  std::vector<Request> queue;
#endif
  queue.reserve(n);
#if BUG == 10
  std::fill(tokens, tokens + n, 0);
#endif
  for (int64_t i = 0; i < n; ++i) {
    if (finished[i] < 0) TVM_FFI_THROW(ValueError) << "done[" << i << "] must not be negative";
#if BUG != 4
    if (finished[i] > wanted[i]) {
      TVM_FFI_THROW(ValueError) << "done[" << i << "] must be at most " << wanted[i]
                                << ", the length of the prompt, not " << finished[i];
    }
#endif
    int64_t need = wanted[i] - finished[i];
    if (BUG != 2) need = std::max<int64_t>(need, 1);
    queue.push_back({i, need});
  }
  if (shortest) {
    std::stable_sort(queue.begin(), queue.end(), [](const Request& a, const Request& b) {
#if BUG == 1
      return a.need != b.need ? a.need < b.need : a.index > b.index;
#else
      return a.need < b.need;
#endif
    });
  }

#if BUG == 5
  int32_t end = 0;
  std::fill(ends, ends + n + 1, 0);
#endif
  std::fill(tokens, tokens + n, 0);
  int64_t left = budget, requests = 0;
  for (const Request& request : queue) {
    if (left == 0 || (BUG == 3 ? requests > max_requests : requests == max_requests)) break;
    int64_t now = request.need;
    if (chunk.has_value()) {
      now = BUG == 6 ? std::min(now, chunk.value()) : std::min({now, chunk.value(), left});
    }
    if (now > left) continue;  // whole prompts only: a shorter one may still fit
    tokens[request.index] = static_cast<int32_t>(now);
    left -= now;
    ++requests;
#if BUG == 5
    end += static_cast<int32_t>(now);
    ends[request.index + 1] = end;
#endif
  }
#if BUG != 5
  ends[0] = 0;
  for (int64_t i = 0; i < n; ++i) ends[i + 1] = ends[i] + tokens[i];
#endif
  return budget - left;
}

}  // namespace

TVM_FFI_DLL_EXPORT_TYPED_FUNC(plan_batch, PlanBatch);
