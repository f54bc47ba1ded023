"""A cluster of etcd for EtcdCluster.swift, and links to it that can be cut.

Its argument is a folder, which becomes that of the members. The test sends commands as lines of JSON on standard input,
each with the name of a function and its arguments, and reads an answer to each, a line of JSON. Everything ends with
standard input, so that nothing outlives the test.
"""

import asyncio
import base64
import json
import os
import queue
import random
import shutil
import signal
import socket
import ssl
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request

PATIENCE = 1200  # The longest time to wait for a process, in seconds: the machine may be busy.
REQUEST_SECONDS = 5  # The longest time that a request takes. Its caller repeats it.
PAUSE = 0.02  # The time between two looks at the same thing.
# Systems choose no ports below these for clients, which could otherwise take that of a killed member.
BLOCKS = range(10_000, 32_700, 32)
IN_USE = "address already in use"

folder = sys.argv[1]
environment = {name: value for name, value in os.environ.items() if not name.startswith(("ETCD_", "ETCDCTL_"))}


class Failure(Exception):
    pass


class PortInUse(Exception):
    pass


class Ports:
    """A block of ports. The first one is listened on for as long as the others are used, so that clusters of other
    processes choose other blocks."""

    def __init__(self):
        while True:
            base = random.choice(BLOCKS)
            self.claim = socket.socket()
            try:
                self.claim.bind(("127.0.0.1", base))
                self.claim.listen()
                break
            except OSError:
                self.claim.close()
        self.free = list(range(base + 1, base + BLOCKS.step))

    def take(self):
        if not self.free:
            raise Failure("a cluster has no more ports for links")
        return self.free.pop(0)


class Member:
    def __init__(self, name, client_port, peer_port):
        self.name, self.client_port, self.peer_port = name, client_port, peer_port
        self.path = os.path.join(folder, name)
        self.log = f"{self.path}.log"
        self.peer_url = f"http://127.0.0.1:{peer_port}"
        self.process = None
        self.suspended = False
        os.makedirs(self.path, mode=0o700)

    @property
    def url(self):
        return f"{'https' if certificate else 'http'}://127.0.0.1:{self.client_port}"

    @property
    def running(self):
        return self.process is not None and self.process.poll() is None and not self.suspended

    def start(self):
        """Starts the process, and waits until it listens."""
        initial = ",".join(f"{member.name}={member.peer_url}" for member in members)
        command = [
            "etcd",
            f"--name={self.name}",
            f"--data-dir={self.path}",
            f"--listen-client-urls={self.url}",
            f"--advertise-client-urls={self.url}",
            f"--listen-peer-urls={self.peer_url}",
            f"--initial-advertise-peer-urls={self.peer_url}",
            f"--initial-cluster={initial}",
            f"--initial-cluster-token={folder}",
            "--logger=zap",
            "--log-level=error",
            "--log-outputs=stderr",
            # A member that was suspended then causes no election when it is resumed.
            "--pre-vote=true",
            *options,
        ]
        if certificate:
            command += [f"--cert-file={certificate}", f"--key-file={key}"]
        # Where the program is not there, the process ends only with standard input.
        if shutil.which("setpriv"):
            command = ["setpriv", "--pdeathsig", "KILL", *command]
        with open(self.log, "wb") as log:
            self.process = subprocess.Popen(
                command, stdin=subprocess.DEVNULL, stdout=log, stderr=log, env=environment
            )
        self.suspended = False
        for _ in patiently():
            if self.process.poll() is not None:
                text = self.text_of_log()
                if IN_USE in text:
                    raise PortInUse()
                raise Failure(f"etcd has ended with status {self.process.returncode}: {text}")
            try:
                socket.create_connection(("127.0.0.1", self.client_port), REQUEST_SECONDS).close()
                return
            except OSError:
                pass
        raise Failure(f"after {PATIENCE} seconds, etcd does not listen: {self.text_of_log()}")

    def end(self):
        if self.process:
            self.process.kill()
            self.process.wait()

    def text_of_log(self):
        try:
            with open(self.log, errors="replace") as file:
                return file.read()
        except FileNotFoundError:
            return ""

    def request(self, path, body, token=None):
        """Returns the answer to a request."""
        request = urllib.request.Request(self.url + path, data=json.dumps(body).encode(), method="POST")
        if token:
            request.add_header("Authorization", token)
        with opener.open(request, timeout=REQUEST_SECONDS) as answer:
            return json.load(answer)


def patiently():
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        yield
        time.sleep(PAUSE)


members = []
links = {}  # By port.
ports = certificate = key = None
options = []
unverified = ssl.create_default_context()
unverified.check_hostname = False
unverified.verify_mode = ssl.CERT_NONE
# Without the proxies of the environment.
opener = urllib.request.build_opener(
    urllib.request.ProxyHandler({}), urllib.request.HTTPSHandler(context=unverified)
)


def start_cluster(**arguments):
    """Starts a cluster on ports that are free. Returns the URLs of its members."""
    global members, ports, certificate, key, options
    certificate, key, options = arguments.get("certificate"), arguments.get("key"), arguments["options"]
    if certificate:
        unverified.load_cert_chain(certificate, key)
    while True:
        ports = Ports()
        members = [Member(f"member{index}", ports.take(), ports.take()) for index in range(arguments["count"])]
        try:
            for member in members:
                member.start()
            return [member.url for member in members]
        except PortInUse:
            # Another program uses one of the ports.
            for member in members:
                member.end()
                shutil.rmtree(member.path)
            ports.claim.close()


def kill_member(member):
    members[member].end()


def restart_member(member, erases):
    members[member].end()
    if erases:
        shutil.rmtree(members[member].path)
        os.makedirs(members[member].path, mode=0o700)
    for _ in patiently():
        try:
            return members[member].start()
        except PortInUse:
            pass
    raise Failure(f"after {PATIENCE} seconds, another program uses a port: {members[member].text_of_log()}")


def suspend_member(member):
    process = members[member].process
    if process.poll() is not None:
        raise Failure(f"the process has ended: {members[member].text_of_log()}")
    process.send_signal(signal.SIGSTOP)
    # Returns when the process has stopped, and leaves it to be waited for.
    os.waitid(os.P_PID, process.pid, os.WSTOPPED | os.WNOWAIT)
    members[member].suspended = True


def resume_member(member):
    members[member].process.send_signal(signal.SIGCONT)
    members[member].suspended = False


def identifiers():
    return [member.process.pid for member in members]


def logs():
    return "\n".join(f"{member.name}: {member.text_of_log()}" for member in members)


def leader():
    """Returns the index of the leader; nil if the running members do not agree on a running one."""
    identifiers, leaders = [], set()
    for member in members:
        identifiers.append(None)
        if member.running:
            try:
                status = member.request("/v3/maintenance/status", {})
            except OSError:
                time.sleep(PAUSE)
                return None
            identifiers[-1] = status["header"]["member_id"]
            leaders.add(status.get("leader"))
    # Members without a leader report none, and those that do not run have no identifier.
    leader = leaders.pop() if len(leaders) == 1 else None
    if leader is not None and leader in identifiers:
        return identifiers.index(leader)
    time.sleep(PAUSE)
    return None


def answers(member=None, user=None, password=None):
    """Returns whether a member, or each one that runs, answers a linearizable read."""
    checked = [each for each in members if each.running] if member is None else [members[member]]
    try:
        for each in checked:
            token = None
            if user:
                token = each.request("/v3/auth/authenticate", {"name": user, "password": password})["token"]
            each.request("/v3/kv/range", {"key": base64.b64encode(b"\0").decode(), "count_only": True}, token)
        return True
    except (OSError, ValueError):
        time.sleep(PAUSE)
        return False


class Link:
    """Forwards connections to one member, in the thread of the loop."""

    def __init__(self, member):
        self.target, self.port = member.client_port, ports.take()
        self.server = None
        self.connections = set()
        self.passing = asyncio.Event()

    async def heal(self):
        self.passing.set()
        while self.server is None:
            try:
                self.server = await asyncio.start_server(self.accept, "127.0.0.1", self.port)
            except OSError:
                await asyncio.sleep(PAUSE)

    async def cut(self, silently):
        if silently:
            self.passing.clear()
            return
        if self.server:
            self.server.close()
            self.server = None
        for connection in self.connections:
            connection.transport.abort()

    async def accept(self, reader, writer):
        self.connections.add(writer)
        ends = [writer]
        try:
            # What is accepted before a cut may get here after it.
            await self.passing.wait()
            if self.server is None:
                return
            target_reader, target = await asyncio.open_connection("127.0.0.1", self.target)
            ends.append(target)
            self.connections.add(target)
            await asyncio.gather(self.forward(reader, target), self.forward(target_reader, writer))
        except OSError:
            pass
        finally:
            for end in ends:
                end.transport.abort()
                self.connections.discard(end)

    async def forward(self, reader, writer):
        while data := await reader.read(65536):
            await self.passing.wait()
            writer.write(data)
            await writer.drain()
        await self.passing.wait()
        writer.write_eof()


loop = asyncio.new_event_loop()


def run(coroutine):
    return asyncio.run_coroutine_threadsafe(coroutine, loop).result()


def make_link():
    """Returns the ports, one for each member."""
    made = [Link(member) for member in members]
    for link in made:
        links[link.port] = link
        run(link.heal())
    return [link.port for link in made]


def cut_link(ports, silently):
    for port in ports:
        run(links[port].cut(silently))


def heal_link(ports):
    for port in ports:
        run(links[port].heal())


commands = {
    function.__name__: function
    for function in [
        start_cluster,
        kill_member,
        restart_member,
        suspend_member,
        resume_member,
        identifiers,
        logs,
        leader,
        answers,
        make_link,
        cut_link,
        heal_link,
    ]
}
lines = queue.SimpleQueue()


def read_lines():
    for line in sys.stdin:
        lines.put(line)
    for member in members:
        member.end()
    os._exit(0)


# Standard input may end during a command.
threading.Thread(target=read_lines, daemon=True).start()
threading.Thread(target=loop.run_forever, daemon=True).start()
# The thread that starts the members is the one whose end kills them.
while True:
    command = json.loads(lines.get())
    name, arguments = command["name"], command["arguments"]
    try:
        answer = {"result": commands[name](**arguments)}
    except (Failure, OSError) as error:
        answer = {"problem": f"{name}: {error}"}
    print(json.dumps(answer), flush=True)
