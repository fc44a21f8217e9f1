#!/bin/bash -eu
# Builds every target with the flags of OSS-Fuzz, and packs the corpus of each.
cd "$SRC/inlay"
# The versions of the program: without them, cargo takes the newest ones.
cp Cargo.lock fuzz/Cargo.lock
cargo fuzz build -O --debug-assertions
for target in $(cargo fuzz list); do
  cp "fuzz/target/x86_64-unknown-linux-gnu/release/$target" "$OUT/"
  if [[ -d fuzz/corpus/$target ]]; then
    zip -jqr "$OUT/${target}_seed_corpus.zip" "fuzz/corpus/$target"
  fi
done
