// Steps and lists of the engine with Verlet lists. Included by engine_impl.h.
#pragma once

namespace cellscope {

// Steps ordered before the host looks: about as many as the last list lasted. The trajectory does
// not depend on it.
template <class Exec, class Pass>
std::uint64_t VerletEngine<Exec, Pass>::stepsAtATime(std::uint64_t step) const {
  if (Exec::backend == Backend::cpu || !(pair_.buffer > 0)) return 1;
  const std::uint64_t age = step - history_.lastStep;
  return age < interval_ ? std::min<std::uint64_t>(interval_ - age, 64) : 4;
}

template <class Exec, class Pass>
void VerletEngine<Exec, Pass>::run(double dt, std::uint64_t first, std::uint64_t count,
                                   const PairProgress&) {
  for (std::uint64_t done = 0; done < count;) {
    const std::uint64_t now = std::min(count - done, stepsAtATime(first + done));
    for (std::uint64_t s = first + done; s < first + done + now; ++s) {
      halfKickDrift(dt, s);
      orderForces(stop_, s);
      orderKick(dt, stop_, s);
    }
    const std::uint64_t step = exec_.read(stop_).step;
    if (step == kNoStop) {
      done += now;
      continue;
    }
    interval_ = std::max<std::uint64_t>(step - history_.lastStep, 1);
    rebuild(step);
    orderForces(never_, 0);
    orderKick(dt, never_, 0);
    done = step - first + 1;
  }
}

template <class Exec, class Pass>
void VerletEngine<Exec, Pass>::makeList(std::uint64_t step) {
  if (pair_.buffer > 0 || history_.builds % kBuildsPerSort == 0)
    sortAlongCurve();
  else
    exec_.forEach("keep the records", n_, CopyRecords{store_.record.data(), store_.built.data()});
  buildList();
  ++history_.builds;
  history_.lastStep = step;
}

template <class Exec, class Pass>
void VerletEngine<Exec, Pass>::sortAlongCurve() {
  VerletStore& s = store_;
  exec_.forEach("curve: keys", n_,
                CurveKey{s.record.data(), RecordBox(box_), s.key.data(), s.slot.data()});
  exec_.sortByKey("curve: sort", s.key, s.slot, n_, {0, 30});
  exec_.forEach("curve: take in order", n_,
                TakeInOrder{s.slot.data(), s.position.data(), s.velocity.data(), s.record.data(),
                            s.tag.data(), s.position.spare(), s.velocity.spare(), s.built.data(),
                            s.tag.spare()});
  s.position.swap(), s.velocity.swap(), s.tag.swap();
  exec_.forEach("keep the records", n_, CopyRecords{s.built.data(), s.record.data()});
}

// From the records in `built`.
template <class Exec, class Pass>
void VerletEngine<Exec, Pass>::buildList() {
  const ListInput in = input(store_.built.data());
  if (stale_) {
    list_.prepare(in);
    builder_->prepare(in);
    stale_ = false;
  }
  for (;;) {
    builder_->build(in, list_.begin(exec_, in));
    const ListOverflow seen = exec_.read(list_.overflow());
    if (seen.any == 0) break;
    list_.grow(seen);
  }
  exec_.fill("list is valid", stop_.data(), 1, Stopping{kNoStop});
}

template <class Exec, class Pass>
void VerletEngine<Exec, Pass>::setPair(const PairSettings& settings) {
  const auto same = [&] {
    for (int a = 0; a < settings.species.types; ++a)
      for (int b = 0; b < settings.species.types; ++b)
        if (pairCutoff(settings.potential, settings.species, a, b) !=
            pairCutoff(pair_.potential, pair_.species, a, b))
          return false;
    return settings.species.types == pair_.species.types && settings.buffer == pair_.buffer;
  };
  const bool otherBuilder = !builder_ || settings.method != pair_.method;
  if (otherBuilder) {
    std::unique_ptr<ListBuilder> made =
        listMethods()[static_cast<std::size_t>(settings.method)].make(shared_);
    builder_ = std::move(made);
  }
  if (otherBuilder || !same()) stale_ = true;
  pair_ = settings;
}

}  // namespace cellscope
