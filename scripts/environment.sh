# shellcheck shell=bash
# The Python environment in .venv: found, made, kept in step with setup.cfg, and repaired.
# Sourced by scripts/run and scripts/test, which set `root` to the repository first.

venv="${root:?}/.venv"
python="$venv/bin/python"
unfinished="$venv/companion-unfinished"

say() {
    printf '%s\n' "$*" >&2
}

stop() {
    say "$*"
    exit 1
}

on_a_pi() {
    [[ "$(uname -s)" == Linux && "$(uname -m)" =~ ^(aarch64|armv7l)$ ]] &&
        /usr/bin/python3 -c 'import importlib.util as u, sys; sys.exit(not u.find_spec("picamera2"))' \
            2>/dev/null
}

# The first Python that is new enough. On a Pi it is the system's own, which knows the camera.
find_python() {
    local candidate candidates=(python3 python3.13 python3.12 python3.11 python3.14 python)
    if on_a_pi; then
        candidates=(/usr/bin/python3)
    fi
    for candidate in "${candidates[@]}"; do
        if "$candidate" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
            command -v "$candidate"
            return
        fi
    done
    stop "Python 3.11 or newer is needed: install it (on Debian and Raspberry Pi OS:" \
        "sudo apt install python3 python3-venv), then start this again."
}

# What an installed environment depends on: if any of it changes, pip has to look again.
fingerprint() {
    {
        cat "$root/setup.cfg" "$root/pyproject.toml"
        printf '%s\n' "$root" "$1"
    } | cksum
}

# Whether the environment sees the system's packages, among which is a Pi's camera.
sees_system() {
    grep -qi '^include-system-site-packages *= *true' "$venv/pyvenv.cfg" 2>/dev/null
}

make_venv() {
    local base options=()
    base="$(find_python)"
    if on_a_pi; then
        options=(--system-site-packages)
    fi
    say "Making the Python environment in .venv ..."
    rm -rf "$venv"
    mkdir -p "$venv"
    touch "$unfinished"
    "$base" -m venv "${options[@]}" "$venv" ||
        stop "Python's venv is missing: install it (sudo apt install python3-venv), then start again."
}

pip() {
    "$python" -m pip --disable-pip-version-check --quiet "$@"
}

version_of() {
    "$python" -c 'import importlib.metadata as m, sys; print(m.version(sys.argv[1]))' "$1" 2>/dev/null
}

install() {
    say "Installing what the companion needs (a few minutes the first time) ..."
    if [[ -n "$(version_of opencv-python-headless)" ]]; then
        pip uninstall --yes opencv-python-headless
    fi
    # A failure, unlike an interruption, leaves what was there before usable.
    if ! install_all "$@"; then
        rm -f "$unfinished"
        stop "The installation did not finish: check the internet connection, then start this again."
    fi
}

# install_all EXTRAS: the companion and all it needs.
install_all() {
    if on_a_pi && [[ "$(version_of numpy)" == 1.* ]]; then
        install_beside_old_numpy "$1"
    else
        pip install --editable "$root$1"
    fi
}

# The camera library of Raspberry Pi OS bookworm is compiled for NumPy 1. OpenCV asks for NumPy 2
# and runs with 1.26 as well, so it is installed without being asked.
install_beside_old_numpy() {
    local wanted
    say "What pip says about OpenCV and NumPy 2 can be left aside here."
    pip install --no-deps --editable "$root" 'opencv-python>=5.0' || return
    mapfile -t wanted < <(needed_beside_opencv "$1")
    pip install "${wanted[@]}" 'numpy<2'
}

needed_beside_opencv() {
    "$python" - "$1" <<'PYTHON'
import importlib.metadata
import sys

from pip._vendor.packaging.requirements import Requirement

for text in importlib.metadata.requires("mexican-train-companion") or ():
    need = Requirement(text)
    wanted = need.marker is None or need.marker.evaluate({"extra": sys.argv[1].strip("[]")})
    if wanted and need.name != "opencv-python":
        print(need.name + str(need.specifier))
PYTHON
}

# What OpenCV says when it cannot be imported; nothing when it can.
cv2_error() {
    local said
    said="$("$python" -c 'import cv2' 2>&1)" || printf '%s\n' "${said##*$'\n'}"
}

# Where the graphics libraries of a desktop are missing, OpenCV's headless twin does the same work.
check_opencv() {
    local error version wheels
    error="$(cv2_error)"
    [[ -n "$error" ]] || return 0
    version="$(version_of opencv-python)" || stop "OpenCV cannot be used: $error"
    say "OpenCV cannot be used here ($error): taking opencv-python-headless $version instead."
    wheels="$(mktemp -d)"
    pip download --no-deps --dest "$wheels" "opencv-python-headless==$version" ||
        stop "It could not be fetched: connect to the internet, or install the libraries" \
            "(sudo apt install libgl1 libglib2.0-0), then start this again."
    touch "$unfinished"
    pip uninstall --yes opencv-python
    pip install --no-deps "$wheels"/*.whl
    rm -rf "$wheels"
    error="$(cv2_error)"
    rm -f "$unfinished"
    [[ -z "$error" ]] ||
        stop "OpenCV still cannot be used ($error): install its libraries" \
            "(sudo apt install libgl1 libglib2.0-0), then start this again."
}

# prepare EXTRAS: brings .venv in step, with extras like "[test]" or none.
prepare() {
    local extras="$1" stamp="$venv/companion-installed$1"
    trap 'exit 130' INT
    if [[ -e "$unfinished" ]] || ! "$python" -c 'import pip' 2>/dev/null ||
        { on_a_pi && ! sees_system; }; then
        make_venv
    fi
    if [[ "$(cat "$stamp" 2>/dev/null)" != "$(fingerprint "$extras")" ]]; then
        touch "$unfinished"
        install "$extras"
        fingerprint "" >"$venv/companion-installed"
        fingerprint "$extras" >"$stamp"
        rm -f "$unfinished"
    fi
    check_opencv
    trap - INT
}
