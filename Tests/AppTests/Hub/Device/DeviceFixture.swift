import Foundation
import FoundationNetworking
import TestBackend
import TestSupport
import Testing

/// The local hub with a device of alice, and a scripted backend that registers it.
enum DeviceFixture {
    struct Parts: Sendable {
        let environment: [String: String]
        let backend: ScriptedBackend
        let workspace: Workspace

        /// Starts a device of alice and waits until the device is registered.
        func device(_ arguments: [String]) async throws -> ChildProcess {
            let running = try await Binary.start(
                ["device", "--user", "alice", "--platform", "apns", "--json"] + arguments,
                in: workspace, environment: environment)
            _ = try await running.firstLine()
            return running
        }

        func send(_ campaign: String = "notice") async throws -> ChildProcess.Result {
            try workspace.write(
                Campaigns.secure(campaign, to: ["alice"]), to: "\(campaign).yaml")
            return try await Binary.run(
                ["run", "\(campaign).yaml"], in: workspace, environment: environment)
        }
    }

    private struct Devices: Decodable {
        struct Device: Decodable {
            let registration: String
        }

        let devices: [Device]
    }

    /// - Parameter script: answers every request except the registration.
    static func run(
        secure: TemporaryFolder? = nil,
        _ script: @escaping @Sendable (ScriptedRequest) -> ScriptedAnswer,
        _ body: @Sendable (Parts) async throws -> Void
    ) async throws {
        try await HubFixture.run(people: ["alice"], secure: secure) { environment, _ in
            let string = environment["HUBSEND_HUB_CONNECTION_STRING"] ?? ""
            let origin = string.split(separator: ";")[0].dropFirst("Endpoint=".count)
            let url = try #require(URL(string: origin + ".hubsend/devices/alice"))
            let seen = try await URLSession.shared.data(from: url).0
            let known = try JSONDecoder().decode(Devices.self, from: seen)
            let id = try #require(known.devices.first?.registration)
            try await ScriptedBackend.run { request, _ in
                switch request.method {
                case "POST": .text("\"\(id)\"")
                case "PUT" where request.target == "/api/register/\(id)", "DELETE": .status(200)
                default: script(request)
                }
            } _: { address, backend in
                let all = environment.merging(
                    [
                        "HUBSEND_BACKEND": address, "HUBSEND_DEVICE_PASSWORD": "sesame",
                        "HUBSEND_STORE": "store.sqlite",
                    ]
                ) { $1 }
                try await body(
                    Parts(environment: all, backend: backend, workspace: try Workspace()))
            }
        }
    }
}
