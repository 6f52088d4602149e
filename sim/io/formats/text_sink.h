// Sinks of formats whose frame is one text.
#pragma once
#include <memory>
#include <string>

#include "sim/base/error.h"
#include "sim/io/formats/format.h"
#include "sim/io/output_file.h"

namespace cellscope::io {

using FrameText = std::string (*)(const Configuration& c, const FrameNotes& notes);

class TextSink : public FrameSink {
 public:
  TextSink(const std::string& path, FrameText text) : file_(path, OpenAs::replace), text_(text) {}
  void append(const Configuration& c, const FrameNotes& notes) override {
    file_.write(text_(c, notes));
    file_.flush();
  }
  void flushToDisk() override { file_.flushToDisk(); }
  void close() override { file_.close(); }

 private:
  OutputFile file_;
  FrameText text_;
};

[[noreturn]] inline void refuseToContinue(const std::string& path) {
  throw InputError("'" + path +
                   "': files of this format cannot be continued; use another file for the rest of "
                   "the run, or .xyz or .h5 from the beginning");
}

template <FrameText text>
auto textSinkOf() {
  return
      [](const std::string& path, const std::string&, bool append) -> std::unique_ptr<FrameSink> {
        if (append) refuseToContinue(path);
        return std::make_unique<TextSink>(path, text);
      };
}

}  // namespace cellscope::io
