#!/usr/bin/env bash
# Every file and folder that a text names is there. Reads ARCHITECTURE.md and CONTRIBUTING.md: paths from the root of the
# repository must exist, and names of source files alone must exist somewhere. And every file in benchmarks/results is named by
# a text, as FOLDER/FILE, every such name is a file, and no file there has a path of the machine that it was made on. Texts stay
# as short as they are meant to be.
#
#     paths_in_texts.sh REPOSITORY
set -euo pipefail
cd "$1"

folders='include|src|cuda|tests|docs|benchmarks|cmake|scripts|configs|meshes|python'
missing=0
for text in ARCHITECTURE.md CONTRIBUTING.md; do
  while IFS=: read -r line path; do
    [ -e "$path" ] || { echo "$text:$line: $path does not exist"; missing=1; }
  done < <(grep -noE "\b($folders)/[A-Za-z0-9_./-]*[A-Za-z0-9_]" "$text")
  while IFS=: read -r line name; do
    [ -n "$(find include src cuda tests benchmarks -name "$name" -print -quit)" ] ||
      { echo "$text:$line: no file is called $name"; missing=1; }
  done < <(grep -noE "\b[a-z0-9_]+\.(hpp|cpp|cuh|cu|sh)\b" "$text")
done

texts=(*.md docs/*.md benchmarks/*.md)
while read -r file; do
  grep -qF "$file" "${texts[@]}" || { echo "benchmarks/results/$file: no text names it"; missing=1; }
done < <(cd benchmarks/results && find . -type f | cut -c3-)
while read -r file; do
  [ -f "benchmarks/results/$file" ] || { echo "a text names benchmarks/results/$file, which does not exist"; missing=1; }
done < <(grep -ohE '\b[a-z0-9_]+_20[0-9]{2}-[0-9]{2}-[0-9]{2}[a-z]?/[A-Za-z0-9_]+\.(log|json|txt)' "${texts[@]}" | sort -u)
if grep -rnE '(^|[^A-Za-z0-9_.-])/(tmp|root|home|work|mnt|opt|usr|var)/' benchmarks/results; then
  echo "these paths are of one machine"
  missing=1
fi

while read -r most text; do
  [ "$(wc -c <"$text")" -le "$most" ] || { echo "$text has more than $most bytes"; missing=1; }
done <<<'4096 README.md
22000 ARCHITECTURE.md
32000 BENCHMARKS.md
32000 VERIFICATION.md'
exit $missing
