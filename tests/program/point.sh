#!/usr/bin/env bash
# cleave point: a law along a path, alone or of a case, against numbers that were computed independently, and its errors.
#
# Usage: point.sh PROGRAM
source "$(dirname "$0")/support.sh"

# The last traction, stored energy, account and dissipation of a path of `ppr`; its work is their sum.
cat >ppr.yaml <<'END'
cohesive: {law: ppr, normal: {strength: 324.0e6, energy: 352}}
point: {stiffness_cap: 1.0e15, contact_stiffness: 4.0e14, normal: 300.0e6, tangential: -50.0e6}
END
cat >path.csv <<'END'
normal,tangential
1.0e-7,2.0e-8
6.0e-7,-1.0e-7
4.0e-7,5.0e-7
-2.0e-7,6.0e-7
END
expect 0 "$cleave" point ppr.yaml --path path.csv -o out.csv
cp path.csv kept.csv
expect 2 "$cleave" point ppr.yaml --path path.csv -o path.csv
expect 2 "$cleave" point ppr.yaml --path path.csv -o ./ppr.yaml
cmp path.csv kept.csv || fail "the path has been written over"
expect 1 "$cleave" point ppr.yaml --path path.csv -o /dev/full
close() { # FILE LINE COLUMN VALUE
  awk -F, -v line="$2" -v name="$3" -v right="$4" '
    NR == 1 { for (i = 1; i <= NF; ++i) if ($i == name) at = i }
    NR == line + 1 { off = $at / right - 1; if (off < 0) off = -off; found = (at > 0 && off < 1e-11) }
    END { exit !found }' "$1" || fail "$1: row $2 of $3 is not $4"
}
close out.csv 1 traction_normal 307527203.847
close out.csv 2 traction_tangential -165000000
close out.csv 3 traction_normal 89681046.4007
close out.csv 4 traction_normal -60463658.869
close out.csv 4 traction_tangential 139296262.768
close out.csv 4 stored 35.5957893177
close out.csv 4 account -25.6128471554
awk -F, 'NR == 1 { for (i = 1; i <= NF; ++i) c[$i] = i; next }
  { off = ($c["work"] - $c["stored"] - $c["account"] - $c["dissipated"]) / 200; if (off > 1e-13 || off < -1e-13) exit 1 }' out.csv ||
  fail "the work of a traction law is not what it stores and dissipates"

# The exponential law: its closed form.
cat >exponential.yaml <<'END'
cohesive: {law: exponential, normal: {strength: 2.0e6, energy: 80}}
point: {stiffness_cap: 1.0e18, contact_stiffness: 1.0e14, normal: 2.0e6}
END
printf 'time,normal,tangential\n1,4e-5,0\n2,1.2e-4,0\n3,1.95e-4,0\n' >open.csv
expect 0 "$cleave" point exponential.yaml --path open.csv -o open_out.csv
awk -F, 'NR == 3 { before = $10 } NR == 4 { exit !(before < 1 && $10 == 1) }' open_out.csv || fail "the exponential law does not end: $(tail -1 open_out.csv)"

# Simple shear of a metal: elastic, then on the yield surface; its work is what it stores and dissipates.
cat >j2.yaml <<'END'
material: {law: j2, young_modulus: 210.0e9, poisson_ratio: 0.3, density: 7850, yield_stress: 400.0e6}
END
printf 'time,xx,yy,xy\n1e-6,0,0,0.001\n2e-6,0,0,0.004\n' >shear.csv
expect 0 "$cleave" point j2.yaml --path shear.csv
close stdout 1 stress_xy 161538461.53846
close stdout 2 stress_xy 230940107.67585
cp stdout without
{ printf '\xEF\xBB\xBF'; cat shear.csv; } >marked.csv # as spreadsheets begin UTF-8
expect 0 "$cleave" point j2.yaml --path marked.csv
cmp stdout without || fail "a byte-order mark changes the path"
printf 'xx,xy,yx,yy\n-1,-1,1,-1\n' >turn.csv # by 90 degrees
sed 's/j2.*/neo_hookean, young_modulus: 1.0e9, poisson_ratio: 0.3, density: 1000}/' j2.yaml >rubber.yaml
expect 0 "$cleave" point rubber.yaml --path turn.csv
awk -F, 'NR == 2 { exit !($5 * $5 + $6 * $6 + $7 * $7 < 1) }' stdout || fail "a turn strains rubber"

# Cauchy's stress of plane stress is per present thickness.
cat >svk.yaml <<'END'
material: {law: st_venant_kirchhoff, young_modulus: 2.0e9, poisson_ratio: 0.3, density: 1000, plane: stress}
END
printf 'xx,xy,yx,yy\n0.15,0,0,0\n' >stretch.csv
expect 0 "$cleave" point svk.yaml --path stretch.csv
close stdout 1 stress_xx 439022240.42459
close stdout 1 stress_yy 99589166.06985

# Opened at 45 degrees from where a facet breaks, `linear` bears the ellipse of both strengths and `ppr` more.
awk 'BEGIN { print "normal,tangential"; for (i = 1; i <= 2000; ++i) print i * 1e-11 "," i * 1e-11 }' >both.csv
peak() { awk -F, 'NR == 1 { for (i = 1; i <= NF; ++i) if ($i == "ratio") at = i } NR > 1 && $at > most { most = $at } END { print most }' stdout; }
peak_is() { # LAW CRITERION START LEAST MOST
  printf 'cohesive: {law: %s, normal: {strength: 10.0e6, energy: 80}, insertion: {criterion: %s}}\n' "$1" "$2" >both.yaml
  printf 'point: {stiffness_cap: 1.0e15, contact_stiffness: 4.0e14, normal: %s, tangential: %s}\n' "$3" "$3" >>both.yaml
  expect 0 "$cleave" point both.yaml --path both.csv
  awk -v at="$(peak)" -v least="$4" -v most="$5" 'BEGIN { exit !(at >= least && at <= most) }' || fail "$1, $2: the peak is $(peak)"
}
peak_is linear ellipse 7.0710678e6 0.999 1.001
peak_is ppr ellipse 7.0710678e6 1.41 1.42
peak_is ppr max 10.0e6 0.999 1.01

# What has no part at a point is named, and changes nothing.
expect 0 "$cleave" point ppr.yaml --path path.csv -o without.csv
[ ! -s stderr ] || fail "a note on nothing: $(cat stderr)"
sed '1s/}$/, rate: {reference: 1.0e3, exponent: 1}, friction: 0.3}/' ppr.yaml >facet.yaml
expect 0 "$cleave" point facet.yaml --path path.csv -o with.csv
for key in rate friction; do says "note: facet.yaml: cohesive.$key has no part at a point"; done
cmp with.csv without.csv || fail "rate or friction has a part at a point"
sed 's/strength: [^,]*,/strength: {weibull: {scale: 324.0e6, modulus: 10, reference_length: 1.0e-3, seed: 1}},/' ppr.yaml >random.yaml
expect 0 "$cleave" point random.yaml --path path.csv -o with.csv
says "note: random.yaml: cohesive.normal.strength as a distribution has no part at a point"
cmp with.csv without.csv || fail "the distribution of strengths has a part at a point"
sed 's/}$/, erosion: {plastic_strain: 0.1}, artificial_viscosity: {linear: 0.06}}/' j2.yaml >triangle.yaml
expect 0 "$cleave" point triangle.yaml --path shear.csv
for key in erosion artificial_viscosity; do says "note: triangle.yaml: material.$key has no part at a point"; done

# What is wrong is named.
sed 's/yield_stress/yield_stres/' j2.yaml >wrong.yaml
refuses() {
  expect 2 "$cleave" point "$1" --path "$2"
  grep -q -- "$3" stderr || fail "no report of $3"
}
refuses wrong.yaml shear.csv 'wrong.yaml:1: material.yield_stres: unknown key'
refuses ppr.yaml shear.csv 'no column "normal"'
printf 'time,normal,tangential\n1,0,0\n0.5,0,0\n' >path_back.csv
printf 'xx,yy,xy\n0,0\n' >short.csv
refuses j2.yaml short.csv 'short.csv:2: expected 3 numbers'
refuses exponential.yaml path_back.csv 'times must increase'
refuses j2.yaml none.csv 'none.csv: no such file'
printf 'time,xx,yy,xy\n1,0,0,0\n1,0,0,0\n' >still.csv
refuses j2.yaml still.csv 'times must increase'
printf 'xx,yy,xy\n-0.5,0,0\n-2,0,0\n' >through.csv
refuses rubber.yaml through.csv 'through.csv: the gradient of row 2 turns the material inside out'
printf 'time,xx,yy,xy,xx\n1,0,0,0,1\n' >twice.csv
refuses j2.yaml twice.csv 'twice.csv:1: two columns have the name "xx"'
refuses j2.yaml /dev/zero '/dev/zero: is neither a plain file nor a pipe'
refuses /dev/zero shear.csv '/dev/zero: is neither a plain file nor a pipe'
expect 2 bash -c "timeout 60 '$cleave' point j2.yaml --path <(yes 1,2,3)"
says 'has more than 256000000 bytes'
expect 0 bash -c "'$cleave' point <(cat j2.yaml) --path <(cat shear.csv)"
cmp stdout without || fail "pipes change the path"
printf 'xx,yy,xy,a\033b\n0,0,0,1\n' >control.csv
refuses j2.yaml control.csv 'control.csv:1: expected names of columns in UTF-8, without control characters'

# What a law makes of numbers that are too large is no result.
for law in j2 rubber; do
  printf 'time,xx,yy,xy\n1e-6,1e-3,0,0\n2e-6,1e300,1e300,0\n' >far.csv
  expect 3 "$cleave" point $law.yaml --path far.csv -o far_out.csv
  says 'far.csv: row 2: '
  says ' is not a finite number'
  [ ! -e far_out.csv ] || fail "rows that are not finite are written"
done
printf 'normal,tangential\n1e-7,0\n1e200,1e200\n' >far.csv
for law in ppr exponential; do
  "$cleave" point $law.yaml --path far.csv >stdout 2>stderr
  code=$?
  [ $code -eq 3 ] || [ $code -eq 0 ] && ! grep -qiE 'nan|inf' stdout || fail "$law writes no numbers, exit code $code"
done
# A case: the columns of the path name its law. The cohesive law starts at its strength, with the stiffness cap of its facets.
cat >case.yaml <<'END'
mesh: {shape: rectangle, size: [0.01, 0.01], divisions: [4, 4]}
material: {law: j2, young_modulus: 210.0e9, poisson_ratio: 0.3, density: 7850, yield_stress: 400.0e6}
cohesive: {law: linear, normal: {strength: 10.0e6, energy: 80}}
time: {step: 1.0e-9, steps: 10}
END
expect 0 "$cleave" point case.yaml --path shear.csv
cmp stdout without || fail "the material of a case is another one"
expect 0 "$cleave" point case.yaml --path both.csv
says 'note: case.yaml: the cohesive law starts at its strength, 7.071e+06 Pa normal and 7.071e+06 Pa tangential'
awk -F, 'NR == 1 { for (i = 1; i <= NF; ++i) c[$i] = i; next }
  { r = sqrt($c["law_traction_normal"] ^ 2 + $c["law_traction_tangential"] ^ 2) / 10.0e6; if (r > most) most = r }
  END { exit !(most > 0.999 && most <= 1 + 1e-12) }' stdout || fail "the law of a case does not start at its strength"
ls | grep -q '^out$' && fail "point wrote results"
printf 'xx,yy,xy,normal,tangential\n0,0,0,0,0\n' >either.csv
refuses case.yaml either.csv 'either.csv: its columns say which law of a case to lead'
printf 'a,b\n0,0\n' >neither.csv
refuses case.yaml neither.csv 'normal, tangential (openings) the cohesive law; it has a, b'
sed 's/^material: \(.*\)$/material: [\1, {on: left_half, young_modulus: 1.0e9, poisson_ratio: 0.3, density: 1000}]/
  s/divisions: \[4, 4\]/&, regions: {left_half: {box: [0, 0, 0.005, 0.01]}}/' case.yaml >two.yaml
expect 0 "$cleave" point two.yaml --path shear.csv
cmp stdout without || fail "the first material of a case is another one"
says 'note: two.yaml: of 2 entries of `material` the first is led'
sed '/^cohesive/d' case.yaml >unbroken.yaml
refuses unbroken.yaml both.csv 'unbroken.yaml: it has no `cohesive`: nothing breaks'
sed 's/strength: 10.0e6/strengt: 10.0e6/' case.yaml >wrong_case.yaml
refuses wrong_case.yaml both.csv 'wrong_case.yaml:3: cohesive.normal.strengt: unknown key'

# The law's own tractions stand beside those that settle the account: the envelope never exceeds the strength.
awk 'BEGIN { print "normal,tangential"; for (i = 1; i <= 200; ++i) print i * 1e-7 ",0" }' >coarse.csv
expect 0 "$cleave" point case.yaml --path coarse.csv
awk -F, 'NR == 1 { for (i = 1; i <= NF; ++i) c[$i] = i; next }
  { if ($c["law_traction_normal"] > most) most = $c["law_traction_normal"]; if ($c["traction_normal"] > led) led = $c["traction_normal"] }
  END { exit !(most <= 10.0e6 * (1 + 1e-12) && most > 9.8e6 && led > most) }' stdout || fail "the envelope is not the law's"

printf 'point: {}\n' >empty.yaml
refuses empty.yaml shear.csv 'expected exactly one of material, cohesive'

finish
