import CampaignFormat
import Foundation
import Settings
import TestSupport
import Testing

@testable import CampaignOperations

/// What is found in several files together, and what is switched off.
@Suite(.bounded) struct ValidationRunTests {
    private static func campaign(_ name: String, audience: String, rest: String = "") -> String {
        """
        campaign: \(name)
        kind: secure
        platforms: [apns]
        audience: { \(audience) }
        payload: { text: Hello }
        \(rest)
        """
    }

    private func check(
        _ folder: TemporaryFolder, _ paths: [String] = [""], disabling rules: [String] = []
    ) async throws -> ValidationRun {
        var run = ValidationRun(
            flags: SettingFlags(),
            invocation: Invocation(
                environment: [:], currentFolder: FileManager.default.currentDirectoryPath),
            rules: try RuleChoice(disabling: rules))
        let search = CampaignSearch(paths.map { $0.isEmpty ? folder.path : folder.file($0) })
        for hit in search.files() { try await run.add(hit) }
        run.finish()
        return run
    }

    private func folder(_ files: [String: String]) throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        for (name, text) in files { try folder.write(text, to: name) }
        return folder
    }

    @Test func filesThatNoCampaignNamesAreHintsInFoldersThatOneUses() async throws {
        let folder = try folder([
            "a.yaml": Self.campaign("a", audience: "files: [people/a.txt]"),
            "b.yaml": Self.campaign("b", audience: "files: [people/b.txt]"),
            "people/a.txt": "alice\n", "people/b.txt": "bob\n", "people/old.txt": "carol\n",
            "people/README.txt": "hello\n", "people/notes.md": "x", "people/.hidden.csv": "x",
            "images/left.png": "x",
        ])
        let found = try await check(folder).findings
        #expect(found.map(\.rule) == ["unused-file"])
        #expect(found.first?.file == folder.file("people/old.txt"))
        #expect(found.first?.severity == .hint)
        // Of one file that is named, nobody knows what others name.
        #expect(try await check(folder, ["a.yaml"]).findings.isEmpty)
        #expect(try await check(folder, disabling: ["unused-file"]).findings.isEmpty)
    }

    @Test func whatTheConfigOrACampaignThatCannotBeReadMayNameIsNoHint() async throws {
        let files = [
            "a.yaml": Self.campaign("a", audience: "files: [a.txt]"), "a.txt": "alice\n",
            "out.txt": "bob\n",
        ]
        let config = [
            "hubsend.yaml": "defaults: { audience: { exclude: { files: [out.txt] } } }\n"
        ]
        let named = try await check(folder(files.merging(config) { $1 }))
        #expect(!named.findings.contains { $0.rule == "unused-file" })
        let broken = try await check(
            folder(files.merging(["b.yaml": "campaign: [\n"]) { $1 }))
        #expect(!broken.findings.contains { $0.rule == "unused-file" })
        let governed = [
            "sub/hubsend.yaml": "hub: [\n",
            "sub/b.yaml": Self.campaign("b", audience: "usernames: [bob]"),
        ]
        let unread = try await check(folder(files.merging(governed) { $1 }))
        #expect(unread.findings.hasErrors)
        #expect(!unread.findings.contains { $0.rule == "unused-file" })
        let neither = try await check(folder(files))
        #expect(neither.findings.map(\.rule) == ["unused-file"])
    }

    @Test func aCommentSwitchesOffWhatIsFoundWhenPeopleAreCounted() async throws {
        let slow = "delivery: { rate: 1/s, finish_within: 1s }"
        let audience = "usernames: [alice, bob, carol]"
        let loud = try folder(["a.yaml": Self.campaign("a", audience: audience, rest: slow)])
        #expect(try await check(loud).findings.map(\.rule) == ["too-slow"])
        let quiet = try folder([
            "a.yaml": Self.campaign(
                "a", audience: audience, rest: slow + " # hubsend:ignore too-slow A test of ours.")
        ])
        #expect(try await check(quiet).findings.isEmpty)
    }

    @Test func manyCampaignsAreCountedEachForItself() async throws {
        let files = (1...5).map { number in
            let names = (1...number).map { "user-\($0)" }.joined(separator: ", ")
            return (
                "\(number).yaml",
                Self.campaign(
                    "c-\(number)", audience: "usernames: [\(names)], max_recipients: 3")
            )
        }
        let found = try await check(folder(Dictionary(uniqueKeysWithValues: files))).findings
        #expect(found.map(\.rule) == ["audience-size", "audience-size"])
        #expect(found.map(\.message.text).contains { $0.hasPrefix("There are 5 recipients") })
    }

    @Test(arguments: ["missing-key", "no-such-rule", ""])
    func onlyWarningsAndHintsAreSwitchedOff(_ rule: String) {
        #expect(throws: OperationFault.self) { try RuleChoice(disabling: ["old-spelling", rule]) }
    }
}
