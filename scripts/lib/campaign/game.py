"""A game that numbers its responses."""
import http.server
import re
import threading


class Game:
    """Answers as the game does. The game clock of each response is its number in 1/64 s: exact in every format."""

    def __init__(self, sessions, bones):
        self.templates = [re.split(rb'(?<="game_clock":)[-0-9.e+]+', each, maxsplit=1) for each in sessions]
        self.bones = bones
        self.served = 0
        self.lock = threading.Lock()
        game = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            disable_nagle_algorithm = True
            wbufsize = -1

            def do_GET(self):
                body = game.next_session() if self.path == "/session" else game.bones
                self.send_response_only(200 if self.path in ("/session", "/player_bones") else 404)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

        class Server(http.server.ThreadingHTTPServer):
            daemon_threads = True

            def handle_error(self, request, client_address):
                pass  # recorders die while they read

        self.server = Server(("127.0.0.1", 0), Handler)
        self.address = "127.0.0.1:%d" % self.server.server_address[1]
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def session(self, number):
        before, after = self.templates[number % len(self.templates)]
        return before + b"%.6f" % (number / 64) + after

    def next_session(self):
        with self.lock:
            number = self.served
            self.served += 1
        return self.session(number)
