# Sourced by the scripts that install packages.

# Runs a command as root.
as_root() {
  if [ "$(id -u)" = 0 ]; then
    "$@"
  elif command -v sudo >/dev/null; then
    sudo "$@"
  else
    echo "This needs root: run it as root, or install sudo. It was: $*" >&2
    return 1
  fi
}
