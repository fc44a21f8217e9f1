"""The checksums of the releases, by version and target.

A release adds its entry: {"0.2.0": {"x86_64-unknown-linux-musl": "…"}}.
"""

VERSIONS = {}
