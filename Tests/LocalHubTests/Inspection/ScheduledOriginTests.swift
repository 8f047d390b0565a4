import Foundation
import TestSupport
import Testing

@testable import LocalHub

/// The request of a scheduled send must survive a restart, and older files without it must be
/// readable.
@Suite(.bounded)
struct ScheduledOriginTests {
    private let folder: TemporaryFolder
    private var path: String { folder.file("hub.json") }

    init() throws {
        folder = try TemporaryFolder()
    }

    @Test("The state file keeps the request of a scheduled send")
    func stateFileKeepsTheRequestOfAScheduledSend() async throws {
        try await schedule()
        try await expectRequest("/hubsend/schedulednotifications?api-version=2020-06")
    }

    @Test("A state file in the previous format can be read")
    func stateFileInThePreviousFormatCanBeRead() async throws {
        try await schedule()
        let data = try Data(contentsOf: URL(filePath: path))
        let saved = try #require(JSONValue.read(data))
        let former = Self.without("origin", in: saved).json
        #expect(former.utf8.count < data.count)
        try Data(former.utf8).write(to: URL(filePath: path))
        try await expectRequest(nil)
    }

    private func configuration(at now: Date) -> LocalHubConfiguration {
        let clock = TestClock()
        var configuration = LocalHubConfiguration()
        configuration.now = { now }
        configuration.sleep = { try await clock.sleep($0) }
        configuration.stateFile = path
        configuration.devices = [LocalHubDevice(user: "alice", platform: .apns)]
        return configuration
    }

    /// Runs a hub that accepts a scheduled send and stops before it is due.
    private func schedule() async throws {
        try await withLocalHub(configuration(at: HubUnderTest.now)) { address, _ in
            let send = RawConnection.send(
                headers: "ServiceBusNotification-ScheduleTime: 2026-01-01T00:00:00Z\r\n")
            let answer = try await RawConnection.exchange(
                port: address.port,
                send.replacing("/hubsend/messages?", with: "/hubsend/schedulednotifications?"))
            #expect(answer.hasPrefix("HTTP/1.1 201"), "\(answer)")
        }
    }

    /// Runs a hub after the due time, which sends it immediately.
    private func expectRequest(_ expected: String?) async throws {
        let later = configuration(at: HubUnderTest.now + 7_200)
        try await withLocalHub(later) { address, _ in
            let next = try await inspect(address, "messages/next", as: InboxAnswers.Message.self)
            #expect(next.sequence == 1)
            let message = try await inspect(address, "messages/1", as: InboxAnswers.Message.self)
            #expect(message.request?.path == expected)
            #expect(message.request?.scheduled == (expected == nil ? nil : true))
            let page = try await inspect(address, "sends", as: InboxAnswers.Sends.self)
            #expect(page.sends.map(\.path) == [expected])
            #expect(page.sends.map(\.arrived) == [1])
        }
    }

    private func inspect<Answer: Decodable>(
        _ address: LocalHubAddress, _ path: String, as type: Answer.Type
    ) async throws -> Answer {
        let answer = try await RawConnection.exchange(
            port: address.port,
            "GET /.hubsend/\(path) HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n")
        let body = try #require(answer.components(separatedBy: "\r\n\r\n").last)
        return try InboxAnswers.read(body, as: type)
    }

    private static func without(_ name: String, in value: JSONValue) -> JSONValue {
        switch value {
        case .object(let members):
            .object(members.filter { $0.key != name }.mapValues { without(name, in: $0) })
        case .array(let values): .array(values.map { without(name, in: $0) })
        case .null, .bool, .number, .string: value
        }
    }
}
