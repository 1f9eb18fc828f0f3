#!/usr/bin/env bash
# The documentation becomes a site, in which every link leads somewhere and nothing is loaded from elsewhere; planted errors are
# found. Exit code 77 (skipped) where MkDocs cannot be had.
#
# Usage: docs.sh REPOSITORY FOLDER    (FOLDER keeps MkDocs for the next time)
set -euo pipefail
repository=$(realpath "$1")
mkdir -p "$2/build"
folder=$(realpath "$2")

# A copy, to plant errors in.
for path in "$repository"/*.md "$repository"/{mkdocs.yml,LICENSE,CITATION.cff,Dockerfile,apptainer,docs,configs,include,meshes,scripts}; do
  rm -rf "${folder:?}/$(basename "$path")" && cp -r "$path" "$folder"
done
rm -rf "$folder/python" && mkdir "$folder/python" && cp "$repository/python/README.md" "$folder/python"
cd "$folder"
if ! scripts/docs --install; then
  printf '\n*** SKIPPED: THE DOCUMENTATION WAS NOT BUILT ***\nMkDocs cannot be installed: no python3-venv, no network, or no registry\n\n' >&2
  exit 77
fi

fail() { echo "FAILED: $*" >&2; exit 1; }
scripts/docs || fail "the site is not built"
pages=$(find build/docs -name '*.html' | wc -l)
[ "$pages" -ge 18 ] || fail "only $pages pages"
if grep -rlE '<(script|link|img|iframe)[^>]*(src|href)="?(https?:)?//' build/docs --include='*.html'; then
  fail "these pages load something from elsewhere"
fi
for case in configs/*.yaml; do
  grep -q "$(basename "$case")" docs/gallery.md || fail "the gallery does not show $case"
done

plant() { # plant TEXT: at the end of a page; the site must not be built
  cp docs/library.md build/library.md
  printf '\n%s\n' "$1" >>docs/library.md
  if scripts/docs >build/log 2>&1; then fail "not found: $1"; fi
  mv build/library.md docs/library.md
}
plant '[nowhere](nowhere.md)'
plant '[nowhere](user_guide.md#nowhere)'
echo "$pages pages; planted errors are found"
