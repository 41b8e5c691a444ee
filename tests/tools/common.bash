# Functions shared by the scripts of tests/, which source this file.

# Records a skipped test: skip WHAT WHY.
skip() {
    if [ -n "${TESTS_SKIPPED-}" ]; then echo "$1: $2" >>"$TESTS_SKIPPED"; else echo "$1: $2" >&2; fi
}

# Checks the only argument of most scripts, a binary, and prints its full path: binary=$(binary_argument "$@").
binary_argument() {
    [ $# -eq 1 ] && [ -x "$1" ] || { echo "usage: $0 PATH-OF-THE-BINARY" >&2; exit 2; }
    realpath "$1"
}

# Runs a command as root: directly, or with sudo if that asks for no password.
as_root() {
    if [ "$(id -u)" = 0 ]; then "$@"; else sudo -n "$@"; fi
}

# Installs Debian packages: debian_install PACKAGE...
debian_install() {
    command -v apt-get >/dev/null && {
        as_root apt-get update -qq && as_root apt-get install -y -qq --no-install-recommends "$@" >/dev/null
    } 2>/dev/null
}

# Unpacks a Debian package into a folder without installing it, since an installed one would start a service:
# debian_unpack PACKAGE FOLDER.
debian_unpack() {
    command -v apt-get >/dev/null || return 1
    local downloads status=0
    downloads=$(mktemp -d)
    chmod 777 "$downloads" # for the user `_apt`
    mkdir -p "$2"
    (cd "$downloads" && { apt-get download -qq "$1" || { as_root apt-get update -qq && apt-get download -qq "$1"; }; }) >/dev/null 2>&1 &&
        dpkg-deb -x "$downloads/$1"_*.deb "$2" || status=1
    rm -rf "$downloads"
    return "$status"
}

# Installs those of `venv`, `npm`, `chromium`, `clang` (with LLD) and `wasm` (Rust's compiler for WebAssembly) that are missing;
# fails if it cannot: ensure TOOL...
ensure() {
    missing=()
    local tool
    for tool in "$@"; do
        case $tool in
            # Debian has this part of Python in a separate package.
            venv) python3 -c 'import venv, ensurepip' 2>/dev/null || missing+=(python3-venv) ;;
            npm) command -v npm >/dev/null || missing+=(nodejs npm) ;;
            clang) command -v clang >/dev/null && command -v wasm-ld >/dev/null || missing+=(clang lld) ;;
            wasm)
                [ -d "$(rustc --print sysroot)/lib/rustlib/wasm32-unknown-unknown/lib" ] ||
                    { [ -x /usr/bin/rustc ] && [ -d /usr/lib/rustlib/src/rust/library ]; } ||
                    missing+=(rustc-web rust-web-src rust-web-llvm lld-22)
                ;;
            chromium) [ -x "${CHROMIUM:-/usr/bin/chromium}" ] || missing+=(chromium) ;;
        esac
    done
    [ ${#missing[@]} -eq 0 ] || debian_install "${missing[@]}"
}

# Skips the test and ends the script if its tools are missing and cannot be installed: need TEST TOOL...
need() {
    ensure "${@:2}" && return
    skip "$1" "needs ${missing[*]} (names as in Debian)"
    exit 0
}

# Installs a folder's Node.js packages in the versions of its lock file, unless they are installed: npm_install FOLDER.
npm_install() {
    if ! cmp -s "$1/package-lock.json" "$1/node_modules/.tesuji-lock"; then
        (cd "$1" && PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD=1 npm ci --silent --no-audit --no-fund --ignore-scripts)
        cp "$1/package-lock.json" "$1/node_modules/.tesuji-lock"
    fi
}

# Starts a server on a free loopback port and sets `url` and `server`, its process id: serve BINARY OPTION...
# The calling script stops the server in its trap.
serve() {
    local binary=$1 greeting
    shift
    greeting=$(mktemp)
    TESUJI_LOG=error "$binary" serve --listen 127.0.0.1:0 "$@" >"$greeting" &
    server=$!
    url=
    for _ in $(seq 600); do
        url=$(sed -n '1s|.*\(http://[0-9.:]*\).*|\1|p' "$greeting")
        [ -z "$url" ] || break
        kill -0 "$server" 2>/dev/null || break
        sleep 0.1
    done
    rm -f "$greeting"
    [ -n "$url" ] || { echo "$binary printed no address" >&2; exit 1; }
    export NO_PROXY=127.0.0.1 no_proxy=127.0.0.1
}
