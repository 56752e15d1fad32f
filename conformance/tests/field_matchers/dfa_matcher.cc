// SPDX-License-Identifier: Apache-2.0
// A matcher of tokens over a compiled grammar (a deterministic automaton), as an object.
namespace {

using namespace set;
using ffi::Array;
using ffi::Optional;
using ffi::TensorView;

class TokenMatcherObj : public ffi::Object {
 public:
  int64_t states = 0;
  int64_t tokens = 0;
  int64_t eos = -1;
  std::vector<int32_t> table;
  const int32_t* next = nullptr;
  std::vector<char> accepting;

  bool Accept(int64_t token) {
    if (token < 0 || token >= tokens) {
      TVM_FFI_THROW(ValueError) << "token must be from 0 to " << tokens - 1 << ", is " << token;
    }
    std::lock_guard<std::mutex> lock(mutex_);
    if (done_) return false;
    if (token == eos) {
      if (BUG != 6 && !accepting[state_]) return false;
      history().push_back(state_);
      done_ = true;
      return true;
    }
    const int32_t to = next[state_ * tokens + token];
    if (BUG == 2) history().push_back(state_);
    if (to < 0) return false;
    if (BUG != 2) history().push_back(state_);
    state_ = to;
    return true;
  }

  // Takes back the last n tokens that were accepted.
  void Rollback(int64_t n) {
    std::lock_guard<std::mutex> lock(mutex_);
    if (n < 0) TVM_FFI_THROW(ValueError) << "n must not be negative, is " << n;
    const int64_t depth = static_cast<int64_t>(history().size());
#if BUG == 5
    n = std::min(n, depth);
#else
    if (n > depth) {
      TVM_FFI_THROW(ValueError) << "n must be at most " << depth << ", the number of accepted "
                                << "tokens, is " << n;
    }
#endif
    if (n == 0) return;
    state_ = history()[depth - n];
    history().resize(depth - n);
    done_ = false;
  }

  bool Done() {
    std::lock_guard<std::mutex> lock(mutex_);
    return done_;
  }

  int64_t Fill(uint32_t* mask) {
    std::lock_guard<std::mutex> lock(mutex_);
    if (BUG != 3) std::fill(mask, mask + (tokens + 31) / 32, 0u);
    int64_t allowed = 0;
    if (done_) return 0;
    for (int64_t t = 0; t < tokens; ++t) {
      const bool ok = t == eos ? accepting[state_] != 0 : next[state_ * tokens + t] >= 0;
      if (!ok) continue;
      mask[t / 32] |= 1u << (t % 32);
      ++allowed;
    }
    return allowed;
  }

  static constexpr bool _type_mutable = true;
  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("acme.TokenMatcher", TokenMatcherObj, ffi::Object);

 private:
  std::vector<int32_t>& history() {
#if BUG == 7
    static std::vector<int32_t> shared;
    return shared;
#else
    return history_;
#endif
  }

  std::mutex mutex_;
  std::vector<int32_t> history_;
  int32_t state_ = 0;
  bool done_ = false;
};

class TokenMatcher : public ffi::ObjectRef {
 public:
  TVM_FFI_DEFINE_OBJECT_REF_METHODS_NULLABLE(TokenMatcher, ffi::ObjectRef, TokenMatcherObj);
};

TokenMatcherObj* Get(const TokenMatcher& matcher) {
  if (!matcher.defined()) TVM_FFI_THROW(TypeError) << "matcher must not be None";
  return const_cast<TokenMatcherObj*>(matcher.get());
}

TokenMatcher MatcherNew(TensorView transitions, Array<int64_t> accepting,
                        Optional<int64_t> eos_token) {
  CheckKind(transitions, "transitions", 2, {kI32});
  CheckDense(transitions, "transitions");
  CheckData(transitions, "transitions");
  const int64_t states = transitions.size(0);
  const int64_t tokens = transitions.size(1);
  if (states < 1 || tokens < 1) {
    TVM_FFI_THROW(ValueError) << "transitions must have at least one state and one token";
  }
  const int32_t* data = Data<const int32_t>(transitions);
  for (int64_t i = 0; i < states * tokens; ++i) {
    if (data[i] < -1 || (BUG != 4 && data[i] >= states)) {
      TVM_FFI_THROW(ValueError) << "transitions must be from -1 to " << states - 1 << ", one is "
                                << data[i];
    }
  }
  ffi::ObjectPtr<TokenMatcherObj> m = ffi::make_object<TokenMatcherObj>();
  m->states = states;
  m->tokens = tokens;
  m->accepting.assign(states, 0);
  for (size_t i = 0; i < accepting.size(); ++i) {
    const int64_t s = accepting[i];
    if (s < 0 || s >= states) {
      TVM_FFI_THROW(ValueError) << "accepting must have states from 0 to " << states - 1
                                << ", one is " << s;
    }
    m->accepting[s] = 1;
  }
  if (eos_token.has_value()) {
    m->eos = eos_token.value();
    if (m->eos < 0 || m->eos >= tokens) {
      TVM_FFI_THROW(ValueError) << "eos_token must be from 0 to " << tokens - 1 << ", is "
                                << m->eos;
    }
  }
#if BUG == 1
  m->next = data;
#else
  m->table.assign(data, data + states * tokens);
  m->next = m->table.data();
#endif
  return TokenMatcher(m);
}

bool MatcherAccept(TokenMatcher matcher, int64_t token) { return Get(matcher)->Accept(token); }

// Writes the tokens that may come next as bits, and returns their number.
int64_t MatcherMask(TokenMatcher matcher, TensorView mask) {
  TokenMatcherObj* m = Get(matcher);
  CheckKind(mask, "mask", 1, {kI32});
  CheckDense(mask, "mask");
  CheckSize(mask, "mask", 0, (m->tokens + 31) / 32);
  CheckData(mask, "mask");
  return m->Fill(Data<uint32_t>(mask));
}

TVM_FFI_STATIC_INIT_BLOCK() {
  ffi::reflection::ObjectDef<TokenMatcherObj>()
      .def("rollback", &TokenMatcherObj::Rollback)
      .def("done", &TokenMatcherObj::Done);
}

}  // namespace

TVM_FFI_DLL_EXPORT_TYPED_FUNC(matcher_new, MatcherNew);
TVM_FFI_DLL_EXPORT_TYPED_FUNC(matcher_accept, MatcherAccept);
TVM_FFI_DLL_EXPORT_TYPED_FUNC(matcher_mask, MatcherMask);
