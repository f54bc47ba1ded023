"""A desktop session without a desktop, for DesktopSession.swift: a bus, a keyring and a prompter of their own.

Its arguments are a folder, which becomes the home folder, and the password of the keyring. The test sends commands as
lines of JSON on standard input, each with the name of a function and its arguments, and reads an answer to each, a line
of JSON. Everything ends with standard input, so that nothing outlives the test.
"""

import ctypes
import json
import os
import queue
import signal
import subprocess
import sys
import threading

from gi.repository import Gio, GLib

PATIENCE = 1200  # The longest time that a command takes, in seconds: the machine may be busy.
SECRETS = "org.freedesktop.secrets"
SERVICE = "/org/freedesktop/secrets"
BUS = """<busconfig>
  <type>session</type>
  <listen>unix:path={}</listen>
  <auth>EXTERNAL</auth>
  <policy context="default">
    <allow send_destination="*" eavesdrop="true"/>
    <allow eavesdrop="true"/>
    <allow own="*"/>
  </policy>
  <limit name="auth_timeout">{}</limit>
  <limit name="max_message_size">1000000000</limit>
  <limit name="max_incoming_bytes">1000000000</limit>
  <limit name="max_outgoing_bytes">1000000000</limit>
  <limit name="max_match_rules_per_connection">50000</limit>
  <limit name="max_replies_per_connection">50000</limit>
</busconfig>
"""
PROMPTER = """<node>
  <interface name="org.gnome.keyring.internal.Prompter">
    <method name="BeginPrompting"><arg type="o" direction="in"/></method>
    <method name="PerformPrompt">
      <arg type="o" direction="in"/>
      <arg type="s" direction="in"/>
      <arg type="a{sv}" direction="in"/>
      <arg type="s" direction="in"/>
    </method>
    <method name="StopPrompting"><arg type="o" direction="in"/></method>
  </interface>
</node>"""

folder, password = sys.argv[1:]
log = open(os.path.join(folder, "log"), "ab", buffering=0)
changed = threading.Condition()  # Notified of a new owner of the keyring's name, and of new prompts.


class Failure(Exception):
    pass


def call(connection, destination, path, interface, method, parameters=None):
    flags = Gio.DBusCallFlags.NO_AUTO_START
    answer = connection.call_sync(
        destination, path, interface, method, parameters, None, flags, PATIENCE * 1000, None
    )
    return answer.unpack()


def connect():
    flags = Gio.DBusConnectionFlags.AUTHENTICATION_CLIENT | Gio.DBusConnectionFlags.MESSAGE_BUS_CONNECTION
    return Gio.DBusConnection.new_for_address_sync(os.environ["DBUS_SESSION_BUS_ADDRESS"], flags, None, None)


def wait_until(condition, description):
    with changed:
        if not changed.wait_for(condition, PATIENCE):
            raise Failure(f"after {PATIENCE} seconds, {description}")


def start(*command, input=b""):
    """Starts a program that is killed when this one ends."""
    child = subprocess.Popen(
        ["setpriv", "--pdeathsig", "KILL", *command], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=log
    )
    children.append(child)
    child.stdin.write(input)
    child.stdin.close()
    return child


def end(child):
    child.kill()
    child.wait()


def text_of_log():
    with open(log.name, errors="replace") as file:
        return file.read()


children = []
bus = daemon = connection = prompter = None
owner = None  # The connection that owns the keyring's name.


def set_owner(name):
    global owner
    with changed:
        owner = name
        changed.notify_all()


def start_bus():
    global bus, connection
    path = os.path.join(folder, "bus")
    configuration = os.path.join(folder, "bus.conf")
    with open(configuration, "w") as file:
        file.write(BUS.format(path, PATIENCE * 1000))
    bus = start("dbus-daemon", f"--config-file={configuration}", "--nofork", "--nopidfile", "--print-address=1")
    if not bus.stdout.readline():
        raise Failure(f"dbus-daemon has not started: {text_of_log()}")
    connection = connect()
    Gio.bus_watch_name_on_connection(
        connection,
        SECRETS,
        Gio.BusNameWatcherFlags.NONE,
        lambda connection, name, owner: set_owner(owner),
        lambda connection, name: set_owner(None),
    )


def kill_bus():
    end(bus)
    # The daemon ends without its bus, unless it is suspended.
    if daemon:
        end(daemon)
    wait_until(lambda: owner is None, "the keyring is still on the killed bus")


def start_daemon(unlocked):
    global daemon
    arguments = ["--foreground", "--components=secrets"] + (["--unlock"] if unlocked else [])
    daemon = start("gnome-keyring-daemon", *arguments, input=password.encode() if unlocked else b"")
    # The daemon closes its standard output when it is ready.
    daemon.stdout.read()
    if daemon.poll() is not None:
        raise Failure(f"gnome-keyring-daemon has ended with status {daemon.returncode}: {text_of_log()}")
    wait_until(lambda: owner is not None, f"gnome-keyring-daemon is not on the bus: {text_of_log()}")


def kill_daemon():
    end(daemon)
    wait_until(lambda: owner is None, "the killed keyring is still on the bus")


def suspend_daemon():
    daemon.send_signal(signal.SIGSTOP)
    # Returns when the process has stopped, and leaves it to be waited for.
    os.waitid(os.P_PID, daemon.pid, os.WSTOPPED | os.WNOWAIT)


def resume_daemon():
    daemon.send_signal(signal.SIGCONT)


def identifiers():
    return [child.pid for child in (bus, daemon) if child]


def service(interface, method, parameters):
    return call(connection, SECRETS, SERVICE, interface, method, parameters)


def secret(text):
    """A secret, which is not encrypted on its way."""
    plain = GLib.Variant("(sv)", ("plain", GLib.Variant("s", "")))
    _, session = service("org.freedesktop.Secret.Service", "OpenSession", plain)
    return (session, b"", text.encode(), "text/plain")


def default_collection():
    (path,) = service("org.freedesktop.Secret.Service", "ReadAlias", GLib.Variant("(s)", ("default",)))
    if path == "/":
        raise Failure("there is no default collection")
    return path


GUILT_RIDDEN = "org.gnome.keyring.InternalUnsupportedGuiltRiddenInterface"


def lock(collection=None):
    path = collection or default_collection()
    locked, prompt = service("org.freedesktop.Secret.Service", "Lock", GLib.Variant("(ao)", ([path],)))
    if locked != [path]:
        raise Failure(f"{path} is not locked; the prompt is {prompt}")


def unlock(password, collection=None):
    path = collection or default_collection()
    service(GUILT_RIDDEN, "UnlockWithMasterPassword", GLib.Variant("(o(oayays))", (path, secret(password))))


def is_locked(collection=None):
    path = collection or default_collection()
    parameters = GLib.Variant("(ss)", ("org.freedesktop.Secret.Collection", "Locked"))
    (locked,) = call(connection, SECRETS, path, "org.freedesktop.DBus.Properties", "Get", parameters)
    return locked


def create_collection(label, password):
    attributes = {"org.freedesktop.Secret.Collection.Label": GLib.Variant("s", label)}
    parameters = GLib.Variant("(a{sv}(oayays))", (attributes, secret(password)))
    (path,) = service(GUILT_RIDDEN, "CreateWithMasterPassword", parameters)
    return path


class Exchange:
    """The encryption of passwords between the keyring and a prompter."""

    library = None

    def __init__(self):
        if Exchange.library is None:
            Exchange.library = ctypes.CDLL("libgcr-base-3.so.1")
            for name, result, arguments in [
                ("new", ctypes.c_void_p, [ctypes.c_char_p]),
                ("begin", ctypes.c_char_p, [ctypes.c_void_p]),
                ("receive", ctypes.c_int, [ctypes.c_void_p, ctypes.c_char_p]),
                ("send", ctypes.c_char_p, [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_ssize_t]),
            ]:
                function = getattr(Exchange.library, f"gcr_secret_exchange_{name}")
                function.restype, function.argtypes = result, arguments
        self.object = Exchange.library.gcr_secret_exchange_new(None)

    def begin(self):
        return Exchange.library.gcr_secret_exchange_begin(self.object).decode()

    def receive(self, text):
        return Exchange.library.gcr_secret_exchange_receive(self.object, text.encode())

    def send(self, password):
        secret = None if password is None else password.encode()
        return Exchange.library.gcr_secret_exchange_send(self.object, secret, -1).decode()


class Prompter:
    """Answers the keyring's prompts as a user would. An answer has a password, or nothing to cancel, or an answer that is
    held until it is released."""

    def __init__(self, answers):
        self.answers = answers
        self.prompts = []  # The texts of all prompts.
        self.exchanges = {}
        self.held = []
        self.connection = connect()
        interface = Gio.DBusNodeInfo.new_for_xml(PROMPTER).interfaces[0]
        self.connection.register_object("/org/gnome/keyring/Prompter", interface, self.receive, None, None)
        # Not in a queue of owners.
        name = GLib.Variant("(su)", ("org.gnome.keyring.SystemPrompter", 4))
        bus = "org.freedesktop.DBus"
        if call(self.connection, bus, "/org/freedesktop/DBus", bus, "RequestName", name) != (1,):
            raise Failure("there is another prompter")

    def receive(self, connection, sender, path, interface, method, parameters, invocation):
        callback, *arguments = parameters.unpack()
        key = (sender, callback)
        if method == "BeginPrompting":
            self.exchanges[key] = exchange = Exchange()
            invocation.return_value(None)
            self.send(key, "PromptReady", GLib.Variant("(sa{sv}s)", ("", {}, exchange.begin())))
        elif method == "PerformPrompt":
            self.perform(key, invocation, *arguments)
        else:
            with changed:
                self.exchanges.pop(key, None)
                self.held = [prompt for prompt in self.held if prompt[0] != key]
                changed.notify_all()
            invocation.return_value(None)
            self.send(key, "PromptDone", None)

    def perform(self, key, invocation, kind, properties, exchange):
        if not self.exchanges[key].receive(exchange):
            invocation.return_dbus_error("org.freedesktop.DBus.Error.InvalidArgs", "an invalid exchange")
            return
        invocation.return_value(None)
        with changed:
            answer = self.answers.pop(0) if self.answers else {}
            held = "held" in answer
            password = answer.get("held", answer).get("password")
            self.prompts.append(properties.get("description") or properties.get("message") or "")
            if held:
                self.held.append((key, kind, password))
            changed.notify_all()
        if not held:
            self.reply(key, kind, password)

    def reply(self, key, kind, password):
        answer = "no" if password is None else "yes"
        sent = self.exchanges[key].send(password if kind == "password" else None)
        # The keyring asks whether to use a new password that has no strength. It unpacks values twice.
        properties = {"password-strength": GLib.Variant("v", GLib.Variant("i", 1 if password else 0))}
        self.send(key, "PromptReady", GLib.Variant("(sa{sv}s)", (answer, properties, sent)))

    def send(self, key, method, parameters):
        interface = "org.gnome.keyring.internal.Prompter.Callback"
        flags = Gio.DBusCallFlags.NO_AUTO_START
        self.connection.call(key[0], key[1], interface, method, parameters, None, flags, PATIENCE * 1000, None, None)
        self.connection.flush_sync(None)

    def release(self):
        with changed:
            held, self.held = self.held, []
        for prompt in held:
            self.reply(*prompt)


def start_prompter(answers):
    global prompter
    prompter = Prompter(answers)


def wait_for_prompts(count):
    wait_until(lambda: len(prompter.prompts) >= count, f"there were only {len(prompter.prompts)} prompts")
    return prompter.prompts


def open_prompts():
    return len(prompter.held)


def release_answers():
    prompter.release()


def stop_prompter():
    if not prompter.connection.is_closed():
        prompter.connection.close_sync(None)


commands = {
    function.__name__: function
    for function in [
        start_bus,
        kill_bus,
        start_daemon,
        kill_daemon,
        suspend_daemon,
        resume_daemon,
        identifiers,
        lock,
        unlock,
        is_locked,
        create_collection,
        start_prompter,
        wait_for_prompts,
        open_prompts,
        release_answers,
        stop_prompter,
    ]
}
lines = queue.SimpleQueue()


def read_lines():
    for line in sys.stdin:
        lines.put(line)
    for child in children:
        end(child)
    os._exit(0)


def deliver():
    while True:
        GLib.MainContext.default().iteration(True)


# Standard input may end during a command.
threading.Thread(target=read_lines, daemon=True).start()
threading.Thread(target=deliver, daemon=True).start()
# The thread that starts the children is the one whose end kills them.
while True:
    command = json.loads(lines.get())
    name, arguments = command["name"], command["arguments"]
    try:
        answer = {"result": commands[name](**arguments)}
    except (Failure, GLib.Error, OSError) as error:
        answer = {"problem": f"{name}: {error}"}
    print(json.dumps(answer), flush=True)
