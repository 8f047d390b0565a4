package import Foundation
import TestSupport

/// Relays between hubsend and a server, and records everything.
package struct RecordingRelay {
    private let process: ChildProcess
    private let folder: TemporaryFolder
    /// The port on 127.0.0.1.
    package let port: String

    package init(before store: RemoteStore, hasTLS: Bool) async throws {
        folder = try TemporaryFolder()
        process = try await ChildProcess.start(
            "/usr/bin/env",
            [
                "python3", "-c", Self.script, folder.path,
                hasTLS ? store.host : store.socket, "\(RemoteStore.port)",
            ], in: "/", input: nil)
        port = try await process.firstLine()
    }

    /// All bytes, grouped by connection and direction.
    package func wire() throws -> Data {
        try folder.contents().reduce(into: Data()) { wire, name in
            wire += try Data(contentsOf: URL(filePath: folder.file(name)))
        }
    }

    /// Records a byte before passing it on.
    private static let script = """
        import socket, sys, threading
        folder, place, port = sys.argv[1:]

        def connected():
            if not place.startswith("/"):
                return socket.create_connection((place, int(port)))
            server = socket.socket(socket.AF_UNIX)
            server.connect(place)
            return server

        def carry(source, sink, name):
            with open(f"{folder}/{name}", "wb", buffering=0) as record:
                try:
                    while data := source.recv(65536):
                        record.write(data)
                        sink.sendall(data)
                except OSError:
                    pass
            for end in (source, sink):
                try:
                    end.shutdown(socket.SHUT_RDWR)
                except OSError:
                    pass

        def accept():
            number = 0
            while True:
                client = listener.accept()[0]
                number += 1
                server = connected()
                for ends in ((client, server, f"{number}-asks"), (server, client, f"{number}-answers")):
                    threading.Thread(target=carry, args=ends, daemon=True).start()

        listener = socket.create_server(("127.0.0.1", 0), backlog=16)
        threading.Thread(target=accept, daemon=True).start()
        print(listener.getsockname()[1], flush=True)
        sys.stdin.read()
        """
}
