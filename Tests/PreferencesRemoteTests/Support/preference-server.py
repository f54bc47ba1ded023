"""A server on this machine that serves what a test tells it to.

The test talks to it by lines of JSON: a command on standard input, an answer on standard output. The first line is the
port. It ends with standard input, so that it never outlives its test. With the path of a file that has a certificate and
its key, it serves HTTPS.
"""

import base64
import contextlib
import http.server
import json
import socket
import ssl
import sys
import threading
import time

PATIENCE = 1200  # How long the test waits at most for what is to come, in seconds.
pages = {}
requests = []
closed = 0
news = threading.Condition()
released = threading.Event()


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *arguments):
        pass

    def do_GET(self):
        self.rfile.read(int(self.headers.get("Content-Length", 0)))
        with news:
            page = pages.get(self.path.partition("?")[0], {"status": 404})
            requests.append({"method": self.command, "path": self.path, "headers": dict(self.headers)})
            news.notify_all()
        try:
            self.answer(page)
        except OSError:
            self.note_end()

    do_POST = do_GET

    def answer(self, page):
        way = page.get("way", "whole")
        if way == "held":
            released.wait()
        if way == "never":
            return self.wait_for_end()
        if self.is_known(page):
            return self.send(304, page)
        if page.get("authorization") not in (None, self.headers.get("Authorization")):
            challenge = {"WWW-Authenticate": 'Basic realm="weather"'} | page.get("headers", {})
            return self.send(401, {"headers": challenge})
        body = base64.b64decode(page.get("body", ""))
        if way in ("whole", "held"):
            return self.send(page.get("status", 200), page, body)
        # The others end before they should, or never.
        self.close_connection = True
        if way == "chunks":
            return self.send_chunks(page)
        self.send_response(200)
        self.send_header("Content-Length", str(1 << 40 if way == "endless" else len(body) + 100))
        self.end_headers()
        self.wfile.write(body)
        self.wfile.flush()
        while way == "endless":
            self.wfile.write(b" " * 100)
        if way == "stuck":
            self.wait_for_end()

    def send_chunks(self, page):
        self.send_response(page.get("status", 200))
        for name, text in (page.get("headers", {}) | {"Transfer-Encoding": "chunked"}).items():
            self.send_header(name, text)
        self.end_headers()
        content = b" " * 100_000
        while True:
            self.wfile.write(b"%x\r\n%s\r\n" % (len(content), content))
            # FoundationNetworking keeps the content of a redirect until a timer of the client ends the transfer: on a busy
            # machine, at full speed, that may be any amount.
            if 300 <= page.get("status", 200) < 400:
                time.sleep(0.01)

    def is_known(self, page):
        names = ("If-None-Match", "etag") if "If-None-Match" in self.headers else ("If-Modified-Since", "lastModified")
        return names[0] in self.headers and self.headers[names[0]] == page.get(names[1])

    def send(self, status, page, body=b""):
        self.send_response(status)
        named = {"ETag": page.get("etag"), "Last-Modified": page.get("lastModified"), "Content-Type": page.get("type")}
        for name, text in (named | page.get("headers", {})).items():
            if text is not None:
                self.send_header(name, text)
        if status != 304:
            self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def wait_for_end(self):
        with contextlib.suppress(OSError):
            self.rfile.read(1)
        self.note_end()

    def note_end(self):
        global closed
        self.close_connection = True
        with news:
            closed += 1
            news.notify_all()


class Server(http.server.ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self, *arguments):
        self.connections = []
        super().__init__(*arguments)

    def process_request(self, connection, address):
        self.connections.append(connection)
        super().process_request(connection, address)

    def close_connections(self):
        for connection in self.connections:
            with contextlib.suppress(OSError):  # It may be closed already.
                connection.shutdown(socket.SHUT_RDWR)

    def handle_error(self, request, address):
        pass


def go_offline(server):
    # The port stays taken, so that no other program gets it.
    server.shutdown()
    server.server_close()
    server.close_connections()
    silent = socket.socket()
    silent.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    silent.bind(server.server_address)
    return silent


def main():
    server = Server(("127.0.0.1", 0), Handler)
    if len(sys.argv) > 1:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(sys.argv[1])
        # The handshake is made by the thread of the connection, so that one that fails does not end the server.
        server.socket = context.wrap_socket(server.socket, server_side=True, do_handshake_on_connect=False)
    threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.2}, daemon=True).start()
    print(server.server_address[1], flush=True)
    for line in sys.stdin:
        command = json.loads(line)
        answer = None
        with news:
            if "serve" in command:
                pages[command["serve"]] = command["page"]
            if "requests" in command:
                answer = requests if news.wait_for(lambda: len(requests) >= command["requests"], PATIENCE) else "late"
            if "closed" in command:
                answer = None if news.wait_for(lambda: closed >= command["closed"], PATIENCE) else "late"
        if "release" in command:
            released.set()
        if "offline" in command:
            server.silence = go_offline(server)
        print(json.dumps(answer), flush=True)


main()
