import Foundation
import PostgreSQLClient
import TestPostgreSQL
import TestSupport

/// Relays between a store and its server, and cuts a connection during a commit.
struct AnswerCutter {
    enum Moment: String, CaseIterable, Sendable {
        case before
        /// The server has committed, but its response is lost.
        case after
    }

    private let folder: String
    private let process: ChildProcess
    let address: PostgreSQLAddress

    init(_ moment: Moment, before address: PostgreSQLAddress) async throws {
        let server = try await PostgreSQLServer.shared.folder()
        process = try await ChildProcess.start(
            "/usr/bin/env", ["python3", "-c", Self.script, server, moment.rawValue], in: "/",
            input: nil)
        folder = try await process.firstLine()
        self.address = try PostgreSQLAddress(
            address.text.replacing("host=\(server)", with: "host=\(folder)"))
    }

    func arm(after count: Int = 0) throws {
        try Data("\(count)".utf8).write(to: URL(filePath: mark), options: .atomic)
    }

    var isArmed: Bool { FileManager.default.fileExists(atPath: mark) }

    private var mark: String { folder + "/armed" }

    /// A commit is a separate message (PostgreSQL documentation, 55.7, Query), which arrives alone,
    /// after all responses.
    private static let script = """
        import os, shutil, socket, sys, tempfile, threading
        server, moment = sys.argv[1:]
        folder = tempfile.mkdtemp(prefix="hubsend-cut-", dir="/tmp")
        mark = folder + "/armed"
        listener = socket.socket(socket.AF_UNIX)
        listener.bind(folder + "/.s.PGSQL.5432")
        listener.listen(16)

        def is_cut():
            try:
                with open(mark) as file:
                    left = int(file.read())
            except FileNotFoundError:
                return False
            if left == 0:
                os.remove(mark)
                return True
            with open(mark, "w") as file:
                file.write(str(left - 1))
            return False

        class Line:
            def __init__(self, client):
                self.client = client
                self.server = socket.socket(socket.AF_UNIX)
                self.server.connect(server + "/.s.PGSQL.5432")
                self.drops = False
                for work in (self.ask, self.answer):
                    threading.Thread(target=work, daemon=True).start()

            def end(self):
                for end in (self.client, self.server):
                    try:
                        end.shutdown(socket.SHUT_RDWR)
                    except OSError:
                        pass

            def ask(self):
                while data := self.client.recv(65536):
                    if data == b"Q\\0\\0\\0\\x0bCOMMIT\\0" and is_cut():
                        if moment == "before":
                            break
                        self.drops = True
                    self.server.sendall(data)
                self.end()

            def answer(self):
                while data := self.server.recv(65536):
                    if self.drops:
                        break
                    self.client.sendall(data)
                self.end()

        def accept():
            while True:
                Line(listener.accept()[0])

        threading.Thread(target=accept, daemon=True).start()
        print(folder, flush=True)
        sys.stdin.read()
        shutil.rmtree(folder)
        """
}
