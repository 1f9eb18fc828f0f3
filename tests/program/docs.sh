#!/usr/bin/env bash
# The documentation becomes a site, in which every link leads somewhere and nothing is loaded from elsewhere; planted errors are
# found, in comments of headers too. Exit code 77 (skipped) where MkDocs cannot be had, or, when all else is done, without doxygen.
#
# Usage: docs.sh REPOSITORY FOLDER    (FOLDER keeps MkDocs for the next time)
set -euo pipefail
repository=$(realpath "$1")
mkdir -p "$2/build"
folder=$(realpath "$2")

# A copy, to plant errors in.
for path in "$repository"/*.md "$repository"/{mkdocs.yml,Doxyfile,LICENSE,CITATION.cff,Dockerfile,apptainer,docs,configs,include,meshes,scripts}; do
  rm -rf "${folder:?}/$(basename "$path")" && cp -r "$path" "$folder"
done
for path in python/README.md benchmarks/notebook.md; do
  rm -rf "${folder:?}/$(dirname $path)" && mkdir "$folder/$(dirname $path)" && cp "$repository/$path" "$folder/$path"
done
cd "$folder"
if ! scripts/docs --install; then
  printf '\n*** SKIPPED: THE DOCUMENTATION WAS NOT BUILT ***\nMkDocs cannot be installed: no python3-venv, no network, or no registry\n\n' >&2
  exit 77
fi

fail() { echo "FAILED: $*" >&2; exit 1; }
code=0
scripts/docs || code=$?
[ $code -eq 0 ] || [ $code -eq 77 ] || fail "the site is not built"
pages=$(find build/docs -name '*.html' -not -path 'build/docs/api/*' | wc -l)
[ -s build/docs/api/index.html ] || fail "the link to the C++ API leads nowhere"
[ "$pages" -ge 18 ] || fail "only $pages pages"
formulas=$(grep -o '<math ' build/docs/docs/theory.html | wc -l)
[ "$formulas" -ge 200 ] || fail "theory.html has $formulas formulas"
! grep -rl 'class="arithmatex"' build/docs --include='*.html' || fail "these pages have formulas that are not drawn"
if grep -rlE '<(script|link|img|iframe)[^>]*(src|href)="?(https?:)?//' build/docs --include='*.html'; then
  fail "these pages load something from elsewhere"
fi
for case in configs/*.yaml; do
  grep -q "$(basename "$case")" docs/gallery.md || fail "the gallery does not show $case"
done

plant() { # plant TEXT [FILE]: at the end of a page or another file; the site must not be built
  local file=${2:-docs/library.md} code=0
  cp "$file" build/planted
  printf '\n%s\n' "$1" >>"$file"
  scripts/docs >build/log 2>&1 || code=$?
  [ $code -eq 1 ] || fail "not found: $1"
  mv build/planted "$file"
}
plant 'A formula $\nowhere$.'
plant '[nowhere](nowhere.md)'
plant '[nowhere](user_guide.md#nowhere)'
if [ $code -eq 77 ]; then
  printf '\n*** SKIPPED: THE C++ API, AS THERE IS NO DOXYGEN ***\n%s pages are as they should be\n\n' "$pages" >&2
  exit 77
fi
[ "$(find build/docs/api -name '*.html' | wc -l)" -ge 200 ] || fail "the C++ API has few pages"
grep -q 'Number of steps since the initial state' build/docs/api/classcleave_1_1Solver.html || fail "the C++ API has no comments"
grep -rlE '<(script|link|img|iframe)[^>]*(src|href)="?(https?:)?//' build/docs/api --include='*.html' &&
  fail "these pages load something from elsewhere"
plant $'/// @param nothing  is no argument\nvoid planted(int something);' include/cleave/core/error.hpp
echo "$pages pages and the C++ API; planted errors are found"
