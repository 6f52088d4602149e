// Parts of list builds and force passes by themselves. Included by engine_impl.h.
#pragma once

namespace cellscope {

template <class Exec, class Pass>
bool VerletEngine<Exec, Pass>::orderPart(TimedPart part) {
  const bool ofList = part == TimedPart::partners || part == TimedPart::records;
  if (ofList && (stale_ || !whole_)) makeList(now_);
  switch (part) {
    case TimedPart::sorted:
      return orderWithout(LeftOut::search);
    case TimedPart::walked:
      return orderWithout(LeftOut::distances);
    case TimedPart::built:
      makeList(now_);
      return true;
    case TimedPart::partners:
      orderWalk<false>("list read");
      return true;
    case TimedPart::records:
      orderWalk<true>("list and records read");
      return true;
    case TimedPart::forces:
      forces({});
      return true;
  }
  return false;
}

template <class Exec, class Pass>
bool VerletEngine<Exec, Pass>::orderWithout(LeftOut part) {
  orderForList();
  const ListInput in = input(store_.built.data());
  return builder_->buildWithout(part, in, list_.view());
}

}  // namespace cellscope
