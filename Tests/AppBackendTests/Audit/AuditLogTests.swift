import CampaignCore
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import AppBackend

@Suite(.bounded) struct AuditLogTests {
    private static func entry(_ user: Username, _ outcome: String = "ok") -> AuditEntry {
        AuditEntry(
            time: AdjustableTime.start, user: user, action: .show, what: nil, address: nil,
            outcome: outcome)
    }

    private static func lines(_ path: String) throws -> [String] {
        try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").map(String.init)
    }

    @Test("A new audit file is readable only by its owner")
    func newAuditFileIsReadableOnlyByItsOwner() throws {
        let folder = try TemporaryFolder()
        let log = try AuditLog(path: folder.file("a.jsonl"), logger: BackendUnderTest.quiet)
        log.note(Self.entry(.alice))
        try log.flush()
        #expect(try folder.mode("a.jsonl") == 0o600)
        #expect(try Self.lines(folder.file("a.jsonl")).count == 1)
    }

    @Test("New lines are appended to an existing audit file")
    func newLinesAreAppendedToAnExistingAuditFile() throws {
        let folder = try TemporaryFolder()
        try folder.write("before\n", to: "a.jsonl", mode: 0o600)
        let log = try AuditLog(path: folder.file("a.jsonl"), logger: BackendUnderTest.quiet)
        log.note(Self.entry(.alice))
        try log.flush()
        #expect(try Self.lines(folder.file("a.jsonl")).first == "before")
    }

    @Test("If the audit file is moved away, a new one is created")
    func ifTheAuditFileIsMovedAwayANewOneIsCreated() throws {
        let folder = try TemporaryFolder()
        let log = try AuditLog(path: folder.file("a.jsonl"), logger: BackendUnderTest.quiet)
        log.note(Self.entry(.alice))
        try log.flush()
        try FileManager.default.moveItem(
            atPath: folder.file("a.jsonl"), toPath: folder.file("a.jsonl.1"))
        log.note(Self.entry(.bob))
        try log.flush()
        #expect(try Self.lines(folder.file("a.jsonl.1")).map { $0.contains("alice") } == [true])
        #expect(try Self.lines(folder.file("a.jsonl")).map { $0.contains("bob") } == [true])
    }

    @Test("Concurrent writers never split each other's lines")
    func concurrentWritersNeverSplitEachOthersLines() async throws {
        let folder = try TemporaryFolder()
        let path = folder.file("a.jsonl")
        try await withThrowingTaskGroup(of: Void.self) { group in
            for writer in 0..<8 {
                group.addTask {
                    let log = try AuditLog(path: path, logger: BackendUnderTest.quiet)
                    for number in 0..<50 {
                        log.note(Self.entry(Username(checked: "w\(writer)"), "o\(number)"))
                        try log.flush()
                    }
                }
            }
            try await group.waitForAll()
        }
        let lines = try Self.lines(path)
        #expect(lines.count == 400)
        #expect(Set(lines).count == 400)
        #expect(lines.allSatisfy { $0.hasPrefix("{\"time\":") && $0.hasSuffix("}") })
    }

    @Test("An audit path that is not a regular file is refused with a message")
    func auditPathThatIsNotARegularFileIsRefusedWithAMessage() throws {
        let folder = try TemporaryFolder()
        try folder.write("", to: "real", mode: 0o600)
        try folder.link("link", to: folder.file("real"))
        for path in [folder.path, folder.file("none/a.jsonl"), folder.file("link"), "/dev/null"] {
            let error = #expect(throws: AuditError.self) {
                _ = try AuditLog(path: path, logger: BackendUnderTest.quiet)
            }
            #expect(
                error?.description.hasPrefix("The audit file \(path) cannot be written: ") == true)
        }
    }

    @Test(
        "An audit file that others can access is refused",
        arguments: [
            (0o644, "read by others. Run: chmod 600"), (0o606, "read by others. Run: chmod 600"),
            (0o622, "written by others. Run: chmod go-w"), (0o602, "written by others"),
        ])
    func auditFileThatOthersCanAccessIsRefused(mode: Int, words: String) throws {
        let folder = try TemporaryFolder()
        let path = try folder.write("", to: "a.jsonl", mode: mode)
        let error = #expect(throws: AuditError.self) {
            _ = try AuditLog(path: path, logger: BackendUnderTest.quiet)
        }
        #expect(error?.description.hasPrefix("The audit file \(path) can be \(words)") == true)
    }

    @Test("Special characters in an audit line are escaped as JSON")
    func specialCharactersInAnAuditLineAreEscapedAsJSON() throws {
        let entry = AuditEntry(
            time: Date(timeIntervalSince1970: -0.001), user: nil, claimed: .bob, action: .request,
            what: "a\"b\n", address: "::1", outcome: "x",
            reason: String(repeating: "é", count: 500))
        let line = String(decoding: entry.line, as: UTF8.self)
        #expect(
            line
                == #"{"time":"1969-12-31T23:59:59.999Z","user":null,"claimed":"bob","#
                + #""action":"request","#
                + #""what":"a\"b\n","from":"::1","outcome":"x","reason":""#
                + String(repeating: "é", count: 400) + "\"}\n")
    }

    @Test("The audit log writes its queued lines when it stops")
    func auditLogWritesItsQueuedLinesWhenItStops() async throws {
        let folder = try TemporaryFolder()
        let log = try AuditLog(path: folder.file("a.jsonl"), logger: BackendUnderTest.quiet)
        log.note(Self.entry(.alice))
        let running = Task { try await log.run() }
        running.cancel()
        try await running.value
        #expect(try Self.lines(folder.file("a.jsonl")).count == 1)
    }

    private static func refusal(_ address: String) -> AuditEntry {
        AuditEntry(
            time: AdjustableTime.start, user: nil, action: .request, what: nil, address: address,
            outcome: "malformed", reason: "answered with 404")
    }

    @Test("A flood of refusals is logged as a few lines, plus a count at the end")
    func floodOfRefusalsIsLoggedAsAFewLinesPlusACountAtTheEnd() async throws {
        let folder = try TemporaryFolder()
        let log = try AuditLog(
            path: folder.file("a.jsonl"), now: { AdjustableTime.start },
            logger: BackendUnderTest.quiet)
        for _ in 0..<1_000 { log.note(Self.refusal("192.0.2.1")) }
        for _ in 0..<50 { log.note(Self.entry(.alice, "not_found")) }
        let running = Task { try await log.run() }
        running.cancel()
        try await running.value
        let lines = try Self.lines(folder.file("a.jsonl"))
        #expect(lines.count == 61)
        #expect(lines.filter { $0.contains("alice") }.count == 50)
        #expect(
            lines.last
                == #"{"time":"2026-12-01T08:00:00.250Z","user":null,"action":"refusals","#
                + #""what":null,"from":"192.0.2.1","outcome":"counted","count":990,"#
                + #""reason":"990 malformed"}"#)
    }

    @Test("Refusals that were only counted are logged as one line at the end of the minute")
    func refusalsThatWereOnlyCountedAreLoggedAsOneLineAtTheEndOfThe() async throws {
        let folder = try TemporaryFolder()
        let clock = SteppedClock()
        let log = try AuditLog(
            path: folder.file("a.jsonl"), clock: clock, logger: BackendUnderTest.quiet)
        for _ in 0..<15 { log.note(Self.refusal("192.0.2.1")) }
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await log.run() }
            try await clock.hasBegun(1, of: 1)
            try await clock.hasBegun(1, of: 60)
            try log.flush()
            #expect(try Self.lines(folder.file("a.jsonl")).count == 10)
            clock.endWait(of: 60)
            // Only counted refusals make the log wait for another second.
            clock.endWait(of: 1)
            try await clock.hasBegun(2, of: 1)
            try log.flush()
            let lines = try Self.lines(folder.file("a.jsonl"))
            #expect(lines.count == 11)
            #expect(lines.last?.contains("\"count\":5,") == true)
            group.cancelAll()
        }
    }
}
