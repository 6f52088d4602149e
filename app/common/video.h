// A video from pictures of one size: through the program ffmpeg where that is installed, otherwise
// a numbered series of PNG files.
#pragma once
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <mutex>
#include <string>
#include <thread>

#include "render/renderer.h"
#include "sim/io/files.h"

namespace cellscope::common {

struct VideoTarget {
  std::string path;    // the file, or the folder of the series
  std::string ffmpeg;  // the program; "": a series of pictures
  std::string notice;  // why there is no video file though one was asked for, and what to do; or ""
  bool isSeries() const { return ffmpeg.empty(); }
};
// NAME.mp4, .mkv, .webm, .mov or .avi; NAME.png: a series NAME/NAME-000001.png and so on. Without
// ffmpeg in PATH every name means a series. Throws InputError for other endings.
VideoTarget videoTarget(const std::string& name);

// Makes room for a series in this folder: one that is there is renamed to FOLDER.1 and so on, or
// its pictures are removed. Throws InputError.
void clearSeries(const std::string& folder, bool overwrite);

struct VideoFormat {
  int width = 0, height = 0;  // pixels
  int rate = 25;              // pictures per second
  render::Metadata metadata;  // of each picture of a series; a video gets the one called "Title"
};

// Pictures are written by a thread of its own; at most three wait. A file appears under its name
// when it is complete. Members throw RunError with what has gone wrong since: ffmpeg's own message,
// a full disk.
class Video {
 public:
  Video(VideoTarget target, VideoFormat format);
  // What is not finished is given up: no incomplete file stays, pictures of a series do.
  ~Video();
  Video(const Video&) = delete;
  Video& operator=(const Video&) = delete;

  const VideoTarget& target() const { return target_; }
  bool hasRoom() const;  // add() would not wait
  void add(render::Image image);
  std::size_t added() const { return added_; }
  void finish();       // completes the file; waits
  void end();          // the same without waiting, until
  bool ended() const;  // it is complete, or failed: then finish() throws

 private:
  void start();
  void work();
  void write(const render::Image& image);
  void complete();
  std::string errorOfFfmpeg(int status) const;

  VideoTarget target_;
  VideoFormat format_;
  std::string partial_;  // the file as it is being written
  pid_t child_ = -1;
  io::Descriptor input_, messages_;  // of ffmpeg: where pictures go, its messages
  std::size_t added_ = 0, written_ = 0;
  mutable std::mutex mutex_;
  std::condition_variable wake_;
  std::deque<render::Image> waiting_;
  std::string trouble_;
  bool ending_ = false, givenUp_ = false, done_ = false;
  std::thread thread_;
};

}  // namespace cellscope::common
