#include "app/cli/hardware_options.h"

#include "app/cli/validators.h"

namespace cellscope::cli {

void addHardware(CLI::App& app, common::HardwareOptions& h) {
  app.add_option("--backend", h.backend,
                 "auto (the GPU if CUDA is usable, otherwise the CPU), cpu or cuda")
      ->check(CLI::IsMember({"auto", "cpu", "cuda"}))
      ->capture_default_str();
  app.add_option("--threads", h.threads,
                 "CPU threads; 0 = all available to the process. Does not affect results")
      ->transform(wholeNumber(0, 4096))
      ->capture_default_str();
  app.add_option("--device", h.device, "Index of the CUDA device (see cellscope info)")
      ->transform(wholeNumber(0, 63));
}

}  // namespace cellscope::cli
