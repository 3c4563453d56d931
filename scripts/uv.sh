# Sourced by scripts that need uv: installs it, of the hash in requirements/uv.txt, below "$work", and lets it take
# packages from the registry that pip is set up for.
"$(scripts/find-python)" -m venv "$work/uv"
"$work/uv/bin/python" -m pip install --quiet --require-hashes --requirement requirements/uv.txt
if index=$("$work/uv/bin/python" -m pip config get global.index-url 2>/dev/null); then
    export UV_DEFAULT_INDEX=$index
fi
export UV_SYSTEM_CERTS=true
uv=$work/uv/bin/uv
