import Foundation
import TestBackend
import TestServing
import TestSupport
import Testing

/// The scripted backend waits no longer than its grace period for open connections.
@Suite(.bounded)
struct ScriptedBackendTests {
    @Test(
        "The scripted backend stops despite an open connection",
        arguments: [
            ("GET / HTTP/1.1\r\nHost: a\r\n\r\n", StubbornClient.Moment.answered),
            ("GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n", .ended),
            (
                "GET / HTTP/1.1\r\nHost: a\r\n\r\nPUT / HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\n",
                .answered
            ),
        ])
    func scriptedBackendStopsDespiteAnOpenConnection(
        request: String, moment: StubbornClient.Moment
    ) async throws {
        let (ports, open) = AsyncStream.makeStream(of: Int.self)
        let (held, hold) = AsyncStream.makeStream(of: Never.self)
        let (ended, end) = AsyncStream.makeStream(of: Never.self)
        async let client: Void = {
            defer { hold.finish() }
            let port = try #require(await ports.first { _ in true })
            try await StubbornClient.hold(port: port, request, until: moment) {
                hold.finish()
                for await _ in ended {}
            }
        }()
        defer { end.finish() }
        try await ScriptedBackend.run(grace: .milliseconds(50)) { _, _ in
            .text("Hi")
        } _: { origin, _ in
            open.yield(try #require(URL(string: origin)?.port))
            for await _ in held {}
        }
        end.finish()
        try await client
    }
}
