// Output to a named pipe: whoever reads it may be slow, or not there yet.
#pragma once
#include <atomic>
#include <cstdio>
#include <string>

namespace cellscope::io {

// What a signal handler sets (not 0): from then on nobody is waited for who does not read. Null:
// waits have no end. Both may change at any time.
void stopWaitingAt(const std::atomic<int>* signal);

bool isPipe(const std::string& path);

// Waits for a reader. Returns a descriptor, or -1 with errno, EINTR after a signal.
int openPipe(const std::string& path);

// A stream that closes the descriptor of openPipe(). After a signal a write fails with EINTR where
// nothing was read for kPatienceAfterSignal.
inline constexpr int kPatienceAfterSignal = 2000;  // milliseconds
std::FILE* pipeStream(int descriptor);

}  // namespace cellscope::io
