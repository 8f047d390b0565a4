import Foundation
import Logging
import TestBackend
import TestSupport
import Testing

@testable import App

/// Tests the messages to a monitoring service over a real socket.
@Suite(.bounded) struct HeartbeatTests {
    private static let quiet = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }

    private func heartbeat(_ address: String) -> Heartbeat {
        Heartbeat(
            .value(address, from: "HUBSEND_HEARTBEAT"), userAgent: "hubsend/test",
            logger: Self.quiet)
    }

    @Test("The heartbeat reports the start, the end and the exit code")
    func heartbeatReportsTheStartTheEndAndTheExitCode() async throws {
        try await ScriptedBackend.run({ _, _ in .text("OK") }) { origin, service in
            let heartbeat = heartbeat(origin + "/ping/abc?create=1")
            await heartbeat.start()
            await heartbeat.end(code: 0)
            await heartbeat.end(code: 75)
            #expect(
                service.requests.map(\.line) == [
                    "GET /ping/abc/start?create=1", "GET /ping/abc?create=1",
                    "POST /ping/abc/fail?create=1",
                ])
            #expect(service.requests.last?.body == "exit code 75\n")
        }
    }

    @Test("A slash at the end of the heartbeat's address is not doubled")
    func slashAtTheEndOfTheHeartbeatsAddressIsNotDoubled() async throws {
        try await ScriptedBackend.run({ _, _ in .text("OK") }) { origin, service in
            await heartbeat(origin + "/ping/abc/").start()
            #expect(service.requests.map(\.line) == ["GET /ping/abc/start"])
        }
    }

    @Test("A service that does not answer delays a run by less than five seconds")
    func serviceThatDoesNotAnswerDelaysARunByLessThanFiveSeconds() async throws {
        try await ScriptedBackend.run(grace: .zero, { _, _ in ScriptedAnswer(hangs: true) }) {
            origin, _ in
            let heartbeat = Heartbeat(
                .value(origin + "/ping/abc", from: "HUBSEND_HEARTBEAT"),
                userAgent: "hubsend/test", logger: Self.quiet,
                patience: Heartbeat.Patience(
                    command: .seconds(1), start: .milliseconds(50), end: .milliseconds(50)))
            await heartbeat.start()
            await heartbeat.end(code: 0)
        }
        let standard = Heartbeat.Patience.standard
        #expect(standard.command + standard.start + standard.end < .seconds(5))
        // Ending the command takes another second, after which nothing is sent.
        #expect(standard.command + .seconds(1) < .seconds(5))
    }

    @Test(
        "An invalid address is reported once, without being shown",
        arguments: [
            "http://ping.example/abc", "ftp://127.0.0.1/abc", "ping.example/abc", "https://",
            "https://ann:pa55@ping.example/abc", "https://ping.example/abc#top",
        ])
    func invalidAddressIsReportedOnceWithoutBeingShown(address: String) async throws {
        let lines = LogLines()
        let heartbeat = Heartbeat(
            .value(address, from: "HUBSEND_HEARTBEAT"), userAgent: "hubsend/test",
            logger: lines.logger)
        await heartbeat.start()
        await heartbeat.end(code: 3)
        #expect(lines.all.count == 1)
        #expect(lines.all.first?.contains("HUBSEND_HEARTBEAT") == true)
        #expect(!lines.all.joined().contains("abc"))
    }

    @Test("A service that refuses is reported once, without its address")
    func serviceThatRefusesIsReportedOnceWithoutItsAddress() async throws {
        try await ScriptedBackend.run({ _, _ in .status(404) }) { origin, _ in
            let lines = LogLines()
            let heartbeat = Heartbeat(
                .value(origin + "/ping/abc", from: "heartbeat"), userAgent: "hubsend/test",
                logger: lines.logger)
            await heartbeat.start()
            await heartbeat.end(code: 0)
            #expect(lines.all.count == 1)
            #expect(lines.all.first?.contains("status 404") == true)
            #expect(!lines.all.joined().contains("abc"))
        }
    }

    @Test("A command that prints no address is run only once")
    func commandThatPrintsNoAddressIsRunOnlyOnce() async throws {
        let folder = try TemporaryFolder()
        let file = folder.file("ran")
        let heartbeat = Heartbeat(
            .command("echo x >> '\(file)'; exit 1", from: "HUBSEND_HEARTBEAT_COMMAND"),
            userAgent: "hubsend/test", logger: Self.quiet)
        await heartbeat.start()
        await heartbeat.end(code: 0)
        #expect(try String(contentsOfFile: file, encoding: .utf8) == "x\n")
    }
}
