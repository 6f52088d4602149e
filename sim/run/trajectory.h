// Frames of a run in an extended XYZ file.
#pragma once
#include "sim/io/output_file.h"
#include "sim/run/session.h"

namespace cellscope {

// The current configuration, with the run that it is of. Throws RunError.
void appendFrame(io::OutputFile& out, Session& session);

}  // namespace cellscope
