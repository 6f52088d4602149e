#include <dlfcn.h>
#include <glad/egl.h>

#include <climits>
#include <cstring>

#include "render/gl.h"
#include "render/renderer.h"

namespace cellscope::render {
namespace {

using GetProc = void (*(*)(const char*))();

// libEGL stays loaded for the life of the process: drivers do not like to be unloaded.
void* eglLibrary() {
  static void* library = dlopen("libEGL.so.1", RTLD_NOW | RTLD_GLOBAL);
  if (!library)
    throw RunError(
        "no picture without a display: the library libEGL.so.1 was not found; install it (Debian: "
        "libegl1 and libegl-mesa0) or the NVIDIA driver");
  return library;
}

GLADapiproc eglFunction(const char* name) {
  void* library = eglLibrary();
  if (void* p = dlsym(library, name)) return reinterpret_cast<GLADapiproc>(p);
  static auto getProc = reinterpret_cast<GetProc>(dlsym(library, "eglGetProcAddress"));
  return getProc ? reinterpret_cast<GLADapiproc>(getProc(name)) : nullptr;
}

bool has(const char* extensions, const char* name) {
  return extensions && std::strstr(extensions, name);
}

// The device CUDA counts first, else the first one; null when devices cannot be listed.
EGLDeviceEXT chooseDevice() {
  if (!eglQueryDevicesEXT) return nullptr;
  EGLint count = 0;
  if (!eglQueryDevicesEXT(0, nullptr, &count) || count == 0) return nullptr;
  std::vector<EGLDeviceEXT> devices(static_cast<std::size_t>(count));
  eglQueryDevicesEXT(count, devices.data(), &count);
  EGLDeviceEXT best = devices[0];
  EGLAttrib bestOrdinal = INT_MAX;
  for (EGLDeviceEXT device : devices) {
    EGLAttrib ordinal = 0;
    if (!eglQueryDeviceStringEXT || !eglQueryDeviceAttribEXT) break;
    if (!has(eglQueryDeviceStringEXT(device, EGL_EXTENSIONS), "EGL_NV_device_cuda")) continue;
    if (eglQueryDeviceAttribEXT(device, EGL_CUDA_DEVICE_NV, &ordinal) && ordinal < bestOrdinal) {
      best = device;
      bestOrdinal = ordinal;
    }
  }
  return best;
}

// An initialised display on the chosen device, else Mesa's surfaceless platform.
EGLDisplay openDisplay() {
  gladLoadEGL(EGL_NO_DISPLAY, eglFunction);
  const char* client = eglQueryString(EGL_NO_DISPLAY, EGL_EXTENSIONS);
  EGLint major = 0, minor = 0;
  if (eglGetPlatformDisplayEXT && has(client, "EGL_EXT_platform_device"))
    if (EGLDeviceEXT device = chooseDevice()) {
      EGLDisplay d = eglGetPlatformDisplayEXT(EGL_PLATFORM_DEVICE_EXT, device, nullptr);
      if (d != EGL_NO_DISPLAY && eglInitialize(d, &major, &minor)) return d;
    }
  if (eglGetPlatformDisplayEXT && has(client, "EGL_MESA_platform_surfaceless")) {
    EGLDisplay d =
        eglGetPlatformDisplayEXT(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, nullptr);
    if (d != EGL_NO_DISPLAY && eglInitialize(d, &major, &minor)) return d;
  }
  throw RunError(
      "no picture without a display: EGL is installed, but no graphics driver offers a context "
      "without one; install the NVIDIA driver or Mesa (Debian: libegl-mesa0 and libgl1-mesa-dri)");
}

EGLConfig chooseConfig(EGLDisplay display) {
  for (const EGLint surface : {EGL_PBUFFER_BIT, 0}) {
    const EGLint attributes[] = {EGL_SURFACE_TYPE, surface, EGL_RENDERABLE_TYPE, EGL_OPENGL_BIT,
                                 EGL_NONE};
    EGLConfig config = nullptr;
    EGLint count = 0;
    if (eglChooseConfig(display, attributes, &config, 1, &count) && count > 0) return config;
  }
  throw RunError("EGL offers no configuration for desktop OpenGL on this driver");
}

// A 4.5 core context, or where the driver has none, whatever it has: its version is then reported.
EGLContext createContext(EGLDisplay display, EGLConfig config) {
  const EGLint core45[] = {EGL_CONTEXT_MAJOR_VERSION,
                           4,
                           EGL_CONTEXT_MINOR_VERSION,
                           5,
                           EGL_CONTEXT_OPENGL_PROFILE_MASK,
                           EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT,
                           EGL_NONE};
  EGLContext context = eglCreateContext(display, config, EGL_NO_CONTEXT, core45);
  if (context != EGL_NO_CONTEXT) return context;
  const EGLint plain[] = {EGL_NONE};
  context = eglCreateContext(display, config, EGL_NO_CONTEXT, plain);
  if (context == EGL_NO_CONTEXT)
    throw RunError("EGL could not create an OpenGL context (error 0x{:04x})", eglGetError());
  return context;
}

}  // namespace

struct OffscreenContext::Impl {
  EGLDisplay display = EGL_NO_DISPLAY;
  EGLContext context = EGL_NO_CONTEXT;
  ~Impl() {
    if (context == EGL_NO_CONTEXT) return;
    if (eglGetCurrentContext() == context)
      eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
    eglDestroyContext(display, context);
  }
};

OffscreenContext::OffscreenContext() : impl_(std::make_unique<Impl>()) {
  impl_->display = openDisplay();
  gladLoadEGL(impl_->display, eglFunction);
  if (!eglBindAPI(EGL_OPENGL_API))
    throw RunError("this EGL driver has no desktop OpenGL; 4.5 is needed");
  impl_->context = createContext(impl_->display, chooseConfig(impl_->display));
  if (!eglMakeCurrent(impl_->display, EGL_NO_SURFACE, EGL_NO_SURFACE, impl_->context))
    throw RunError("EGL could not make its context current (error 0x{:04x})", eglGetError());
  loadGl(eglFunction);
}

OffscreenContext::~OffscreenContext() = default;

RenderTarget::RenderTarget(int width, int height, bool withDepth) {
  glNamedRenderbufferStorage(colour, GL_RGBA8, width, height);
  glNamedFramebufferRenderbuffer(framebuffer, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, colour);
  if (withDepth) {
    glNamedRenderbufferStorage(depth, GL_DEPTH_COMPONENT32F, width, height);
    glNamedFramebufferRenderbuffer(framebuffer, GL_DEPTH_ATTACHMENT, GL_RENDERBUFFER, depth);
  }
  if (glCheckNamedFramebufferStatus(framebuffer, GL_FRAMEBUFFER) != GL_FRAMEBUFFER_COMPLETE)
    throw RunError(
        "the graphics driver cannot draw a picture of {} x {} pixels; choose a smaller one", width,
        height);
}

Image readPixels(int x, int y, int width, int height) {
  Image image{width, height, {}};
  const std::size_t row = 3 * static_cast<std::size_t>(width);
  std::vector<std::uint8_t> flipped(row * static_cast<std::size_t>(height));
  glPixelStorei(GL_PACK_ALIGNMENT, 1);
  glReadPixels(x, y, width, height, GL_RGB, GL_UNSIGNED_BYTE, flipped.data());
  image.rgb.reserve(flipped.size());
  for (int k = height - 1; k >= 0; --k) {
    const auto begin = flipped.begin() + static_cast<std::ptrdiff_t>(row) * k;
    image.rgb.insert(image.rgb.end(), begin, begin + static_cast<std::ptrdiff_t>(row));
  }
  return image;
}

Image renderImage(Renderer& renderer, const Camera& camera, const Style& style, int width,
                  int height) {
  GLint side = 0, most[2] = {};
  glGetIntegerv(GL_MAX_RENDERBUFFER_SIZE, &side);
  glGetIntegerv(GL_MAX_VIEWPORT_DIMS, most);
  const int limit = std::min({side, most[0] - 256, most[1] - 256});
  if (width < 1 || height < 1 || width > limit || height > limit)
    throw InputError("a picture of {} x {} pixels was asked for; each side must be from 1 to {}",
                     width, height, limit);
  // Edges in the plane are smoothed analytically. In space, where surfaces cut each other, the
  // picture is drawn at twice the size and averaged.
  const int factor = camera.dimension == 3 && 2 * std::max(width, height) <= limit ? 2 : 1;
  GLint drawBefore = 0, readBefore = 0;
  glGetIntegerv(GL_DRAW_FRAMEBUFFER_BINDING, &drawBefore);
  glGetIntegerv(GL_READ_FRAMEBUFFER_BINDING, &readBefore);
  const RenderTarget large(factor * width, factor * height, camera.dimension == 3);
  Style scaled = style;
  scaled.scale *= static_cast<float>(factor);
  glBindFramebuffer(GL_DRAW_FRAMEBUFFER, large.framebuffer);
  renderer.draw(camera, {0, 0, factor * width, factor * height}, scaled);
  std::optional<RenderTarget> small;
  if (factor > 1) {
    small.emplace(width, height, false);
    glBlitNamedFramebuffer(large.framebuffer, small->framebuffer, 0, 0, factor * width,
                           factor * height, 0, 0, width, height, GL_COLOR_BUFFER_BIT, GL_LINEAR);
  }
  glBindFramebuffer(GL_READ_FRAMEBUFFER, small ? small->framebuffer : large.framebuffer);
  Image image = readPixels(0, 0, width, height);
  glBindFramebuffer(GL_DRAW_FRAMEBUFFER, static_cast<GLuint>(drawBefore));
  glBindFramebuffer(GL_READ_FRAMEBUFFER, static_cast<GLuint>(readBefore));
  return image;
}

}  // namespace cellscope::render
