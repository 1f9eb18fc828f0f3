#include "cleave/output/results.hpp"

#include <atomic>
#include <catch2/catch.hpp>
#include <chrono>
#include <memory>
#include <thread>

#include "cleave/core/error.hpp"
#include "cleave/mesh/files.hpp"
#include "cleave/mesh/solutions.hpp"
#include "cleave/output/files.hpp"
#include "fake_solver.hpp"
#include "two_triangles.hpp"

using namespace cleave;
using namespace cleave::test;

namespace {

std::vector<std::string> names_in(const std::filesystem::path& directory) { return result_files(directory); }

const Mesh two_elements = mesh_of(two_triangles(ElementType::t6));

PendingSnapshot snapshot_at(Step step) {
  return [step](int) {
    Snapshot s = two_triangles(ElementType::t6);
    s.step = step;
    s.time = 0.5 * static_cast<double>(step);
    return s;
  };
}

OutputCase output_in(const std::filesystem::path& directory) {
  OutputCase output;
  output.directory = directory;
  return output;
}

/// The rows of a CSV file of that step.
int rows_at(Step step, const std::filesystem::path& file) {
  std::ifstream in(file);
  std::string line;
  int n = 0;
  while (std::getline(in, line)) n += line.starts_with(std::to_string(step) + ",");
  return n;
}

}  // namespace

TEST_CASE("lines on sides that may touch have a column of the pressure there") {
  const TemporaryDirectory directory;
  const OutputCase output = output_in(directory / "out");
  std::vector<SampleLine> lines{{"a", 1, {{0, {1, 2}}}}, {"b", 1, {{0, {7, 8}}}}};
  lines[1].touches = true;
  Results results(output, output.directory, two_elements, {}, {}, false, lines);
  const ProbeValues p{0, 1, 2, 3, 4, 5, 6, 1, 2e5};
  results.add(ProbeRow{0, 0, {p, p}});
  results.flush();
  CHECK(text_of(directory / "out/lines.csv") ==
        "step,time,line,s,x,y,ux,uy,vx,vy,sxx,syy,sxy,contact_pressure\n"
        "0,0,a,0,1,2,0,1,2,3,4,5,6,\n"
        "0,0,b,0,7,8,0,1,2,3,4,5,6,200000\n");
}

TEST_CASE("lines have rows at their own periods, and none after the checkpoint") {
  const TemporaryDirectory directory;
  OutputCase output = output_in(directory / "out");
  output.probes = {{"tip", {0, 0}, 3, 0}};
  const std::vector<SampleLine> lines{{"a", 2, {{0, {1, 2}}, {0.5, {1.5, 2}}}}, {"b", 3, {{0, {7, 8}}}}};
  const auto row = [](Step step) {
    const auto p = [&](double ux) { return ProbeValues{ux, 1, 2, 3, 4, 5, -6}; };
    return ProbeRow{step, 0.25 * static_cast<double>(step), {p(10), p(20), p(30), p(40)}};
  };
  const auto text = [&] {
    std::ifstream in(directory / "out/lines.csv");
    return std::string(std::istreambuf_iterator<char>(in), {});
  };
  const std::string begin =
      "step,time,line,s,x,y,ux,uy,vx,vy,sxx,syy,sxy\n"
      "0,0,a,0,1,2,20,1,2,3,4,5,-6\n"
      "0,0,a,0.5,1.5,2,30,1,2,3,4,5,-6\n"
      "0,0,b,0,7,8,40,1,2,3,4,5,-6\n"
      "2,0.5,a,0,1,2,20,1,2,3,4,5,-6\n"
      "2,0.5,a,0.5,1.5,2,30,1,2,3,4,5,-6\n"
      "3,0.75,b,0,7,8,40,1,2,3,4,5,-6\n";
  const std::string end = "4,1,a,0,1,2,20,1,2,3,4,5,-6\n4,1,a,0.5,1.5,2,30,1,2,3,4,5,-6\n";
  {
    Results results(output, output.directory, two_elements, {}, {}, false, lines);
    for (Step step = 0; step < 5; ++step) results.add(row(step));
    results.flush();
  }
  CHECK(text() == begin + end);
  CHECK(names_in(directory / "out") == std::vector<std::string>{"lines.csv", "probes.csv"});

  Results results(output, output.directory, two_elements, {}, {}, false, lines);
  const Schedule schedule(10, 1, output);
  Checkpoint checkpoint;
  checkpoint.step = 3;
  CHECK(results.missing(checkpoint, schedule).empty());
  results.resume(checkpoint, schedule);
  CHECK(text() == begin);
  checkpoint.step = 5;
  CHECK(results.missing(checkpoint, schedule) == std::vector<std::string>{"2 rows of lines.csv"});
  results.add(row(4));
  results.flush();
  CHECK(text() == begin + end);
}

TEST_CASE("frames are written in INRIA's formats, too, and later ones go when a run is resumed") {
  const ElementType type = GENERATE(ElementType::t3, ElementType::t6);
  const Snapshot snapshot = two_triangles(type);
  Mesh mesh = mesh_of(snapshot);
  mesh.groups = {{"edge", {0}, {}, {}, {}}, {"body", {}, {}, {1}, {}}};
  const TemporaryDirectory directory;
  OutputCase output = output_in(directory / "out");
  output.inria = GENERATE(InriaFrames::mesh, InriaFrames::meshb);
  const std::string b = output.inria == InriaFrames::meshb ? "b" : "";
  {
    Results results(output, output.directory, mesh);
    for (int frame = 0; frame < 2; ++frame) results.add([&](int) { return snapshot; }, {});
    results.wait();
  }
  const std::string written = text_of(directory / ("out/bulk_000001.mesh" + b));
  CHECK(written == inria_file(mesh, !b.empty()));
  const std::size_t n = snapshot.position.size();
  const std::vector<std::vector<Point>> found =
      read_solution(directory / ("out/bulk_000001.sol" + b), {{"displacement", "velocity"}, {std::int64_t(n)}});
  for (std::size_t i = 0; i < n; ++i) {
    CHECK((found[0][i].x == snapshot.displacement[i].x && found[0][i].y == snapshot.displacement[i].y));
    CHECK((found[1][i].x == snapshot.velocity[i].x && found[1][i].y == snapshot.velocity[i].y));
  }
  if (b.empty()) {
    CHECK_THAT(text_of(directory / "out/bulk_000001.sol"),
               Catch::Contains("SolAtVertices\n" + std::to_string(n) +
                               "\n3 2 2 3\n0.001 -0.002 0.1 0.3 1000000 3000000 2000000\n"));
  }

  const auto has = [&](const std::string& name) { return std::filesystem::exists(directory / ("out/" + name + b)); };
  Results results(output, output.directory, mesh);
  Checkpoint checkpoint;
  checkpoint.step = 40;
  checkpoint.written.frames = {{0, 0, 0}};
  results.resume(checkpoint, Schedule(100, 1, output));
  CHECK((has("bulk_000000.mesh") && has("bulk_000000.sol")));
  CHECK_FALSE((has("bulk_000001.mesh") || has("bulk_000001.sol")));
}

TEST_CASE("files in INRIA's formats hold the chosen fields alone") {
  const TemporaryDirectory directory;
  OutputCase output = output_in(directory / "out");
  output.inria = InriaFrames::mesh;
  output.fields = {{"stress", "damage"}};
  Results results(output, output.directory, two_elements);
  results.add(snapshot_at(0), {});
  results.wait();
  CHECK_THAT(text_of(directory / "out/bulk_000000.sol"),
             Catch::Contains("\n1 3\n1000000 3000000 2000000\n2000000 6000000 4000000\n"));
}

TEST_CASE("probes have rows at their own periods, and none after the checkpoint") {
  const TemporaryDirectory directory;
  OutputCase output = output_in(directory / "out");
  output.probes = {{"tip", {0, 0}, 2, 0}, {"root", {1, 0}, 3, 0}};
  const auto row = [](Step step) {
    const ProbeValues p{0.5, 1, 2, 3, 4, 5, -6};
    return ProbeRow{step, 0.25 * static_cast<double>(step), {p, p}};
  };
  const auto text = [&] {
    std::ifstream in(directory / "out/probes.csv");
    return std::string(std::istreambuf_iterator<char>(in), {});
  };
  const std::string begin =
      "step,time,tip.ux,tip.uy,tip.vx,tip.vy,tip.sxx,tip.syy,tip.sxy,root.ux,root.uy,root.vx,root.vy,root.sxx,"
      "root.syy,root.sxy\n"
      "0,0,0.5,1,2,3,4,5,-6,0.5,1,2,3,4,5,-6\n"
      "2,0.5,0.5,1,2,3,4,5,-6,,,,,,,\n"
      "3,0.75,,,,,,,,0.5,1,2,3,4,5,-6\n";
  const std::string end = "4,1,0.5,1,2,3,4,5,-6,,,,,,,\n";
  {
    Results results(output, output.directory, two_elements);
    for (Step step = 0; step < 5; ++step) results.add(row(step));
    results.flush();
  }
  CHECK(text() == begin + end);
  CHECK(names_in(directory / "out") == std::vector<std::string>{"probes.csv"});

  Results results(output, output.directory, two_elements);
  const Schedule schedule(10, 1, output);
  Checkpoint checkpoint;
  checkpoint.step = 3;
  CHECK(results.missing(checkpoint, schedule).empty());
  results.resume(checkpoint, schedule);
  CHECK(text() == begin);
  checkpoint.step = 6;
  CHECK(results.missing(checkpoint, schedule) == std::vector<std::string>{"2 rows of probes.csv"});
  results.add(row(4));
  results.flush();
  CHECK(text() == begin + end);
}

TEST_CASE("results touch nothing before the first file") {
  const TemporaryDirectory directory;
  Results results(output_in(directory / "out"), directory / "out", two_elements);
  CHECK_FALSE(std::filesystem::exists(directory / "out"));
  results.add(snapshot_at(0));
  results.wait();
  CHECK(names_in(directory / "out") ==
        std::vector<std::string>{"bulk.pvd", "bulk_000000.vtu", "cracks.pvd", "cracks_000000.vtu", "fragments.csv"});
}

TEST_CASE("resumed results drop later frames and rows") {
  const TemporaryDirectory directory;
  OutputCase output;
  output.fields_every = 10;
  output.history_every = 5;
  const Schedule schedule(30, 1e-9, output);
  FakeSolver solver;
  {
    Results results(output_in(directory), directory, two_elements);
    results.add(snapshot_at(0));
    results.add(snapshot_at(10));
    results.wait();
    solver.state = 12;
    save_checkpoint(directory, {}, results.written(12), solver);
    results.add(snapshot_at(20));
  }
  std::ofstream(directory / "bulk_000003.vtu.tmp") << "not complete";
  std::ofstream(directory / "checkpoint_000000025.bin") << "not complete";

  const Checkpoint checkpoint = *find_checkpoint(directory).newest;
  Results results(output_in(directory), directory, two_elements);
  results.resume(checkpoint, schedule);
  CHECK(names_in(directory) == std::vector<std::string>{"bulk.pvd", "bulk_000000.vtu", "bulk_000001.vtu",
                                                        "checkpoint_000000012.bin", "cracks.pvd", "cracks_000000.vtu",
                                                        "cracks_000001.vtu", "fragments.csv"});
  CHECK(rows_at(10, directory / "fragments.csv") == 2);
  CHECK(rows_at(20, directory / "fragments.csv") == 0);
  CHECK_THAT(text_of(directory / "bulk.pvd"), Catch::Contains("timestep=\"5\"") && Catch::Contains("bulk_000001.vtu") &&
                                                  !Catch::Contains("bulk_000002.vtu"));

  results.add(snapshot_at(20));
  results.wait();
  CHECK(rows_at(20, directory / "fragments.csv") == 2);
  CHECK(std::filesystem::exists(directory / "bulk_000002.vtu"));
}

TEST_CASE("a run that continues beyond its end has no frame there") {
  const TemporaryDirectory directory;
  OutputCase output = output_in(directory);
  output.fields_every = 10;
  FakeSolver solver;
  {
    Results results(output, output.directory, two_elements);
    for (const Step step : {0, 10, 15}) results.add(snapshot_at(step));
    results.wait();
    solver.state = 15;
    save_checkpoint(directory, {}, results.written(15), solver);
  }
  const Checkpoint checkpoint = *find_checkpoint(directory).newest;
  const auto frames_after = [&](const Schedule& schedule) {
    Results results(output, output.directory, two_elements);
    results.resume(checkpoint, schedule);
    return results.frames().size();
  };
  CHECK(frames_after(Schedule(15, 1e-9, output)) == 3);
  OutputCase others = output;
  others.fields_every = 7;  // then nothing is lost: the frames are of two periods
  CHECK(frames_after(Schedule(30, 1e-9, others)) == 3);
  CHECK(frames_after(Schedule(30, 1e-9, output)) == 2);
  CHECK(rows_at(15, directory / "fragments.csv") == 0);
  CHECK_FALSE(std::filesystem::exists(directory / "bulk_000002.vtu"));
}

TEST_CASE("frames are listed in order, with the same bytes for any number of threads") {
  const TemporaryDirectory one, many;
  const auto write_to = [](const std::filesystem::path& directory, Writers writers) {
    Results results(output_in(directory), directory, two_elements, writers);
    for (const Step step : {0, 10, 20, 30, 40, 50}) {
      results.add([step](int threads) {
        if (step % 20 == 0) std::this_thread::sleep_for(std::chrono::milliseconds(20));
        return snapshot_at(step)(threads);
      });
    }
    results.wait();
    for (std::size_t i = 0; i < results.frames().size(); ++i)
      CHECK(results.frames()[i].step == static_cast<Step>(10 * i));
    CHECK(results.frames().size() == 6);
  };
  write_to(one, {1, 1});
  write_to(many, {3, 2});
  CHECK(names_in(one).size() == 15);
  REQUIRE(names_in(one) == names_in(many));
  for (const std::string& name : names_in(one)) {
    INFO(name);
    CHECK(text_of(one / name) == text_of(many / name));
  }
}

TEST_CASE("a frame that cannot be written ends the series and stops the run") {
  const TemporaryDirectory directory;
  std::filesystem::create_directory(directory / "bulk_000001.vtu");
  Results results(output_in(directory), directory, two_elements, {2, 1});
  const auto write_all = [&] {
    for (const Step step : {0, 10, 20, 30, 40, 50, 60, 70}) results.add(snapshot_at(step));
  };
  CHECK_THROWS_WITH(write_all(), Catch::Contains("bulk_000001.vtu: cannot be written"));
  CHECK_NOTHROW(results.wait());  // it was told
  CHECK(results.frames().size() == 1);
  CHECK(rows_at(10, directory / "fragments.csv") == 0);
  CHECK(rows_at(20, directory / "fragments.csv") == 0);
  CHECK_THAT(text_of(directory / "bulk.pvd"),
             !Catch::Contains("bulk_000001.vtu") && !Catch::Contains("bulk_000002.vtu"));
}

TEST_CASE("the error of the last frame is thrown at the end") {
  const TemporaryDirectory directory;
  std::filesystem::create_directory(directory / "cracks_000000.vtu");
  Results results(output_in(directory), directory, two_elements);
  results.add(snapshot_at(0));
  CHECK_THROWS_WITH(results.wait(), Catch::Contains("cracks_000000.vtu: cannot be written"));
}

TEST_CASE("only a few frames wait to be written") {
  const TemporaryDirectory directory;
  std::atomic<int> alive = 0, most = 0;
  struct Copy {
    std::atomic<int>& count;
    explicit Copy(std::atomic<int>& c) : count(c) { ++count; }
    ~Copy() { --count; }
  };
  Results results(output_in(directory), directory, two_elements, {2, 1});
  for (Step step = 0; step < 12; ++step) {
    results.add([step, copy = std::make_shared<Copy>(alive)](int threads) {
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
      return snapshot_at(step)(threads);
    });
    most = std::max(most.load(), alive.load());
  }
  results.wait();
  CHECK(most <= 3);
  CHECK(alive == 0);
}

TEST_CASE("result files are known by their names alone") {
  const TemporaryDirectory directory;
  for (const char* name : {"bulk_000001.vtu", "bulk_1000000.vtu", "cracks_000001.vtu", "bulk.pvd", "cracks.pvd",
                           "bulk.vtkhdf", "cracks.vtkhdf", "history.csv", "fragments.csv", "summary.json",
                           "case.resolved.yaml", "checkpoint_000000010.bin", "bulk.pvd.tmp"}) {
    std::ofstream(directory / name) << "x";
  }
  CHECK(names_in(directory).size() == 13);
  for (const char* name : {"bulk.vtu", "bulk_1.vtu", "bulk_00000a.vtu", "plate.msh", "my_history.csv", "notes.txt",
                           "checkpoint_000000010.bin.bak"}) {
    std::ofstream(directory / name) << "x";
  }
  CHECK(names_in(directory).size() == 13);
  CHECK(result_files(directory / "absent").empty());
}

TEST_CASE("an unusable output directory is refused before the run") {
  const TemporaryDirectory directory;
  std::ofstream(directory / "file") << "x";
  CHECK_NOTHROW(check_output_directory(directory / "a/b/c", "case.yaml:3: output.directory"));
  CHECK_FALSE(std::filesystem::exists(directory / "a"));
  CHECK_NOTHROW(check_output_directory("relative/new", "case.yaml:3: output.directory"));
  CHECK_THROWS_AS(check_output_directory(directory / "file", "x"), InputError);
  CHECK_THROWS_WITH(check_output_directory(directory / "file/deeper", "case.yaml:3: output.directory"),
                    Catch::StartsWith("case.yaml:3: output.directory: ") && Catch::Contains("is not a directory"));
  CHECK_THROWS_AS(check_output_directory("", "x"), InputError);
}

TEST_CASE("missing results of a resumed run are named") {
  const TemporaryDirectory directory;
  FakeSolver solver;
  solver.state = 12;
  {
    Results results(output_in(directory), directory, two_elements);
    for (const Step step : {0, 10}) {
      HistoryRow row;
      row.step = step;
      results.add(row);
      results.add(snapshot_at(step));
    }
    results.wait();
    save_checkpoint(directory, {}, results.written(12), solver);
  }
  const Checkpoint checkpoint = *find_checkpoint(directory).newest;
  const Results results(output_in(directory), directory, two_elements);
  const Schedule schedule(30, 1, output_in(directory));
  CHECK(results.missing(checkpoint, schedule).empty());

  std::filesystem::remove(directory / "cracks_000001.vtu");
  CHECK(results.missing(checkpoint, schedule) == std::vector<std::string>{"cracks_000001.vtu"});
  std::filesystem::remove(directory / "history.csv");
  std::filesystem::remove(directory / "fragments.csv");
  CHECK(results.missing(checkpoint, schedule) ==
        std::vector<std::string>{"2 of the 2 rows of history.csv", "cracks_000001.vtu", "step 0 of fragments.csv",
                                 "step 10 of fragments.csv"});
}

TEST_CASE("a VTKHDF series with too few frames is refused before anything is cut") {
  if (!built_with_hdf5()) return;
  const TemporaryDirectory directory;
  OutputCase output = output_in(directory);
  output.format = OutputFormat::vtkhdf;
  FakeSolver solver;
  solver.state = 12;
  {
    Results results(output, output.directory, two_elements);
    for (const Step step : {0, 10}) results.add(snapshot_at(step));
    results.wait();
    save_checkpoint(directory, {}, results.written(12), solver);
    HistoryRow row;
    row.step = 20;
    results.add(row);
    results.flush();
  }
  const Checkpoint checkpoint = *find_checkpoint(directory).newest;
  Results results(output, output.directory, two_elements);
  const Schedule schedule(100, 1, output);
  CHECK(results.missing(checkpoint, schedule).empty());

  HdfSeries(directory / "cracks.vtkhdf", output.compression, 256).cut(1);
  const std::string history = text_of(directory / "history.csv"), bulk = text_of(directory / "bulk.vtkhdf");
  CHECK(results.missing(checkpoint, schedule) == std::vector<std::string>{"1 of the 2 frames of cracks.vtkhdf"});
  CHECK_THROWS_AS(results.resume(checkpoint, schedule), InputError);
  CHECK(text_of(directory / "history.csv") == history);
  CHECK(text_of(directory / "bulk.vtkhdf") == bulk);

  std::filesystem::remove(directory / "bulk.vtkhdf");
  CHECK(results.missing(checkpoint, schedule) ==
        std::vector<std::string>{"2 of the 2 frames of bulk.vtkhdf", "1 of the 2 frames of cracks.vtkhdf"});
  CHECK_THROWS_WITH(results.resume(checkpoint, schedule), Catch::Contains("bulk.vtkhdf: its frames cannot be read"));
  CHECK(text_of(directory / "history.csv") == history);
}

TEST_CASE("the content of a CSV file until the checkpoint is checked") {
  const TemporaryDirectory directory;
  OutputCase output = output_in(directory);
  output.history_every = 5;
  output.fields_every = 10;
  output.probes = {{"tip", {0, 0}, 5, 0}};
  const std::vector<SampleLine> lines{{"a", 5, {{0, {1, 2}}}}};
  FakeSolver solver;
  {
    Results results(output, directory, two_elements, {}, {}, false, lines);
    const auto add = [&](Step step) {
      HistoryRow row;
      row.step = step;
      row.kinetic_energy = 0.1 * static_cast<double>(step);
      results.add(row);
      results.add(ProbeRow{step, 0, {ProbeValues{}, ProbeValues{}}});
      if (step % 10 == 0) results.add(snapshot_at(step));
    };
    for (const Step step : {0, 5, 10}) add(step);
    results.flush();
    results.wait();
    solver.state = 10;
    save_checkpoint(directory, {}, results.written(10), solver);
    for (const Step step : {15, 20}) add(step);
    results.flush();
    results.wait();
  }
  const Checkpoint checkpoint = *find_checkpoint(directory).newest;
  const Schedule schedule(100, 1, output);
  const Results results(output, directory, two_elements, {}, {}, false, lines);
  REQUIRE(results.missing(checkpoint, schedule).empty());
  const auto is_refused = [&](const std::string& file, const std::string& bytes) {
    std::ofstream(directory / file, std::ios::binary) << bytes;
    try {
      return !results.missing(checkpoint, schedule).empty();
    } catch (const InputError&) {
      return true;
    }
  };
  for (const std::string file : {"history.csv", "probes.csv", "lines.csv", "fragments.csv"}) {
    CAPTURE(file);
    const std::string good = text_of(directory / file);
    const std::size_t end = good.find("\n15,") == good.npos ? good.find("\n20,") + 1 : good.find("\n15,") + 1;
    REQUIRE(end > 40);
    std::size_t taken = 0;
    constexpr std::size_t every = 5;  // bytes and lengths; all of them take sanitizers minutes
    for (std::size_t byte = 0; byte < end; byte += every) {
      std::string bytes = good;
      bytes[byte] = static_cast<char>(bytes[byte] ^ (1 << byte % 8));
      taken += !is_refused(file, bytes);
    }
    CHECK(taken == 0);
    for (std::size_t size = end % every; size < end; size += every) taken += !is_refused(file, good.substr(0, size));
    CHECK(taken == 0);
    CHECK_FALSE(is_refused(file, good.substr(0, end)));
    std::string later = good;
    later[end + 3] = 'x';  // behind the checkpoint, where it is dropped
    CHECK_FALSE(is_refused(file, later));
    CHECK_FALSE(is_refused(file, good));
  }
}

TEST_CASE("a truncated or empty frame is missed") {
  const TemporaryDirectory directory;
  OutputCase output = output_in(directory);
  output.fields_every = 10;
  const Schedule schedule(100, 1, output);
  FakeSolver solver;
  solver.state = 12;
  {
    Results results(output, directory, two_elements);
    for (const Step step : {0, 10}) results.add(snapshot_at(step));
    results.wait();
    CHECK_NOTHROW(results.check_all_is_there());
    save_checkpoint(directory, {}, results.written(12), solver);
    for (const std::string name : {"bulk_000001.vtu", "cracks_000000.vtu", "bulk.pvd", "fragments.csv"}) {
      std::filesystem::rename(directory / name, directory / "moved");
      CHECK_THROWS_WITH(results.check_all_is_there(),
                        Catch::Contains(name) && Catch::Contains("moved, removed or replaced"));
      std::filesystem::rename(directory / "moved", directory / name);
    }
    CHECK_NOTHROW(results.check_all_is_there());
  }
  const Checkpoint checkpoint = *find_checkpoint(directory).newest;
  for (const std::string file : {"bulk_000001.vtu", "cracks_000000.vtu"}) {
    Results results(output, directory, two_elements);
    REQUIRE(results.missing(checkpoint, schedule).empty());
    const std::string good = text_of(directory / file);
    const std::vector<std::string> missing{file + ", which is cut off or another file"};
    std::size_t taken = 0;
    // Everywhere near the end, where readers stop, and at each seventh byte before.
    for (std::size_t size = 0; size < good.size(); size += size + 64 < good.size() ? 7 : 1) {
      std::ofstream(directory / file, std::ios::binary) << good.substr(0, size);
      taken += results.missing(checkpoint, schedule) != missing;
    }
    CHECK(taken == 0);
    std::ofstream(directory / file, std::ios::binary) << good.substr(0, good.size() - 4) << std::string(4, '\0');
    CHECK(results.missing(checkpoint, schedule) == missing);
    std::ofstream(directory / file, std::ios::binary) << good + '\n';
    CHECK(results.missing(checkpoint, schedule) == missing);
    std::ofstream(directory / file, std::ios::binary) << good;
  }
  // Whoever goes on all the same has lists without it.
  std::filesystem::resize_file(directory / "bulk_000001.vtu", 0);
  Results results(output, directory, two_elements);
  results.resume(checkpoint, schedule);
  CHECK(results.frames().size() == 1);
  CHECK_THAT(text_of(directory / "bulk.pvd"), !Catch::Contains("bulk_000001.vtu"));
}

TEST_CASE("a truncated VTKHDF series is refused") {
  if (!built_with_hdf5()) return;
  const TemporaryDirectory directory;
  OutputCase output = output_in(directory);
  output.format = OutputFormat::vtkhdf;
  const Schedule schedule(100, 1, output);
  FakeSolver solver;
  solver.state = 12;
  {
    Results results(output, directory, two_elements);
    for (const Step step : {0, 10}) results.add(snapshot_at(step));
    results.wait();
    CHECK_NOTHROW(results.check_all_is_there());
    save_checkpoint(directory, {}, results.written(12), solver);
    std::filesystem::rename(directory / "bulk.vtkhdf", directory / "moved");
    CHECK_THROWS_WITH(results.check_all_is_there(), Catch::Contains("bulk.vtkhdf"));
    std::filesystem::rename(directory / "moved", directory / "bulk.vtkhdf");
  }
  const Checkpoint checkpoint = *find_checkpoint(directory).newest;
  const Results results(output, directory, two_elements);
  REQUIRE(results.missing(checkpoint, schedule).empty());
  const std::string good = text_of(directory / "bulk.vtkhdf");
  for (std::size_t cut = 0; cut <= good.size(); cut += cut < 16 ? 1 : 97) {
    CAPTURE(cut);
    std::ofstream(directory / "bulk.vtkhdf", std::ios::binary) << good.substr(0, good.size() - cut);
    if (cut == 0)
      CHECK(results.missing(checkpoint, schedule).empty());
    else
      CHECK_THROWS_AS(results.missing(checkpoint, schedule), InputError);
  }
}
