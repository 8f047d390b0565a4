import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import ServiceLifecycle
import Synchronization

/// A real server on loopback, for responses that the real backend never gives.
package final class ScriptedBackend: Sendable {
    private let received = Mutex<[ScriptedRequest]>([])
    private let script: @Sendable (ScriptedRequest, _ number: Int) -> ScriptedAnswer

    private init(script: @escaping @Sendable (ScriptedRequest, Int) -> ScriptedAnswer) {
        self.script = script
    }

    package var requests: [ScriptedRequest] { received.withLock { $0 } }

    /// Runs a backend during a test; requests and connections that outlast `grace` are cut off.
    package static func run(
        grace: Duration = .seconds(5),
        _ script: @escaping @Sendable (ScriptedRequest, _ number: Int) -> ScriptedAnswer,
        _ body: @Sendable (_ origin: String, _ backend: ScriptedBackend) async throws -> Void
    ) async throws {
        let backend = ScriptedBackend(script: script)
        let (ports, port) = AsyncStream.makeStream(of: Int.self)
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        let application = Application(
            responder: CallbackResponder<BasicRequestContext> { request, _ in
                try await backend.respond(to: request)
            },
            configuration: ApplicationConfiguration(address: .hostname("127.0.0.1", port: 0)),
            onServerRunning: {
                port.yield($0.localAddress?.port ?? 0)
                port.finish()
            }, logger: logger)
        var configuration = ServiceGroupConfiguration(services: [application], logger: logger)
        // A client that keeps its connection open would delay the end indefinitely.
        configuration.maximumGracefulShutdownDuration = grace
        let group = ServiceGroup(configuration: configuration)
        try await withThrowingTaskGroup(of: Void.self) { tasks in
            tasks.addTask {
                defer { port.finish() }
                try await group.run()
            }
            for await number in ports {
                // Never cancelled, because the server closes its connections itself.
                do {
                    try await body("http://127.0.0.1:\(number)", backend)
                } catch {
                    await group.triggerGracefulShutdown()
                    throw error
                }
                await group.triggerGracefulShutdown()
            }
        }
    }

    /// Runs a backend that always gives the same response.
    package static func run(
        answering answer: ScriptedAnswer,
        _ body: @Sendable (_ origin: String, _ backend: ScriptedBackend) async throws -> Void
    ) async throws {
        try await run({ _, _ in answer }, body)
    }

    private func respond(to request: Request) async throws -> Response {
        let buffer = try await request.body.collect(upTo: 1 << 20)
        let scripted = ScriptedRequest(
            method: request.method.rawValue, target: request.uri.string,
            authorization: request.headers[.authorization], cookie: request.headers[.cookie],
            body: String(buffer: buffer))
        let number = received.withLock { received in
            received.append(scripted)
            return received.count - 1
        }
        let answer = script(scripted, number)
        var headers: HTTPFields = [:]
        for (name, value) in answer.headers {
            guard let name = HTTPField.Name(name) else { continue }
            headers.append(HTTPField(name: name, value: value))
        }
        return Response(
            status: HTTPResponse.Status(code: answer.status), headers: headers,
            body: Self.body(answer))
    }

    private static func body(_ answer: ScriptedAnswer) -> ResponseBody {
        guard answer.pieceSize != nil || answer.hangs || answer.repeats > 1 else {
            return ResponseBody(byteBuffer: ByteBuffer(bytes: answer.body))
        }
        return ResponseBody { writer in
            let size = answer.pieceSize ?? answer.body.count
            for _ in 0..<answer.repeats {
                var rest = answer.body[...]
                while !rest.isEmpty {
                    try await writer.write(ByteBuffer(bytes: rest.prefix(size)))
                    rest = rest.dropFirst(size)
                }
            }
            if answer.hangs { try await gracefulShutdown() }
            try await writer.finish(nil)
        }
    }
}
