import Synchronization
import TestBackend

@testable import LocalHub

/// Stores blobs like Azure's storage, to the extent that jobs need.
final class BlobStore: Sendable {
    /// The signature that every request needs.
    static let signature = "sv=2019-02-02&sig=s3cret%3D"

    private let blobs: Mutex<[String: String]>

    init(_ blobs: [String: String] = [:]) {
        self.blobs = Mutex(blobs)
    }

    subscript(path: String) -> String? {
        get { blobs.withLock { $0[path] } }
    }

    func put(_ text: String, at path: String) {
        blobs.withLock { $0[path] = text }
    }

    func lines(of path: String) -> [String] {
        (self[path] ?? "").split(separator: "\n").map(String.init)
    }

    func answer(_ request: ScriptedRequest) -> ScriptedAnswer {
        let parts = request.target.split(separator: "?", maxSplits: 1).map(String.init)
        guard parts.last == Self.signature else { return ScriptedAnswer(status: 403) }
        switch request.method {
        case "PUT":
            put(request.body, at: parts[0])
            return ScriptedAnswer(status: 201)
        case "GET":
            guard let text = self[parts[0]] else { return ScriptedAnswer(status: 404) }
            return ScriptedAnswer(status: 200, body: Array(text.utf8))
        default:
            return ScriptedAnswer(status: 405)
        }
    }

    /// Runs a test with a hub and a store, or with a script instead of the store; the test gets the
    /// address of the container.
    func run(
        _ change: @escaping @Sendable (inout LocalHubConfiguration) -> Void = { _ in },
        script: (@Sendable (ScriptedRequest) -> ScriptedAnswer)? = nil,
        _ test: @escaping @Sendable (_ hub: HubUnderTest, _ container: String) async throws -> Void
    ) async throws {
        try await ScriptedBackend.run({ request, _ in script?(request) ?? self.answer(request) }) {
            origin, _ in
            try await HubUnderTest.run(change) { hub in
                try await test(hub, "\(origin)/acct/c")
            }
        }
    }
}
