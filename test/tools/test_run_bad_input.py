# SPDX-License-Identifier: BSD-3-Clause
"""Bad input gives one clear line and a non-zero status, and starts nothing."""
import pytest

from conftest import BUILD, Tool


def assert_one_line(result, *words):
    assert result.returncode != 0
    assert result.stdout == ""
    lines = result.stderr.splitlines()
    assert len(lines) == 1, result.stderr
    assert lines[0].startswith("tofu-run: ")
    for word in words:
        assert word in lines[0]


@pytest.mark.parametrize("arguments, words", [
    ([], ["no program"]),
    (["-n", "2"], ["no program"]),
    (["-n", "0", "true"], ["-n", "1 to 4096"]),
    (["-n", "-1", "true"], ["-n"]),
    (["-n", "4097", "true"], ["-n", "1 to 4096"]),
    (["-n", "two", "true"], ["-n", "two"]),
    (["--ppn", "0", "true"], ["--ppn", "1 to 48"]),
    (["--ppn", "49", "true"], ["--ppn", "1 to 48"]),
    (["--mpi", "elsewhere", "true"], ["--mpi", "elsewhere", "openmpi", "mpich"]),
    (["--bind", "socket", "true"], ["--bind", "socket", "core"]),
    (["--timeout", "0", "true"], ["--timeout"]),
    (["--no-such-option", "true"], ["--no-such-option"]),
    (["true", ":"], ["no program"]),
    (["true", ":", "-n", "0", "true"], ["-n", "1 to 4096"]),
    (["--mpi", "mpich", "true", ":", "true"], ["--mpi", "':'"]),
    (["--shape", "2x2", "true"], ["2x2", "XxYxZxAxBxC"]),
    (["--shape", "33x1x1x1x1x1", "true"], ["33x1x1x1x1x1", "32"]),
    (["--nodes", "4x", "true"], ["'4x'", "--nodes"]),
    (["--nodes", "2x2", "--shape", "1x1x1x2x1x1", "true"], ["2x2", "1x1x1x2x1x1", "--shape"]),
    (["--nodes", "2", "-n", "3", "true"], ["2 are fewer nodes", "--nodes"]),
    (["--view", "4", "true"], ["--view"]),
    (["--view", "1", "--nodes", "4", "true"], ["--view", "--nodes"]),
    (["--wrap", "q", "true"], ["'q'", "--wrap"]),
    (["--map", "/nowhere", "true"], ["/nowhere", "--map"]),
])
def test_command_line(tofu_run, arguments, words):
    assert_one_line(tofu_run("--no-ucx", *arguments), *words)


def test_shape__too_small_for_the_ranks(tofu_run):
    result = tofu_run("--no-ucx", "-n", 5, "--ppn", 2, "--shape", "1x1x1x2x1x1", "true")
    assert_one_line(result)


def test_shape__bad_in_the_environment(tofu_run):
    assert_one_line(tofu_run("--no-ucx", "true", env={"SOFTTOFU_SHAPE": "1x2"}), "1x2")


@pytest.mark.parametrize("text, words", [
    ("(0)\n(1)\n(0)\n", ["line 3", "room for 1"]),
    ("(0)\n# none\n(9)\n", ["line 3", "outside"]),
    ("(0)\n\n(1\n", ["line 3", "(1"]),
    ("(0)\n(1)\n", ["line 3", "ends with 2 coordinates", "need 3"]),
    ("(0)\n(1)\n(2)\n(2)\n", ["line 4", "more lines than the 3 ranks"]),
])
def test_map__bad_lines(tofu_run, tmp_path, text, words):
    places = tmp_path / "places"
    places.write_text(text)
    assert_one_line(tofu_run("--no-ucx", "-n", 3, "--map", places, "true"), str(places), *words)


def test_job_name__ill_formed(tofu_run):
    assert_one_line(tofu_run("--no-ucx", "--job", "a/b", "true"), "a/b")


def test_job_name__taken(tofu_run):
    nested = [tofu_run.path, "--no-ucx", "--job", "tools-test-taken", "true"]
    result = tofu_run("--no-ucx", "--job", "tools-test-taken", *nested)
    assert result.returncode == 1
    assert "tools-test-taken" in result.stderr.splitlines()[0]


def test_program__not_in_path(tofu_run):
    result = tofu_run("--no-ucx", "no-such-program")
    assert_one_line(result, "no-such-program", "PATH")
    assert result.returncode == 127


def test_program__in_the_working_directory(tofu_run, tmp_path):
    (tmp_path / "here").touch()
    assert_one_line(tofu_run("--no-ucx", "here", cwd=tmp_path), "./here")


def test_program__not_executable(tofu_run, tmp_path):
    file = tmp_path / "text"
    file.write_text("no program")
    result = tofu_run("--no-ucx", file)
    assert_one_line(result, str(file), "not an executable")
    assert result.returncode == 126


def test_program__of_no_known_format(tofu_run, tmp_path):
    file = tmp_path / "garbage"
    file.write_bytes(b"\0\1\2\3")
    file.chmod(0o755)
    result = tofu_run("--no-ucx", "-n", 3, file)
    assert_one_line(result, str(file), "cannot execute")
    assert result.returncode == 126


def test_second_program__not_found_starts_nothing(tofu_run, tmp_path):
    assert_one_line(tofu_run("--no-ucx", "touch", tmp_path / "started", ":", "no-such-program"))
    assert not (tmp_path / "started").exists()


@pytest.mark.parametrize("mpi, package", [("openmpi", "openmpi-bin"), ("mpich", "mpich")])
def test_launcher__missing(tofu_run, mpi, package):
    result = tofu_run("--no-ucx", "--mpi", mpi, "/bin/true", env={"PATH": "/nowhere"})
    assert_one_line(result, f"mpirun.{mpi}", package)


def test_plugin__missing(moved_tofu_run, installation):
    plugin = installation / "lib" / "libuct_utofu.so.0"
    plugin.unlink()
    assert_one_line(moved_tofu_run("true"), str(plugin), "--no-ucx")


def test_plugin__path_that_cannot_be_preloaded(installation, tmp_path):
    moved = tmp_path / "with space"
    moved.mkdir()
    for folder in ("bin", "lib"):
        (installation / folder).rename(moved / folder)
    assert_one_line(Tool(moved / "bin" / "tofu-run")("true"), "space")


def test_libraries__elsewhere(installation):
    """The loader found the library by a variable, but it is not where the ranks would be told to look."""
    (installation / "lib" / "libtofucom.so").unlink()
    result = Tool(installation / "bin" / "tofu-run")("true", env={"LD_LIBRARY_PATH": str(BUILD / "lib")})
    assert_one_line(result, "libtofucom.so")
