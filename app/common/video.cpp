#include "app/common/video.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <utility>

#include "app/common/child.h"
#include "sim/base/error.h"
#include "sim/io/text_lines.h"

namespace cellscope::common {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostWaiting = 3;
constexpr const char* kEndings[] = {".mp4", ".mkv", ".webm", ".mov", ".avi"};

// As execvp() would find it.
std::string programInPath(const char* name) {
  const char* path = std::getenv("PATH");
  for (const std::string& folder : io::splitAt(path ? path : "", ':')) {
    const std::string file = folder + "/" + name;
    std::error_code ignored;
    if (!folder.empty() && fs::is_regular_file(file, ignored) && access(file.c_str(), X_OK) == 0)
      return file;
  }
  return "";
}

std::vector<std::string> argumentsOf(const std::string& ffmpeg, const VideoFormat& format,
                                     const std::string& output) {
  std::string title;
  for (const auto& [key, text] : format.metadata)
    if (key == "Title") title = text;
  return {ffmpeg, "-hide_banner", "-loglevel", "error", "-y",
          // what comes in
          "-f", "rawvideo", "-pixel_format", "rgb24", "-video_size",
          fmt::format("{}x{}", format.width, format.height), "-framerate",
          std::to_string(format.rate), "-i", "-",
          // what goes out: most encoders want even sides; colours by the rule (BT.709, limited
          // range) that players assume of larger videos, and named for the others
          "-an", "-vf",
          "pad=ceil(iw/2)*2:ceil(ih/2)*2,scale=out_color_matrix=bt709:out_range=limited",
          "-pix_fmt", "yuv420p", "-colorspace", "bt709", "-color_primaries", "bt709", "-color_trc",
          "bt709", "-color_range", "tv", "-metadata", "title=" + title,
          // a path and nothing else: no option, no protocol
          fs::path(output).is_absolute() ? output : "./" + output};
}

}  // namespace

VideoTarget videoTarget(const std::string& name) {
  const fs::path path(name);
  const std::string end = path.extension().string();
  const std::string folder = (path.parent_path() / path.stem()).string();
  if (end == ".png") return {folder, "", ""};
  if (path.stem().empty() || std::ranges::find(kEndings, end) == std::end(kEndings))
    throw InputError(
        "video '{}': its name must end with {}, or with .png for a numbered series of pictures",
        name, fmt::join(kEndings, ", "));
  const std::string ffmpeg = programInPath("ffmpeg");
  if (!ffmpeg.empty()) return {name, ffmpeg, ""};
  return {folder, "",
          fmt::format("ffmpeg is not installed: instead of '{}' a numbered series of PNG files is "
                      "written into the folder '{}' (to get a video, install the package ffmpeg "
                      "and record again, or join the pictures with another program)",
                      name, folder)};
}

void clearSeries(const std::string& folder, bool overwrite) {
  std::error_code error;
  if (!fs::exists(folder, error) || fs::is_empty(folder, error)) return;
  if (!fs::is_directory(folder, error))
    throw InputError(
        "'{}' is a file: the series of pictures needs a folder of this name; choose another one",
        folder);
  const std::string stem = fs::path(folder).filename().string() + "-";
  if (!overwrite) {
    int n = 1;
    while (fs::exists(fmt::format("{}.{}", folder, n), error)) ++n;
    fs::rename(folder, fmt::format("{}.{}", folder, n), error);
  } else {
    std::vector<fs::path> old;
    for (const auto& entry : fs::directory_iterator(folder, error))
      if (entry.path().extension() == ".png" && entry.path().filename().string().starts_with(stem))
        old.push_back(entry.path());
    for (const fs::path& file : old)
      if (!error) fs::remove(file, error);
  }
  if (error)
    throw InputError("the older pictures in '{}' cannot be replaced: {}", folder, error.message());
}

Video::Video(VideoTarget target, VideoFormat format)
    : target_(std::move(target)), format_(std::move(format)) {
  if (target_.isSeries()) {
    io::createFolder(target_.path);
    io::checkWritable(
        target_.path + "/" + fs::path(target_.path).filename().string() + "-000001.png", true);
  } else {
    io::checkWritable(target_.path, true);
    start();
  }
  thread_ = std::thread([this] { work(); });
}

Video::~Video() {
  {
    std::lock_guard lock(mutex_);
    givenUp_ = !ending_ || givenUp_;
  }
  wake_.notify_all();
  if (thread_.joinable()) thread_.join();
}

// In a process group of its own, as Ctrl-C is for this program, which completes the video then.
void Video::start() {
  const fs::path whole(target_.path);
  partial_ = (whole.parent_path() / (whole.stem().string() + ".part" + whole.extension().string()))
                 .string();
  int ends[2];
  messages_ = io::Descriptor(memfd_create("messages of ffmpeg", MFD_CLOEXEC));
  if (!messages_.isOpen() || pipe2(ends, O_CLOEXEC) != 0)
    throw RunError("ffmpeg cannot be started: {}", std::strerror(errno));
  const io::Descriptor output(ends[0]);
  input_ = io::Descriptor(ends[1]);
  child_ =
      startChild(argumentsOf(target_.ffmpeg, format_, partial_), output.fd(), -1, messages_.fd());
}

bool Video::hasRoom() const {
  std::lock_guard lock(mutex_);
  return waiting_.size() < kMostWaiting || !trouble_.empty();
}

void Video::add(render::Image image) {
  if (image.width != format_.width || image.height != format_.height)
    throw RunError("a picture of {} x {} pixels does not fit a video of {} x {}", image.width,
                   image.height, format_.width, format_.height);
  std::unique_lock lock(mutex_);
  wake_.wait(lock, [&] { return waiting_.size() < kMostWaiting || !trouble_.empty(); });
  if (!trouble_.empty()) throw RunError(trouble_);
  waiting_.push_back(std::move(image));
  ++added_;
  wake_.notify_all();
}

void Video::end() {
  std::lock_guard lock(mutex_);
  ending_ = true;
  wake_.notify_all();
}

bool Video::ended() const {
  std::lock_guard lock(mutex_);
  return done_;
}

void Video::finish() {
  end();
  if (thread_.joinable()) thread_.join();
  if (!trouble_.empty()) throw RunError(trouble_);
}

void Video::work() {
  sigset_t pipe;  // an ffmpeg that has ended is an error of write(), not the end of the program
  sigemptyset(&pipe);
  sigaddset(&pipe, SIGPIPE);
  sigaddset(&pipe, SIGXFSZ);
  pthread_sigmask(SIG_BLOCK, &pipe, nullptr);
  std::string trouble;
  try {
    while (true) {
      std::unique_lock lock(mutex_);
      wake_.wait(lock, [&] { return !waiting_.empty() || ending_ || givenUp_; });
      if (givenUp_ || waiting_.empty()) break;
      const render::Image image = std::move(waiting_.front());
      waiting_.pop_front();
      lock.unlock();
      wake_.notify_all();
      write(image);
    }
  } catch (const std::exception& e) {
    trouble = e.what();
  }
  try {
    complete();
  } catch (const std::exception& e) {  // the message of ffmpeg is better than that of write()
    trouble = e.what();
  }
  std::lock_guard lock(mutex_);
  trouble_ = trouble;
  done_ = true;
  wake_.notify_all();
}

void Video::write(const render::Image& image) {
  ++written_;
  if (target_.isSeries()) {
    const std::string name = fmt::format("{}/{}-{:06}.png", target_.path,
                                         fs::path(target_.path).filename().string(), written_);
    return io::replaceFile(name, render::encodePng(image, format_.metadata));
  }
  for (std::size_t at = 0; at < image.rgb.size();) {
    const ssize_t n = ::write(input_.fd(), image.rgb.data() + at, image.rgb.size() - at);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) throw RunError("ffmpeg takes no more pictures: {}", std::strerror(errno));
    at += static_cast<std::size_t>(n);
  }
}

// Ends ffmpeg and gives the file its name, unless the video is given up.
void Video::complete() {
  if (target_.isSeries()) return;
  input_.close();
  int status = 0;
  if (givenUp_) kill(child_, SIGTERM);
  while (waitpid(child_, &status, 0) < 0 && errno == EINTR) {
  }
  const std::string error = errorOfFfmpeg(status);
  std::error_code failed;
  if (givenUp_ || !error.empty()) {
    fs::remove(partial_, failed);
    if (!givenUp_) throw RunError(error);
    return;
  }
  fs::rename(partial_, target_.path, failed);
  if (failed)
    throw RunError("the video '{}' could not be renamed to '{}': {}", partial_, target_.path,
                   failed.message());
}

std::string Video::errorOfFfmpeg(int status) const {
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return "";
  char text[600] = {};
  const off_t size = std::max<off_t>(0, lseek(messages_.fd(), 0, SEEK_END));
  const off_t from = std::max<off_t>(0, size - static_cast<off_t>(sizeof text) + 1);
  const ssize_t n = pread(messages_.fd(), text, sizeof text - 1, from);
  std::string said(text, static_cast<std::size_t>(std::max<ssize_t>(0, n)));
  while (!said.empty() && std::isspace(static_cast<unsigned char>(said.back()))) said.pop_back();
  const std::string how = WIFEXITED(status)
                              ? fmt::format("ended with code {}", WEXITSTATUS(status))
                              : fmt::format("was ended by signal {}", WTERMSIG(status));
  return fmt::format("the video '{}' could not be written: ffmpeg {}{}{}", target_.path, how,
                     said.empty() ? "" : ": ", said);
}

}  // namespace cellscope::common
