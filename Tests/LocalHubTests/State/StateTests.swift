import Foundation
import InMemoryLogging
import Logging
import TestSupport
import Testing

@testable import LocalHub

@Suite(.bounded)
struct StateTests {
    private struct WorkFailed: Error {}

    private let folder: TemporaryFolder
    private var path: String { folder.file("hub.json") }

    init() throws {
        folder = try TemporaryFolder()
    }

    private func configuration(_ clock: TestClock = TestClock()) -> LocalHubConfiguration {
        var configuration = LocalHubConfiguration()
        configuration.now = { clock.now }
        configuration.sleep = { try await clock.sleep($0) }
        configuration.stateFile = path
        return configuration
    }

    private func request(
        _ address: LocalHubAddress, _ method: String, _ target: String,
        headers: String = "", body: String = ""
    ) async throws -> String {
        let token = TestToken.make(.developmentFull, audience: "http://127.0.0.1/")
        return try await RawConnection.exchange(
            port: address.port,
            """
            \(method) /\(target)?api-version=2020-06 HTTP/1.1\r
            Host: 127.0.0.1\r
            Authorization: \(token)\r
            Content-Type: application/json\r
            Content-Length: \(body.utf8.count)\r
            Connection: close\r
            \(headers)\r
            \(body)
            """)
    }

    private func install(_ address: LocalHubAddress, _ id: String, hub: String = "hubsend")
        async throws
    {
        let body = """
            {"installationId":"\(id)","platform":"apns","pushChannel":"AB12","tags":["red"],
            "templates":{"t":{"body":"{\\"aps\\":\\"$(a)\\"}"}}}
            """
        let answer = try await request(address, "PUT", "\(hub)/installations/\(id)", body: body)
        #expect(answer.hasPrefix("HTTP/1.1 200"), "\(answer)")
    }

    @Test("A restarted hub has its previous state") func restartedHubHasItsPreviousState()
        async throws
    {
        let before = try await withLocalHub(configuration()) { address, server in
            try await install(address, "phone")
            #expect(try await request(address, "PUT", "second").hasPrefix("HTTP/1.1 201"))
            try await install(address, "tablet", hub: "second")
            let scheduled = try await request(
                address, "POST", "hubsend/schedulednotifications",
                headers: """
                    ServiceBusNotification-Format: apple\r
                    ServiceBusNotification-ScheduleTime: 2026-01-02T00:00:00Z\r

                    """, body: HubUnderTest.silent)
            #expect(scheduled.hasPrefix("HTTP/1.1 201"), "\(scheduled)")
            return server.saved
        }
        #expect(before.hubs.map(\.name) == ["hubsend", "second"])
        #expect(before.hubs.map(\.registrations.count) == [2, 2])
        #expect(before.hubs.first?.scheduled.count == 1)
        let after = try await withLocalHub(configuration()) { address, server in
            let answer = try await request(address, "GET", "second/installations/tablet")
            #expect(answer.hasPrefix("HTTP/1.1 200"))
            return server.saved
        }
        #expect(after == before)
    }

    @Test("Devices in the configuration are not duplicated by a restart")
    func devicesInTheConfigurationAreNotDuplicatedByARestart() async throws {
        var configuration = configuration()
        configuration.devices = [
            LocalHubDevice(user: "alice", platform: .apns, handle: "AB12"),
            LocalHubDevice(user: "alice", platform: .apns),
            LocalHubDevice(user: "bob", platform: .fcm),
        ]
        let first = try await saved(configuration)
        #expect(first.hubs.first?.registrations.count == 3)
        #expect(try await saved(configuration) == first)
        configuration.devices[0].handle = "CD34"
        let changed = try await saved(configuration)
        #expect(changed.hubs.first?.registrations.count == 3)
        #expect(changed.hubs.first?.registrations.contains { $0.channel.handle == "CD34" } == true)
    }

    private func saved(_ configuration: LocalHubConfiguration) async throws -> SavedState {
        try await withLocalHub(configuration) { $1.saved }
    }

    @Test("Changes are written while the hub runs")
    func changesAreWrittenWhileTheHubRuns() async throws {
        let clock = TestClock()
        try await withLocalHub(configuration(clock)) { address, server in
            await clock.waitForSleep(of: .seconds(1))
            let atStart = try Data(contentsOf: URL(filePath: path))
            try await install(address, "phone")
            // The next write waits until the second is over.
            #expect(try Data(contentsOf: URL(filePath: path)) == atStart)
            clock.advance(by: 1)
            await clock.waitForSleep(of: .seconds(1))
            let kept = try JSONDecoder().decode(
                SavedState.self, from: Data(contentsOf: URL(filePath: path)))
            #expect(kept == server.saved)
            #expect(kept.hubs.first?.installations["phone"] != nil)
        }
    }

    @Test("Nothing is written if nothing has changed") func nothingIsWrittenIfNothingHasChanged()
        async throws
    {
        let clock = TestClock()
        try await withLocalHub(configuration(clock)) { address, _ in
            await clock.waitForSleep(of: .seconds(1))
            try folder.write("untouched", to: "hub.json")
            // Sends are not saved in the file.
            let answer = try await RawConnection.exchange(port: address.port, RawConnection.send())
            #expect(answer.hasPrefix("HTTP/1.1 201"))
            clock.advance(by: 1)
            await clock.waitForSleep(of: .seconds(1))
        }
        #expect(try String(contentsOfFile: path, encoding: .utf8) == "untouched")
    }

    @Test("A failed write is logged once and retried")
    func failedWriteIsLoggedOnceAndRetried() async throws {
        let log = InMemoryLogHandler()
        let logger = Logger(label: "test") { _ in log }
        let clock = TestClock()
        let obstacle = try folder.write("", to: "hub.json.tmp/in-the-way")
        try await withLocalHub(configuration: configuration(clock), logger: logger) { address, _ in
            await clock.waitForSleep(of: .seconds(1))
            clock.advance(by: 1)
            await clock.waitForSleep(of: .seconds(1))
            #expect(log.entries.count { $0.level == .error } == 1)
            #expect(!FileManager.default.fileExists(atPath: path))
            try FileManager.default.removeItem(
                at: URL(filePath: obstacle).deletingLastPathComponent())
            clock.advance(by: 1)
            await clock.waitForSleep(of: .seconds(1))
            #expect(FileManager.default.fileExists(atPath: path))
        }
    }

    @Test("A hub that cannot save its state exits with an error")
    func hubThatCannotSaveItsStateExitsWithAnError() async throws {
        try folder.write("", to: "hub.json.tmp/in-the-way")
        let expected = LocalHubError.stateFileNotWritten(path, reason: "is a directory")
        await #expect(throws: expected) {
            try await withLocalHub(configuration()) { address, _ in
                try await install(address, "phone")
            }
        }
    }

    @Test("Changes that were made before the work failed are saved")
    func changesThatWereMadeBeforeTheWorkFailedAreSaved() async throws {
        await #expect(throws: WorkFailed.self) {
            try await withLocalHub(configuration()) { address, _ in
                try await install(address, "phone")
                throw WorkFailed()
            }
        }
        let kept = try await saved(configuration())
        #expect(kept.hubs.first?.installations["phone"] != nil)
    }

    @Test("A file that was created in the meantime is not mistaken for a broken link")
    func fileThatWasCreatedInTheMeantimeIsNotMistakenForABrokenLink() async throws {
        let path = path
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                for _ in 1...50 {
                    try Data("{}".utf8).write(to: URL(filePath: path))
                    try FileManager.default.removeItem(atPath: path)
                }
            }
            group.addTask {
                for _ in 1...50 { try StateFile(path: path).release() }
            }
            try await group.waitForAll()
        }
    }

    @Test("A broken link is not treated as a missing file")
    func brokenLinkIsNotTreatedAsAMissingFile() throws {
        try folder.link("hub.json", to: "none.json")
        let expected = LocalHubError.stateFileDamaged(
            path, reason: "it is a broken symbolic link")
        #expect(throws: expected) { try StateFile(path: path) }
        try folder.write("{}", to: "none.json")
        #expect(try StateFile(path: path).path.hasSuffix("/none.json"))
    }

    @Test("Two hubs cannot share a file") func twoHubsCannotShareAFile() async throws {
        try await withLocalHub(configuration()) { _, _ -> Void in
            #expect(throws: LocalHubError.stateFileInUse(path)) {
                try LocalHubServer(configuration: configuration(), logger: HubUnderTest.quiet)
            }
        }
    }
}
