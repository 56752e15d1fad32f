// SPDX-License-Identifier: Apache-2.0
// A scheduler of requests of an LLM server: admits waiting requests within a budget of tokens.
using namespace q1;

struct Request {
  int64_t id, tokens, priority, order;
  bool finishing = false;
};

class SchedulerObj : public ffi::Object {
 public:
  SchedulerObj(int64_t max_tokens, int64_t max_requests, bool by_priority, Optional<Function> on_finish)
      : max_tokens_(max_tokens), max_requests_(max_requests), by_priority_(by_priority) {
#if BUG == 5
    if (on_finish.has_value()) on_finish_ = static_cast<const ffi::FunctionObj*>(on_finish.value().get());
#else
    on_finish_ = on_finish;
#endif
  }

  int64_t Add(int64_t id, int64_t tokens, int64_t priority) {
    std::lock_guard<std::mutex> lock(guard_);
#if BUG == 3
    REQUIRE(std::find(ids_.begin(), ids_.end(), id) == ids_.end(), ValueError, "id: " << id << " is there already");
    ids_.push_back(id);
    REQUIRE(tokens >= 1 && tokens <= max_tokens_, ValueError, "tokens: must be in [1, max_tokens]");
#else
    REQUIRE(tokens >= 1 && tokens <= max_tokens_, ValueError, "tokens: must be in [1, max_tokens]");
    REQUIRE(std::find(ids_.begin(), ids_.end(), id) == ids_.end(), ValueError, "id: " << id << " is there already");
    ids_.push_back(id);
#endif
    waiting_.push_back(Request{id, tokens, priority, next_++});
    return static_cast<int64_t>(waiting_.size());
  }

  Array<int64_t> Step() {
    std::lock_guard<std::mutex> lock(guard_);
    if (by_priority_) {
      std::sort(waiting_.begin(), waiting_.end(), [](const Request& a, const Request& b) {
        return a.priority != b.priority ? a.priority > b.priority : a.order < b.order;
      });
    }
    Array<int64_t> admitted;
    size_t n = 0;
    for (; n < waiting_.size(); ++n) {
      const Request& r = waiting_[n];
      if (static_cast<int64_t>(running_.size()) >= max_requests_) break;
      if (used_ + r.tokens > max_tokens_) break;
      used_ += r.tokens;
      running_.push_back(r);
      admitted.push_back(r.id);
    }
    waiting_.erase(waiting_.begin(), waiting_.begin() + n);
    return admitted;
  }

  int64_t Finish(int64_t id) {
    Request r;
    {
      std::lock_guard<std::mutex> lock(guard_);
      auto at = find(id);
#if BUG == 2
      if (at == running_.end()) return static_cast<int64_t>(running_.size());
#else
      REQUIRE(at != running_.end(), KeyError, "id: " << id << " is not running");
#endif
      r = *at;
#if BUG == 4
      remove(at);
#else
      at->finishing = true;
#endif
    }
    // The callback may call this object, so that it is not locked.
    try {
      call_back(r);
    } catch (...) {
      settle(id, false);
      throw;
    }
    return settle(id, true);
  }

  Map<String, int64_t> Stats() {
    std::lock_guard<std::mutex> lock(guard_);
    Map<String, int64_t> stats;
    stats.Set("waiting", static_cast<int64_t>(waiting_.size()));
    stats.Set("running", static_cast<int64_t>(running_.size()));
    stats.Set("tokens", used_);
    return stats;
  }

  static constexpr bool _type_mutable = true;
  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("q1.Scheduler", SchedulerObj, ffi::Object);

 private:
  std::vector<Request>::iterator find(int64_t id) {
    return std::find_if(running_.begin(), running_.end(), [&](const Request& r) { return r.id == id && !r.finishing; });
  }
  void call_back(const Request& r) {
    Any result;
#if BUG == 5
    AnyView args[2] = {r.id, r.tokens};
    if (!on_finish_) return;
    on_finish_->CallPacked(args, 2, &result);
#else
    if (!on_finish_.has_value()) return;
    result = on_finish_.value()(r.id, r.tokens);
#endif
    auto status = result.try_cast<int64_t>();
    REQUIRE(status.has_value(), TypeError, "on_finish: returned no int");
    REQUIRE(*status == 0, RuntimeError, "on_finish: returned " << *status);
  }
  int64_t settle(int64_t id, bool done) {
    std::lock_guard<std::mutex> lock(guard_);
#if BUG != 4
    auto at = std::find_if(running_.begin(), running_.end(), [&](const Request& r) { return r.id == id; });
    at->finishing = false;
    if (done) remove(at);
#endif
    return static_cast<int64_t>(running_.size());
  }
  void remove(std::vector<Request>::iterator at) {
    used_ -= at->tokens;
    ids_.erase(std::find(ids_.begin(), ids_.end(), at->id));
    running_.erase(at);
  }

  std::mutex guard_;
  int64_t max_tokens_, max_requests_;
#if BUG == 1
  static inline int64_t used_ = 0;
#else
  int64_t used_ = 0;
#endif
  int64_t next_ = 0;
  bool by_priority_;
  std::vector<Request> waiting_, running_;
  std::vector<int64_t> ids_;
#if BUG == 5
  const ffi::FunctionObj* on_finish_ = nullptr;
#else
  Optional<Function> on_finish_;
#endif
};

class Scheduler : public ffi::ObjectRef {
 public:
  explicit Scheduler(ffi::ObjectPtr<SchedulerObj> n) : ffi::ObjectRef(std::move(n)) {}
  TVM_FFI_DEFINE_OBJECT_REF_METHODS_NOTNULLABLE(Scheduler, ffi::ObjectRef, SchedulerObj);
};

static Scheduler make_scheduler(int64_t max_tokens, int64_t max_requests, String policy, Optional<Function> on_finish) {
  REQUIRE(max_tokens >= 1 && max_tokens <= int64_t{1} << 40, ValueError, "max_tokens: must be in [1, 2**40]");
  REQUIRE(max_requests >= 1 && max_requests <= 65536, ValueError, "max_requests: must be in [1, 65536]");
  REQUIRE(policy == "fcfs" || policy == "priority", ValueError, "policy: expected fcfs or priority");
  Scheduler s(ffi::make_object<SchedulerObj>(max_tokens, max_requests, policy == "priority", on_finish));
#if BUG == 6
  TVMFFIObjectIncRef(ffi::detail::ObjectUnsafe::TVMFFIObjectPtrFromObjectRef(s));
#endif
  return s;
}

static int64_t pending(Scheduler scheduler) {
  Map<String, int64_t> stats = scheduler->Stats();
  return stats["waiting"] + stats["running"];
}

TVM_FFI_STATIC_INIT_BLOCK() {
  namespace refl = tvm::ffi::reflection;
  refl::ObjectDef<SchedulerObj>(refl::init(false))
      .def("add", &SchedulerObj::Add)
      .def("step", &SchedulerObj::Step)
      .def("finish", &SchedulerObj::Finish)
      .def("stats", &SchedulerObj::Stats);
}

TVM_FFI_DLL_EXPORT_TYPED_FUNC(scheduler, make_scheduler);
TVM_FFI_DLL_EXPORT_TYPED_FUNC(pending, pending);
