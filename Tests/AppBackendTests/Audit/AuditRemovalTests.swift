import CampaignCore
import Files
import Foundation
import TestSupport
import Testing

@testable import AppBackend

@Suite(.bounded) struct AuditRemovalTests {
    private let folder: TemporaryFolder
    private var path: String { folder.file("audit.jsonl") }

    init() throws { folder = try TemporaryFolder() }

    private static func entry(
        user: Username?, claimed: Username? = nil, what: String? = nil, address: String? = "::1",
        reason: String? = nil
    ) -> AuditEntry {
        AuditEntry(
            time: AdjustableTime.start, user: user, claimed: claimed, action: .register, what: what,
            address: address, outcome: "ok", reason: reason)
    }

    private func write(_ entries: [AuditEntry]) throws {
        try folder.write(entries.flatMap(\.line), to: "audit.jsonl", mode: 0o600)
    }

    @Test("Forgetting a person removes their name and addresses from the audit")
    func forgettingAPersonRemovesTheirNameAndAddressesFromTheAudit() throws {
        try write([
            Self.entry(user: .alice, what: "alice"),
            Self.entry(user: .alice, address: nil),
            Self.entry(user: nil, claimed: .alice),
            Self.entry(user: .bob, what: "alice"),
            Self.entry(user: nil, reason: #"sub is "x|alice", not alice, "alice-2" or "alice""#),
        ])
        #expect(try AuditRemoval.forget(.alice, in: path))
        let nobody = Username.nameless
        let expected = [
            Self.entry(user: nobody, what: "", address: nil),
            Self.entry(user: nobody, address: nil),
            Self.entry(user: nil, claimed: nobody),
            Self.entry(user: .bob, what: ""),
            Self.entry(user: nil, reason: #"sub is "x|", not alice, "alice-2" or """#),
        ]
        #expect(
            try String(contentsOfFile: path, encoding: .utf8)
                == String(decoding: expected.flatMap(\.line), as: UTF8.self))
        #expect(try folder.mode("audit.jsonl") == 0o600)
        #expect(try folder.contents() == ["audit.jsonl"])
    }

    @Test("Forgetting a person leaves other people's lines unchanged")
    func forgettingAPersonLeavesOtherPeoplesLinesUnchanged() throws {
        let entries = [
            Self.entry(user: Username(checked: "alice2"), what: "malice"),
            Self.entry(user: nil, what: #""what":"alice""#),
        ]
        try write(entries)
        #expect(try AuditRemoval.forget(.alice, in: path))
        #expect(
            try String(contentsOfFile: path, encoding: .utf8)
                == String(decoding: entries.flatMap(\.line), as: UTF8.self))
    }

    @Test("A file without audit lines is left unchanged")
    func fileWithoutAuditLinesIsLeftUnchanged() throws {
        try folder.write(#"{"user":"alice"}"#, to: "audit.jsonl", mode: 0o644)
        #expect(try !AuditRemoval.forget(.alice, in: path))
        #expect(try String(contentsOfFile: path, encoding: .utf8) == #"{"user":"alice"}"#)
        #expect(try folder.mode("audit.jsonl") == 0o644)
    }

    @Test("A server that has the audit file open continues in the rewritten file")
    func serverThatHasTheAuditFileOpenContinuesInTheRewrittenFile() throws {
        let log = try AuditLog(path: path, logger: BackendUnderTest.quiet)
        log.note(Self.entry(user: .alice))
        try log.flush()
        #expect(try AuditRemoval.forget(.alice, in: path))
        log.note(Self.entry(user: .bob))
        try log.flush()
        let lines = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n")
        #expect(lines.map { $0.contains(#""user":"""#) } == [true, false])
        #expect(lines.map { $0.contains("bob") } == [false, true])
    }

    @Test("Lines written during the rewrite are kept")
    func linesWrittenDuringTheRewriteAreKept() async throws {
        let log = try AuditLog(path: path, logger: BackendUnderTest.quiet)
        log.note(Self.entry(user: .alice))
        try log.flush()
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                for number in 0..<200 {
                    log.note(Self.entry(user: .bob, what: "n\(number)"))
                    try log.flush()
                }
            }
            group.addTask { [path] in
                for _ in 0..<20 { _ = try AuditRemoval.forget(.alice, in: path) }
            }
            try await group.waitForAll()
        }
        let lines = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n")
        #expect(lines.count == 201)
        #expect(Set(lines).count == 201)
        #expect(!lines.contains { $0.contains("alice") })
    }
}
