# SPDX-License-Identifier: BSD-3-Clause
"""What tofu-run sets, as --dry-run shows it."""
import re

import pytest


def parse(result):
    """Variables, and the lines that are commands."""
    assert result.returncode == 0, result.stderr
    variables, commands = {}, []
    for line in result.stdout.splitlines():
        match = re.match(r"([A-Z][A-Z0-9_]*)=(.*)", line)
        if match:
            variables[match[1]] = match[2]
        else:
            commands.append(line)
    return variables, commands


def test_variables(moved_tofu_run, installation):
    variables, commands = parse(moved_tofu_run("--dry-run", "-n", 2, "--ppn", 2, "/bin/echo", "a b", "c'd"))
    assert variables["SOFTTOFU_SIZE"] == "2"
    assert variables["SOFTTOFU_PPN"] == "2"
    assert variables["SOFTTOFU_RANK"] == "0..1"
    assert re.fullmatch(r"\d+(x\d+){5}", variables["SOFTTOFU_SHAPE"])
    assert variables["UCX_TLS"] == "utofu,self"
    assert variables["UCX_ALLOC_PRIO"].startswith("md:utofu,")
    assert variables["UCX_UTOFU_JOB"] == variables["SOFTTOFU_JOB"]
    assert variables["LD_LIBRARY_PATH"] == str(installation / "lib")
    plugin = installation / "lib" / "libuct_utofu.so.0"
    assert variables.get("LD_PRELOAD") == str(plugin) or variables["UCX_PLUGIN_PATH"] == str(plugin.parent)
    assert commands == ["/bin/echo 'a b' 'c'\\''d'"]


def test_shape__as_asked(moved_tofu_run):
    variables, _ = parse(moved_tofu_run("--dry-run", "--shape", "2x1x1x2x3x2", "/bin/true"))
    assert variables["SOFTTOFU_SHAPE"] == "2x1x1x2x3x2"


def test_nodes__choose_the_shape(moved_tofu_run):
    variables, _ = parse(moved_tofu_run("--dry-run", "--nodes", "4x6x4", "-n", 96, "/bin/true"))
    assert (variables["SOFTTOFU_NODES"], variables["SOFTTOFU_SHAPE"]) == ("4x6x4", "2x2x2x2x3x2")
    assert variables["SOFTTOFU_WRAP"] == "xzb"


@pytest.mark.parametrize("view, nodes", [(1, "158976"), (2, "48x3312"), (3, "48x69x48")])
def test_view__of_a_shape(moved_tofu_run, view, nodes):
    variables, _ = parse(moved_tofu_run("--dry-run", "--view", view, "--shape", "24x23x24x2x3x2", "/bin/true"))
    assert variables["SOFTTOFU_NODES"] == nodes


def test_view__of_the_default_shape(moved_tofu_run):
    variables, _ = parse(moved_tofu_run("--dry-run", "--view", 3, "-n", 24, "--ppn", 2, "/bin/true"))
    assert (variables["SOFTTOFU_NODES"], variables["SOFTTOFU_SHAPE"]) == ("2x3x2", "1x1x1x2x3x2")


def test_map_and_wrap(moved_tofu_run, tmp_path):
    places = tmp_path / "places"
    places.write_text("(1)\n(0)\n")
    variables, _ = parse(moved_tofu_run("--dry-run", "--map", "places", "--wrap", "none", "-n", 2, "/bin/true",
                                        cwd=tmp_path))
    assert (variables["SOFTTOFU_MAP"], variables["SOFTTOFU_WRAP"]) == (str(places), "none")


def test_job_name__differs_from_run_to_run(moved_tofu_run):
    names = {parse(moved_tofu_run("--dry-run", "/bin/true"))[0]["SOFTTOFU_JOB"] for _ in range(3)}
    assert len(names) == 3


def test_job_name__as_asked(moved_tofu_run):
    variables, _ = parse(moved_tofu_run("--dry-run", "--job", "tools-test.dry_1", "/bin/true"))
    assert variables["SOFTTOFU_JOB"] == "tools-test.dry_1"


def test_variables__kept(moved_tofu_run):
    kept = {"UCX_TLS": "tcp", "UCX_ALLOC_PRIO": "heap", "UCX_UTOFU_JOB": "mine", "SOFTTOFU_JOB": "tools-test-kept",
            "SOFTTOFU_SHAPE": "1x1x1x2x2x1", "SOFTTOFU_PPN": "2"}
    variables, _ = parse(moved_tofu_run("--dry-run", "-n", 3, "/bin/true", env=kept))
    assert {name: variables[name] for name in kept} == kept


def test_options__win_over_variables(moved_tofu_run):
    env = {"SOFTTOFU_SHAPE": "1x1x1x2x2x1", "SOFTTOFU_PPN": "2"}
    variables, _ = parse(moved_tofu_run("--dry-run", "--ppn", 3, "--shape", "1x1x1x1x1x1", "/bin/true", env=env))
    assert (variables["SOFTTOFU_SHAPE"], variables["SOFTTOFU_PPN"]) == ("1x1x1x1x1x1", "3")


def test_lists__added_to(moved_tofu_run, installation):
    lib = str(installation / "lib")
    variables, _ = parse(moved_tofu_run("--dry-run", "/bin/true", env={"LD_LIBRARY_PATH": "/a:/b"}))
    assert variables["LD_LIBRARY_PATH"] == f"/a:/b:{lib}"
    variables, _ = parse(moved_tofu_run("--dry-run", "/bin/true", env={"LD_LIBRARY_PATH": f"/a:{lib}:/b"}))
    assert variables["LD_LIBRARY_PATH"] == f"/a:{lib}:/b"


def test_preload__added_to(moved_tofu_run, installation):
    # A library that the loader finds without harm: the tool itself runs with it, too.
    env = {"LD_PRELOAD": "libm.so.6", "ASAN_OPTIONS": "verify_asan_link_order=0"}
    variables, _ = parse(moved_tofu_run("--dry-run", "/bin/true", env=env))
    plugin = installation / "lib" / "libuct_utofu.so.0"
    assert variables.get("LD_PRELOAD", f"libm.so.6:{plugin}") == f"libm.so.6:{plugin}"


def test_no_ucx(moved_tofu_run):
    variables, _ = parse(moved_tofu_run("--dry-run", "--no-ucx", "/bin/true"))
    assert not [name for name in variables if name.startswith("UCX_") or name == "LD_PRELOAD"]


def test_mpmd(moved_tofu_run):
    result = moved_tofu_run("--dry-run", "-n", 1, "/bin/echo", "a", ":", "-n", 2, "/bin/echo", "b")
    tail = result.stdout.splitlines()[-4:]
    assert tail == ["SOFTTOFU_RANK=0", "/bin/echo a", "SOFTTOFU_RANK=1..2", "/bin/echo b"]


def test_nothing_starts(moved_tofu_run, tmp_path):
    parse(moved_tofu_run("--dry-run", "/usr/bin/touch", tmp_path / "started"))
    assert not (tmp_path / "started").exists()


@pytest.fixture
def launchers(tmp_path):
    """Launchers that are found but never run."""
    folder = tmp_path / "launchers"
    folder.mkdir()
    for mpi in ("openmpi", "mpich"):
        (folder / f"mpirun.{mpi}").touch(0o755)
    return {"PATH": str(folder)}


def test_openmpi(moved_tofu_run, launchers):
    result = moved_tofu_run("--dry-run", "--mpi", "openmpi", "-n", 3, "/bin/echo", "x", env=launchers)
    variables, (command,) = parse(result)
    assert "SOFTTOFU_RANK" not in variables
    for parameter in ("pml ucx", "osc ucx", "spml ucx", "opal_common_ucx_tls any", "opal_common_ucx_devices any"):
        assert f"--mca {parameter}" in command
    for name in ("SOFTTOFU_JOB", "SOFTTOFU_SHAPE", "UCX_TLS"):
        assert f"-x {name}={variables[name]} " in command
    assert "--oversubscribe" in command
    assert command.endswith(" -n 3 /bin/echo x")


def test_openmpi__parameters_in_the_environment_are_kept(moved_tofu_run, launchers):
    result = moved_tofu_run("--dry-run", "--mpi", "openmpi", "/bin/true", env={"OMPI_MCA_osc": "rdma", **launchers})
    _, (command,) = parse(result)
    assert "--mca osc" not in command
    assert "--mca pml ucx" in command


def test_mpich(moved_tofu_run, launchers):
    variables, (command,) = parse(moved_tofu_run("--dry-run", "--mpi", "mpich", "-n", 3, "/bin/echo", "x",
                                                 env=launchers))
    for name in ("SOFTTOFU_JOB", "SOFTTOFU_SHAPE", "UCX_TLS"):
        assert f"-genv {name} {variables[name]} " in command
    assert command.endswith(" -n 3 /bin/echo x")
