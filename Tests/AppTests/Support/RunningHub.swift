import Foundation
import FoundationNetworking
import TestSupport
import Testing

/// A running `hubsend hub`, with the content of its ready line.
struct RunningHub: Sendable {
    let process: ChildProcess
    /// The keys of the ready line.
    let keys: [String]
    let inbox: String
    let url: String
    /// `url`, `connection_string` and `ca`.
    let https: [String: String]
    /// The environment that makes every command use the hub.
    let environment: [String: String]

    /// Starts a hub, and returns when it is ready.
    static func start(
        _ options: [String] = [], in workspace: Workspace, environment: [String: String] = [:]
    ) async throws -> RunningHub {
        let process = try await Binary.start(
            ["hub", "--json"] + options, in: workspace, environment: environment)
        let ready = try await process.firstLine().object()
        let http = try #require(ready["http"] as? [String: String])
        return RunningHub(
            process: process, keys: ready.keys.sorted(),
            inbox: try #require(ready["inbox"] as? String), url: try #require(http["url"]),
            https: try #require(ready["https"] as? [String: String]),
            environment: [
                "HUBSEND_HUB_CONNECTION_STRING": try #require(http["connection_string"]),
                "HUBSEND_HUB_NAME": try #require(ready["hub"] as? String),
            ])
    }

    /// Requests a path below `/.hubsend`.
    func ask(
        _ path: String, _ change: (inout URLRequest) -> Void = { _ in }
    ) async throws -> (text: String, status: Int?) {
        var request = URLRequest(url: try #require(URL(string: url + "/.hubsend" + path)))
        change(&request)
        let (body, response) = try await URLSession.shared.data(for: request)
        return (String(decoding: body, as: UTF8.self), (response as? HTTPURLResponse)?.statusCode)
    }

    func stop(by signal: Int32 = SIGTERM) async throws {
        process.signal(signal)
        #expect(try await process.result().status == 0)
    }
}
