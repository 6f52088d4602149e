// How many threads this process can use at once.
#pragma once

namespace cellscope::exec {

// Processors that the process may run on (taskset, batch systems), less where its control group
// gives less time. At least one. More threads than this wait for each other.
int availableThreads();

// `asked`, or all that are available when it is 0.
int threadsFor(int asked);

// The same, and lets oneTBB have that many: by itself it starts no more threads than there are
// processors. Call before the arena is made. What was reserved stays until the process ends.
int reserveThreads(int asked);

// The calling thread, and threads that it starts from now on, leave the processor to others first:
// to those that draw a window, which need little but need it at once. No effect where the system
// refuses.
void lowerThreadPriority();

}  // namespace cellscope::exec
