#include "app/cli/hardware_options.h"

#include "app/cli/validators.h"

namespace cellscope::cli {

void addHardware(CLI::App& app, common::HardwareOptions& h) {
  app.add_option("--backend", h.backend,
                 "auto (the GPU where CUDA works, otherwise the CPU), cpu or cuda")
      ->check(CLI::IsMember({"auto", "cpu", "cuda"}))
      ->capture_default_str();
  app.add_option("--threads", h.threads,
                 "CPU threads; 0 = all that the process may use. Results do not depend on it")
      ->transform(wholeNumber(0, 4096))
      ->capture_default_str();
  app.add_option("--device", h.device, "Number of the CUDA device (cellscope info lists them)")
      ->transform(wholeNumber(0, 63));
}

}  // namespace cellscope::cli
