# Debian packages that cellscope needs; sourced by app/start, tests/run and .ci/run.

BUILD_PACKAGES=(
  build-essential cmake ninja-build pkg-config
  libglfw3-dev libglm-dev libimgui-dev libtbb-dev libcli11-dev libfmt-dev libstb-dev
  librandom123-dev libtomlplusplus-dev nlohmann-json3-dev libmd-dev libfreetype-dev libhdf5-dev zlib1g-dev
  python3-glad
  libegl-dev libgl-dev libegl1 libgl1-mesa-dri
  libgtest-dev libgmock-dev libbenchmark-dev
  fonts-inter fonts-jetbrains-mono
)
TEST_PACKAGES=(xvfb xauth xdotool x11-utils imagemagick python3-ase python3-h5py python3-gsd python3-mdanalysis python3-pandas)
ENGINE_PACKAGES=(slurmctld slurmd slurm-client)  # where they are missing a test is skipped
FORMAT_PACKAGES=(clang-format-14)  # continuous integration only

# Install those of the given packages that are missing; does nothing, and asks for nothing, when
# all are there.
install_missing() {
  command -v dpkg-query > /dev/null || {
    echo "This is not Debian: please install the counterparts of these packages: $*" >&2
    return 0
  }
  local package missing=()
  for package in "$@"; do
    dpkg-query -W -f '${db:Status-Status}\n' "$package" 2> /dev/null | grep -qx installed ||
      missing+=("$package")
  done
  [ ${#missing[@]} -eq 0 ] && return 0
  echo "Installing Debian packages: ${missing[*]}"
  local root=()
  if [ "$(id -u)" -ne 0 ]; then
    command -v sudo > /dev/null || {
      echo "sudo is missing; as root, please run: apt-get install ${missing[*]}" >&2
      return 1
    }
    root=(sudo)
  fi
  "${root[@]}" apt-get update -qq
  "${root[@]}" env DEBIAN_FRONTEND=noninteractive \
    apt-get install -y -qq --no-install-recommends "${missing[@]}"
}

# Why find_nvcc finds none, for messages of the program.
why_no_cuda() {
  [ "${CELLSCOPE_CUDA:-AUTO}" = OFF ] && echo "CELLSCOPE_CUDA=OFF was set" || echo "nvcc was not found"
}

# nvcc on the PATH or where NVIDIA's packages put it; prints nothing when there is none, or when
# CELLSCOPE_CUDA=OFF is set.
find_nvcc() {
  [ "${CELLSCOPE_CUDA:-AUTO}" != OFF ] || return 0
  command -v nvcc || { [ -x /usr/local/cuda/bin/nvcc ] && echo /usr/local/cuda/bin/nvcc; } || true
}
