#!/bin/sh
# Installs Inlay from a release: downloads the archive for this machine, compares its SHA-256 with the list of the
# release, and puts the program in place.
#
#   curl -fsSL https://github.com/inlay-dev/inlay/releases/latest/download/install.sh | sh
#
# Variables:
#   INLAY_VERSION      the release, such as 0.1.0; the newest one by default
#   INLAY_INSTALL_DIR  the folder of the program; $HOME/.local/bin by default
#   INLAY_TARGET       the platform, such as aarch64-unknown-linux-musl; this machine's by default
#   INLAY_BASE_URL     the address of the releases, for a mirror
#
# Exit codes: 1 wrong use or a folder that cannot be written, 2 unsupported platform, 3 failed download, 4 wrong
# checksum.

set -eu

# Everything is a function that the last line calls: a script that arrives incomplete does nothing.
main() {
  base=${INLAY_BASE_URL:-https://github.com/inlay-dev/inlay/releases}
  base=${base%/}
  case $base in
    # `http://127.0.0.1:80@example.com` names another machine.
    http://*@*) fail 1 "INLAY_BASE_URL has to start with https://, but is $base" ;;
    https://*) only_https=yes ;;
    http://127.0.0.1:* | http://localhost:*) only_https=no ;;
    *) fail 1 "INLAY_BASE_URL has to start with https://, but is $base" ;;
  esac
  if [ -z "${INLAY_INSTALL_DIR:-}" ] && [ -z "${HOME:-}" ]; then
    fail 1 'HOME is not set; name a folder in INLAY_INSTALL_DIR'
  fi
  folder=${INLAY_INSTALL_DIR:-$HOME/.local/bin}
  target=${INLAY_TARGET:-$(detect_target)}
  version=${INLAY_VERSION:-$(newest_version)}
  version=${version#v}

  stem=inlay-v$version-$target
  case $target in
    *-windows-*) archive=$stem.zip file=inlay.exe ;;
    *) archive=$stem.tar.gz file=inlay ;;
  esac
  # Moving a file to the name of a folder would put it into the folder.
  [ ! -d "$folder/$file" ] || fail 1 "$folder/$file is a folder"
  scratch=$(mktemp -d) || fail 1 'cannot create a temporary folder'
  new=
  trap 'rm -rf "$scratch"; if [ -n "$new" ]; then rm -f "$new"; fi' EXIT
  trap 'exit 1' HUP INT TERM

  say "downloading $archive"
  download "$base/download/v$version/$archive" "$scratch/$archive"
  download "$base/download/v$version/SHA256SUMS" "$scratch/SHA256SUMS"
  verify "$scratch" "$archive"

  case $archive in
    *.zip) unzip -q "$scratch/$archive" -d "$scratch" || fail 3 "cannot unpack $archive" ;;
    *) tar -xzf "$scratch/$archive" -C "$scratch" || fail 3 "cannot unpack $archive" ;;
  esac
  program=$scratch/$stem/$file
  [ -f "$program" ] || fail 3 "$archive contains no $stem/$file"

  mkdir -p "$folder" || fail 1 "cannot create $folder"
  # Moving a file replaces a program that is running; writing into it would not.
  new=$folder/.new-$$-$file
  cp "$program" "$new" || fail 1 "cannot write to $folder"
  # Other users can run it, whatever the file mode mask is.
  chmod 755 "$new" || fail 1 "cannot write to $folder"
  # A program for another platform is found here, before the one in place is touched. It is tried in the folder in which
  # it will be, because nothing runs in some temporary folders (`noexec`).
  found=$("$new" --version) || fail 2 "$archive does not run on this machine, or no program may run in $folder"
  mv -f "$new" "$folder/$file" || fail 1 "cannot write to $folder"
  new=

  say "$found installed as $folder/$file"
  case :${PATH:-}: in
    *":$folder:"*) ;;
    *) say "add it to your PATH: export PATH=\"$folder:\$PATH\"" ;;
  esac
}

say() { printf '%s\n' "$*" >&2; }

# fail CODE MESSAGE
fail() {
  printf 'install.sh: %s\n' "$2" >&2
  exit "$1"
}

has() { command -v "$1" >/dev/null 2>&1; }

# Prints the target triple of this machine.
detect_target() {
  system=$(uname -s)
  machine=$(uname -m)
  # A shell that runs translated on an Apple processor reports the other architecture.
  if [ "$system" = Darwin ] && [ "$(sysctl -n sysctl.proc_translated 2>/dev/null || echo 0)" = 1 ]; then
    machine=arm64
  fi
  case $machine in
    x86_64 | amd64) machine=x86_64 ;;
    aarch64 | arm64) machine=aarch64 ;;
    *) fail 2 "no release for the processor $machine; build it with: cargo install inlay-cli" ;;
  esac
  case $system in
    Linux) printf '%s-unknown-linux-musl' "$machine" ;;
    Darwin) printf '%s-apple-darwin' "$machine" ;;
    MINGW* | MSYS* | CYGWIN*) printf '%s-pc-windows-msvc' "$machine" ;;
    *) fail 2 "no release for the system $system; build it with: cargo install inlay-cli" ;;
  esac
}

# Prints the version of the newest release. Its page redirects to the address with the tag, so that this needs no API
# with a limit of requests.
newest_version() {
  if has curl; then
    page=$(call_curl -I -o /dev/null -w '%{url_effective}' "$base/latest") || page=
  elif has wget; then
    page=$(wget -S --spider "$base/latest" 2>&1 | sed -n 's/^ *Location: *\([^ ]*\).*/\1/p' | tail -n 1) || page=
  else
    fail 3 'needs curl or wget'
  fi
  case $page in
    */tag/v*) printf '%s' "${page##*/tag/v}" ;;
    *) fail 3 "cannot find the newest release at $base/latest; name one in INLAY_VERSION" ;;
  esac
}

# call_curl ARGUMENT...: follows redirects, but not from https to another protocol.
call_curl() {
  if [ "$only_https" = yes ]; then
    set -- --proto '=https' --tlsv1.2 --retry 3 "$@"
  fi
  curl -fsSL "$@"
}

# download URL FILE
download() {
  if has curl; then
    call_curl -o "$2" "$1" || fail 3 "cannot download $1"
  elif has wget; then
    wget -q -O "$2" "$1" || fail 3 "cannot download $1"
  else
    fail 3 'needs curl or wget'
  fi
}

# verify FOLDER NAME: compares FOLDER/NAME with its line in FOLDER/SHA256SUMS.
verify() {
  # The name has to be the whole second field: `NAME.sig` is another file.
  expected=$(awk -v name="$2" '$2 == name || $2 == "*" name { print $1 }' "$1/SHA256SUMS")
  [ -n "$expected" ] || fail 4 "SHA256SUMS has no line for $2"
  if has sha256sum; then
    actual=$(sha256sum "$1/$2")
  elif has shasum; then
    actual=$(shasum -a 256 "$1/$2")
  elif has openssl; then
    actual=$(openssl dgst -sha256 -r "$1/$2")
  else
    fail 4 'needs sha256sum, shasum or openssl to verify the download'
  fi
  actual=${actual%% *}
  [ "$actual" = "$expected" ] || fail 4 "the checksum of $2 is $actual, but SHA256SUMS lists $expected"
}

main "$@"
