// Series of points y(x), and published values to draw beside measured ones.
#pragma once
#include <string>
#include <vector>

namespace cellscope {

// A published number valid for the current parameters.
struct ReferenceValue {
  std::string observable;  // ObservableInfo::id
  double value = 0;
  double error = 0;  // one standard error; 0 when unknown
  std::string source;
};

// y(x) with optional errors: g(r), an equation of state, a histogram.
struct CurveSeries {
  std::string label;
  std::string source;  // of published data; empty for our own
  std::vector<double> x, y, error;
  bool line = true;        // otherwise points
  bool reference = false;  // drawn dashed
};

}  // namespace cellscope
