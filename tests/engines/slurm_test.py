"""A sweep by Slurm: this test starts a Slurm of one node for itself, on loopback, and ends it.

Workers are killed and tasks requeued; what is collected has the bytes of a loop of the shell, and a
job that waits with afterok never runs while a point is incomplete.

slurm_test.py PROGRAM [--points N] [--rounds N, in each of which every worker is killed]. Exit code 77, with the reason: there is no Slurm, or it does not start.
"""
import argparse
import ctypes
import getpass
import json
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time

from workers import LOOP, SECONDS, SweepFolder, expect_same_tables, wait_for

parser = argparse.ArgumentParser()
parser.add_argument("program", type=os.path.realpath)
parser.add_argument("--points", type=int, default=6)
parser.add_argument("--rounds", type=int, default=1)
OPTIONS = parser.parse_args()
PROGRAM = OPTIONS.program
CONFIGURATION = """ClusterName=cellscope
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={ports[0]}
SlurmdPort={ports[1]}
SlurmUser={user}
SlurmdUser={user}
AuthType=auth/none
AuthInfo=cred_expire=5
CredType=cred/none
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.pid
ProctrackType=proctrack/pgid
TaskPlugin=task/none
SwitchType=switch/none
MpiDefault=none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
AccountingStorageType=accounting_storage/none
JobAcctGatherType=jobacct_gather/none
SchedulerType=sched/builtin
SchedulerParameters=sched_interval=1,batch_sched_delay=0,sched_min_interval=0
SlurmdParameters=config_overrides
ReturnToService=2
KillWait=1
NodeName={host} NodeAddr=127.0.0.1 CPUs=4
PartitionName=test Nodes={host} Default=YES MaxTime=INFINITE State=UP
"""


def skip(reason):
    print("skipped:", reason)
    sys.exit(77)


def free_ports():
    sockets = [socket.socket() for _ in range(2)]
    for s in sockets:
        s.bind(("127.0.0.1", 0))
    ports = [s.getsockname()[1] for s in sockets]
    for s in sockets:
        s.close()
    return ports


class Cluster:
    def __init__(self, folder):
        self.folder = folder
        self.daemons = []
        # Variables of a Slurm that this test may itself be a job of.
        self.environment = {k: v for k, v in os.environ.items() if not k.startswith(("SLURM", "SBATCH"))}
        self.environment["SLURM_CONF"] = os.path.join(folder, "slurm.conf")
        self.environment["PATH"] += ":/usr/sbin:/sbin"

    def __enter__(self):
        needed = ("slurmctld", "slurmd", "sbatch", "scontrol", "squeue", "scancel", "sinfo")
        missing = [n for n in needed if not shutil.which(n, path=self.environment["PATH"])]
        if missing:
            skip(f"not installed: {', '.join(missing)} (slurmctld, slurmd, slurm-client of Debian)")
        for name in ("state", "spool"):
            os.mkdir(os.path.join(self.folder, name))
        with open(self.environment["SLURM_CONF"], "w") as f:
            f.write(CONFIGURATION.format(host=socket.gethostname().split(".")[0], ports=free_ports(),
                                         user=getpass.getuser(), folder=self.folder))
        for name, *options in (("slurmctld", "-c"), ("slurmd",)):
            with open(os.path.join(self.folder, name + ".out"), "w") as log:
                self.daemons.append(subprocess.Popen(
                    [name, *options, "-D"], env=self.environment, stdout=log, stderr=log, start_new_session=True,
                    preexec_fn=lambda: ctypes.CDLL(None).prctl(1, signal.SIGTERM)))  # PR_SET_PDEATHSIG
        end = time.monotonic() + 20
        while "idle" not in self.run("sinfo", "-h", "-o", "%t", check=False):
            if time.monotonic() > end or any(d.poll() is not None for d in self.daemons):
                logs = self.logs()
                self.__exit__()
                skip("Slurm does not start here:\n" + logs)
            time.sleep(0.1)
        return self

    def __exit__(self, *_):
        if all(d.poll() is None for d in self.daemons):
            self.run("scancel", "--full", "-u", str(os.getuid()), check=False)
            end = time.monotonic() + 10
            while self.jobs() and time.monotonic() < end:
                time.sleep(0.1)
        for daemon in reversed(self.daemons):
            daemon.terminate()
        for daemon in self.daemons:
            try:
                daemon.wait(10)
            except subprocess.TimeoutExpired:
                daemon.kill()

    def run(self, *command, check=True, cwd=None):
        try:
            done = subprocess.run(command, env=self.environment, cwd=cwd, capture_output=True, text=True,
                                  timeout=SECONDS)
        except subprocess.TimeoutExpired:
            return ""
        if check and done.returncode:
            raise AssertionError(f"{command}: {done.returncode}\n{done.stdout}\n{done.stderr}")
        return done.stdout

    def logs(self):
        return "\n".join(p.read_text()[-2000:] for p in pathlib.Path(self.folder).glob("slurm*.out"))

    def jobs(self):
        """(job or job_task, state, reason) of what waits or runs."""
        rows = self.run("squeue", "-h", "-r", "-o", "%i|%t|%r", check=False)
        return [tuple(row.split("|")) for row in rows.splitlines()]

    def submit(self, *arguments, cwd):
        return self.run("sbatch", "--parsable", *arguments, cwd=cwd).strip()


class Sweep(SweepFolder):
    """Killed while Slurm computes it."""

    def __init__(self, cluster, folder):
        super().__init__(folder)
        self.cluster = cluster
        self.after = folder / "after.json"
        self.kills = {"KILL": 0, "TERM": 0, "requeue": 0}

    def submit(self):
        array = self.cluster.submit("slurm.sh", cwd=self.folder)
        # What must not see an incomplete point.
        waiting = self.cluster.submit(f"--dependency=afterok:{array}", "--wrap",
                                      f"'{PROGRAM}' sweep status . --json > part && mv part after.json",
                                      cwd=self.folder)
        return array, waiting

    def kill(self, how, point, process, array):
        if process in self.seen:
            return False
        self.seen.add(process)
        try:
            if how == "requeue":
                self.cluster.run("scontrol", "requeue", f"{array}_{self.ids.index(point)}")
            elif not self.signal(how, process):
                return False
        except AssertionError:
            return False  # it was done just before
        self.kills[how] += 1
        return True

    def go_on(self, array, plan):
        """One look: kills as planned, lets requeued tasks begin at once, checks the job that waits."""
        for point, process in self.workers().items():
            if plan.get(point) and self.kill(plan[point][0], point, process, array):
                plan[point].pop(0)
        for job, _, reason in self.cluster.jobs():
            if reason == "BeginTime":
                self.cluster.run("scontrol", "update", f"JobId={job}", "StartTime=now", check=False)
        if self.after.exists() and self.incomplete():  # in this order: points become complete
            raise AssertionError(f"afterok went on although {self.incomplete()} are incomplete")


def check(cluster, folder):
    vary = ["--vary", "packing=0.08..0.16:3", "--vary", f"seed=1..{OPTIONS.points // 3}", "--until", "20000"]
    for name in ("by slurm", "by shell"):
        cluster.run(PROGRAM, "sweep", "init", name, "four_disks", *vary, cwd=folder)
    sweep = Sweep(cluster, folder / "by slurm")

    # A worker that is killed fails its task: who waits with afterok never runs.
    for _ in range(OPTIONS.rounds):
        array, waiting = sweep.submit()
        plan = {i: ["KILL"] for i in sweep.incomplete()}
        before = sweep.kills["KILL"]
        def array_ended():
            sweep.go_on(array, plan)
            return not any(job.startswith(array + "_") for job, *_ in cluster.jobs())
        wait_for(array_ended, "the end of the array")
        assert sweep.kills["KILL"] > before and sweep.incomplete()
        def refused():
            assert not sweep.after.exists(), "afterok went on from a failed array"
            return (waiting, "PD", "DependencyNeverSatisfied") in cluster.jobs()
        wait_for(refused, "a dependency that fails")
        cluster.run("scancel", waiting)

    # Workers that are asked to stop put their tasks into the queue again, as Slurm itself may.
    # One that is caught while Slurm itself requeues its task may fail it: then it is submitted again.
    submitted = [sweep.submit()]
    plan = {i: ["TERM", "requeue", "TERM"] if k % 2 else ["requeue", "TERM"] for k, i in enumerate(sweep.ids)}
    def all_done():
        array, waiting = submitted[-1]
        sweep.go_on(array, plan)
        if (waiting, "PD", "DependencyNeverSatisfied") in cluster.jobs():
            cluster.run("scancel", waiting, array, check=False)
            submitted.append(sweep.submit())
        return sweep.after.exists()
    wait_for(all_done, "the job that waits for the second array")
    assert sweep.kills["TERM"] > 0 and sweep.kills["requeue"] > 0
    states = [p["state"] for p in json.loads(sweep.after.read_text())["points"]]
    assert states == ["done"] * len(sweep.ids), states

    cluster.run(*LOOP, PROGRAM, cwd=folder / "by shell")
    expect_same_tables(PROGRAM, folder / "by slurm", folder / "by shell")
    print(f"{len(sweep.ids)} points, killed or requeued: {sweep.kills}")


def main():
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # so that the daemons are ended
    with tempfile.TemporaryDirectory(prefix="cellscope-slurm-", ignore_cleanup_errors=True) as name:
        with Cluster(name) as cluster:
            try:
                check(cluster, pathlib.Path(name).resolve())
            except AssertionError:
                print(cluster.logs(), *cluster.jobs(), sep="\n")
                raise


main()
