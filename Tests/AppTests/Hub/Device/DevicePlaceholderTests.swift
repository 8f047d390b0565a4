import Foundation
import NotificationHubs
import TestBackend
import TestSupport
import Testing

@Suite(.bounded) struct DevicePlaceholderTests {
    private struct Line: Decodable {
        let kind: String
        let way: String?
        let id: String?
        let title: String?
        let message: String?
        let placeholder: String?
        let reason: String?
        let read: Bool
    }

    private static let fetched = "aaaaaaaaaaaaaaaaaaaaaaaaaa"
    private static let gone = "bbbbbbbbbbbbbbbbbbbbbbbbbb"

    /// Sends visible pushes with a placeholder to alice.
    private static func send(_ ids: [String], _ environment: [String: String]) async throws {
        let client = try NotificationHubClient(
            connectionString: ConnectionString(
                parsing: environment["HUBSEND_HUB_CONNECTION_STRING"] ?? ""),
            hubName: HubName(environment["HUBSEND_HUB_NAME"] ?? ""))
        for id in ids {
            let push = try NativeNotification(
                format: .apple,
                body: Array(
                    #"{"aps":{"alert":{"body":"News"},"mutable-content":1},"secureId":"\#(id)"}"#
                        .utf8),
                headers: ["apns-push-type": "alert", "apns-priority": "10"])
            _ = try await client.send(push, to: TagExpression(Tag("username:alice")))
        }
        try await client.shutdown()
    }

    @Test("Fetched content replaces the placeholder, which otherwise remains")
    func fetchedContentReplacesThePlaceholderWhichOtherwiseRemains() async throws {
        try await DeviceFixture.run { request in
            guard request.target.contains(Self.fetched) else { return .status(404) }
            return request.method == "GET"
                ? .text(
                    #"{"Id":"\#(Self.fetched)","Payload":"Your code is 7","Read":false,"title":"Code"}"#
                ) : .status(204)
        } _: { parts in
            let device = try await parts.device(["--messages", "2"])
            try await Self.send([Self.fetched, Self.gone], parts.environment)
            let result = try await device.end(0)
            let lines = try result.output.split(separator: "\n")
                .filter { !$0.contains("\"ready\"") }
                .map { try JSONDecoder().decode(Line.self, from: Data($0.utf8)) }
            let replaced = try #require(lines.first { $0.id == Self.fetched })
            #expect(replaced.kind == "secure" && replaced.way == "placeholder" && replaced.read)
            #expect(replaced.title == "Code" && replaced.message == "Your code is 7")
            #expect(replaced.placeholder == "News")
            let stayed = try #require(lines.first { $0.id == Self.gone })
            #expect(stayed.kind == "placeholder" && stayed.way == "placeholder" && !stayed.read)
            #expect(stayed.message == "News" && stayed.reason == "gone")
        }
    }
}
