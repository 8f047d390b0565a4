import CampaignCore
import Delivery
import Foundation
import LocalHub
import Logging
import TestBackend
import TestSupport
import Testing

@testable import App

@Suite(.bounded) struct WatchedRunTests {
    private static let quiet = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
    private static let campaign = """
        campaign: spring
        kind: alert
        platforms: [apns]
        audience: { usernames: [alice, bob] }
        payload: { message: Hello }

        """

    /// - Parameter isMuted: whether no messages are sent, as for a rehearsal.
    private func send(
        in folder: TemporaryFolder, heartbeat: String, isMuted: Bool = false
    ) async throws {
        try await withLocalHub(
            configuration: LocalHubConfiguration(), logger: Self.quiet
        ) { address, _ in
            let string = address.connectionString(.developmentFull)
            let settings = try EffectiveSettings.load(
                SettingFlags(), campaigns: [folder.file("spring.yaml")],
                invocation: Invocation([
                    "HUBSEND_HUB_CONNECTION_STRING": string, "HUBSEND_HEARTBEAT": heartbeat,
                ]))
            let connection = try HubConnection(string, named: address.hubName)
            let call = RunCall(settings, .quiet { Issue.record($0) })
            if isMuted { call.watch.mute() }
            let ends = try await call.run([folder.file("spring.yaml")], at: connection)
            #expect(ends.allSatisfy { $0.isDone })
            await call.watch.end(code: 0)
        }
    }

    private func folder() throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        try folder.write("metrics: out/hubsend.prom\n", to: "hubsend.yaml", mode: 0o600)
        try folder.write("", to: "out/keep")
        try folder.write(Self.campaign, to: "spring.yaml")
        return folder
    }

    @Test("A run with nothing to send reports a success but no start")
    func runWithNothingToSendReportsASuccessButNoStart() async throws {
        let folder = try folder()
        try await ScriptedBackend.run({ _, _ in .text("OK") }) { origin, service in
            try await send(in: folder, heartbeat: origin + "/abc")
            #expect(service.requests.map(\.line) == ["GET /abc/start", "GET /abc"])
            let text = try String(
                contentsOfFile: folder.file("out/hubsend.prom"), encoding: .utf8)
            #expect(text.contains("{campaign=\"spring\",outcome=\"accepted\"} 2\n"))
            #expect(text.contains("{campaign=\"spring\",state=\"finished\"} 1\n"))
            #expect(text.contains("hubsend_run_requests{campaign=\"spring\"} "))
            #expect(text.contains("hubsend_run_end_time_seconds{campaign=\"spring\"} "))
            #expect(text.contains("hubsend_run_exit_code{campaign=\"spring\"} 0\n"))
            try await send(in: folder, heartbeat: origin + "/abc")
            #expect(service.requests.map(\.line).dropFirst(2) == ["GET /abc"])
        }
    }

    @Test("A muted run reports nothing") func mutedRunReportsNothing() async throws {
        let folder = try folder()
        try await ScriptedBackend.run({ _, _ in .text("OK") }) { origin, service in
            try await send(in: folder, heartbeat: origin + "/abc", isMuted: true)
            #expect(service.requests.isEmpty)
        }
        #expect(try !folder.contents().contains("hubsend.prom"))
    }

    @Test("A run continues if its heartbeat fails")
    func runContinuesIfItsHeartbeatFails() async throws {
        let folder = try folder()
        try await send(in: folder, heartbeat: "http://127.0.0.1:1/abc")
    }
}
