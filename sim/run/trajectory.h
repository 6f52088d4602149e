// Frames of a run in an extended XYZ file.
#pragma once
#include "sim/io/output_file.h"
#include "sim/run/session.h"

namespace cellscope {

// The current configuration, with the run that it is of. `end`: it is written because the run ends
// here; a resumed run removes such a frame (sim/run/earlier_part.h). Throws RunError.
void appendFrame(io::OutputFile& out, Session& session, bool end = false);

}  // namespace cellscope
