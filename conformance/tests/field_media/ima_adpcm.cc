// SPDX-License-Identifier: Apache-2.0
// IMA ADPCM: 4 bits for each sample, the lower nibble first. A stream is coded in pieces: the state of each channel (predictor,
// index of the step) goes on from piece to piece, if one is given.
static const int32_t kSteps[89] = {
    7,    8,    9,    10,   11,   12,   13,   14,   16,   17,   19,   21,   23,   25,   28,    31,    34,    37,
    41,   45,   50,   55,   60,   66,   73,   80,   88,   97,   107,  118,  130,  143,  157,   173,   190,   209,
    230,  253,  279,  307,  337,  371,  408,  449,  494,  544,  598,  658,  724,  796,  876,   963,   1060,  1166,
    1282, 1411, 1552, 1707, 1878, 2066, 2272, 2499, 2749, 3024, 3327, 3660, 4026, 4428, 4871,  5358,  5894,  6484,
    7132, 7845, 8630, 9493, 10442, 11487, 12635, 13899, 15289, 16818, 18500, 20350, 22385, 24623, 27086, 29794, 32767};
static const int8_t kMoves[8] = {-1, -1, -1, -1, 2, 4, 6, 8};

struct State {
  int32_t predictor = 0, index = 0;
};

static void Step(State& s, int code) {
  int32_t step = kSteps[s.index], delta = step >> 3;
  if (code & 4) delta += step;
  if (code & 2) delta += step >> 1;
  if (code & 1) delta += step >> 2;
  int32_t v = s.predictor + (code & 8 ? -delta : delta);
  s.predictor = std::min(32767, std::max(-32768, v));
#if BUG == 1
  s.index = std::min(89, std::max(0, s.index + kMoves[code & 7]));
#else
  s.index = std::min(88, std::max(0, s.index + kMoves[code & 7]));
#endif
}

static int Code(const State& s, int32_t sample) {
  int32_t step = kSteps[s.index], diff = sample - s.predictor;
  int code = 0;
  if (diff < 0) {
    code = 8;
    diff = -diff;
  }
  for (int bit = 4; bit; bit >>= 1) {
    if (diff >= step) {
      code |= bit;
      diff -= step;
    }
    step >>= 1;
  }
  return code;
}

static void CheckState(const State& s) {
  REQUIRE(s.predictor >= -32768 && s.predictor <= 32767, ValueError, "state: predictor out of range: " << s.predictor);
#if BUG == 2
  REQUIRE(s.index <= 88, ValueError, "state: no step " << s.index);
#else
  REQUIRE(s.index >= 0 && s.index <= 88, ValueError, "state: no step " << s.index);
#endif
}

// the states of the channels, in the tensor that was given, or fresh ones
struct States {
  Tensor held;
  std::vector<State> fresh;
  int32_t* at = nullptr;
  int64_t channels;
  States(const Optional<Tensor>& state, int64_t channels) : channels(channels) {
    if (state.has_value()) {
      held = state.value();
      TensorView t = held;
      CheckType("state", t, {kI32});
      CheckShape("state", t, {channels, 2});
      CheckContiguous("state", t);
      at = Ptr<int32_t>(t);
#if BUG != 3
      for (int64_t c = 0; c < channels; ++c) CheckState({at[2 * c], at[2 * c + 1]});
#endif
    }
  }
#if BUG == 4
  static State& Start(int64_t c) {
    static thread_local std::map<int64_t, State> start;
    return start[c];
  }
#endif
  State Get(int64_t c) const {
#if BUG == 4
    return at ? State{at[2 * c], at[2 * c + 1]} : Start(c);
#else
    State s = at ? State{at[2 * c], at[2 * c + 1]} : State{};
#if BUG == 3
    CheckState(s);
#endif
    return s;
#endif
  }
  void Set(int64_t c, const State& s) const {
    if (at) {
      at[2 * c] = s.predictor;
      at[2 * c + 1] = s.index;
    }
#if BUG == 4
    else Start(c) = s;
#endif
  }
};

Tensor adpcm_encode(TensorView pcm, Optional<Tensor> state) {
  CheckType("pcm", pcm, {kI16});
  CheckRank("pcm", pcm, 2);
  CheckRows("pcm", pcm);
  int64_t channels = pcm.size(0), n = pcm.size(1);
  States states(state, channels);
#if BUG == 5
  int64_t bytes = n / 2;
#else
  int64_t bytes = n / 2 + n % 2;
#endif
  Tensor codes = Alloc({channels, bytes}, kU8);
  if (channels * bytes > 0) std::memset(Ptr<char>(codes), 0, channels * bytes);
  for (int64_t c = 0; c < channels; ++c) {
    State s = states.Get(c);
#if BUG == 6
    const int16_t* x = Ptr<int16_t>(pcm) + c * n;
#else
    const int16_t* x = Ptr<int16_t>(pcm) + c * StrideOf(pcm, 0);
#endif
    uint8_t* y = Ptr<uint8_t>(codes) + c * bytes;
#if BUG == 5
    for (int64_t i = 0; i < 2 * bytes; ++i) {
#else
    for (int64_t i = 0; i < n; ++i) {
#endif
      int code = Code(s, x[i]);
      Step(s, code);
      y[i / 2] |= i % 2 ? code << 4 : code;
    }
    states.Set(c, s);
  }
  return codes;
}

void adpcm_decode(TensorView codes, Optional<Tensor> state, TensorView out) {
  CheckType("codes", codes, {kU8});
  CheckRank("codes", codes, 2);
  CheckContiguous("codes", codes);
  CheckType("out", out, {kI16});
  CheckRank("out", out, 2);
  CheckContiguous("out", out);
  int64_t channels = out.size(0), n = out.size(1);
  CheckShape("codes", codes, {channels, n / 2 + n % 2});
  States states(state, channels);
  for (int64_t c = 0; c < channels; ++c) {
    State s = states.Get(c);
    const uint8_t* x = Ptr<uint8_t>(codes) + c * codes.size(1);
    int16_t* y = Ptr<int16_t>(out) + c * n;
    for (int64_t i = 0; i < n; ++i) {
      Step(s, i % 2 ? x[i / 2] >> 4 : x[i / 2] & 15);
      y[i] = static_cast<int16_t>(s.predictor);
    }
    states.Set(c, s);
  }
}

TVM_FFI_DLL_EXPORT_TYPED_FUNC(adpcm_encode, adpcm_encode);
TVM_FFI_DLL_EXPORT_TYPED_FUNC(adpcm_decode, adpcm_decode);
