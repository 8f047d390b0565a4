import CampaignCore
import TestSupport
import Testing

@testable import CampaignFormat

/// Tests keys that people write from memory, and the help for them.
@Suite(.bounded) struct KeySynonymsTests {
    private func help(_ text: String) throws -> [String] {
        let loaded = CampaignFile.read(standardInput: Array(text.utf8))
        return loaded.diagnostics.filter { $0.rule == "unknown-key" }
            .compactMap { $0.help?.text }
    }

    private static let good = """
        campaign: spring
        kind: alert
        platforms: [apns]
        audience: { usernames: [alice] }
        payload: { message: Hello }

        """

    @Test(
        "For another tool's key, the right key and a line to write are suggested",
        arguments: [
            ("users: [bob]", "Write: audience: { usernames: [bob] }"),
            ("people: [bob]", "Write: audience: { usernames: [bob] }"),
            ("to: [bob]", "Write: audience: { usernames: [bob] }"),
            ("body: x", "Write: payload: { message: "), ("text: x", "Write: payload: { message: "),
            ("subject: x", "Write: payload: { title: x }"),
            ("expires: 2d", "Write: payload: { expires_after: 2d }"),
            ("TTL: 2d", "Write: payload: { expires_after: 2d }"),
            ("ratelimit: 5/s", "Write: delivery: { rate: 5/s }"),
            ("rate-limit: 5/s", "Write: delivery: { rate: 5/s }"),
            (
                "when: x",
                "Write: schedule: { at: 2026-12-01T09:00, time_zone: Europe/Berlin }"
            ), ("tz: x", "Write: schedule: { time_zone: x }"),
            ("type: rich", "Write: kind: rich"), ("name: x", "Write: campaign: x"),
            ("ios: true", "Write: platforms: [apns, fcm, wns]"),
            ("image: x.png", "hubsend does not have this key"),
            ("channel: x", "hubsend does not have this key"),
            ("from: x", "hubsend does not have this key"),
            ("segments: [x]", "hubsend does not have this key"),
            ("where: { a: b }", "hubsend does not have this key"),
            ("variants: { a: b }", "hubsend does not have this key"),
            ("holdout: 5%", "hubsend does not have this key"),
            ("category: x", "hubsend does not have this key"),
            ("store: x", "hubsend.yaml"), ("usernames: [x]", "under \"audience\""),
        ])
    func forAnotherToolsKeyTheRightKeyAndALineToWriteAreSuggested(line: String, expected: String)
        throws
    {
        let help = try help(Self.good + line + "\n")
        #expect(help.count == 1)
        #expect(help.first?.contains(expected) == true, "\(help)")
    }

    @Test("For a word that means text, the text key of that kind is suggested")
    func forAWordThatMeansTextTheTextKeyOfThatKindIsSuggested() throws {
        let secure = Self.good.replacing("alert", with: "secure")
            .replacing("message", with: "body")
        #expect(try help(secure).first?.contains("\"text\" here") == true)
    }

    /// All words in the tables, and all keys.
    private static let words =
        FileShape.campaign.paths.compactMap { $0.split(separator: ".").last.map(String.init) }
        + (KeySynonyms.meanings + KeySynonyms.excluded).flatMap(\.words)
        + KeySynonyms.absent.flatMap(\.words)

    @Test(
        "A suggestion never moves a key out of an exclusion", arguments: ["audience", "defaults"])
    func suggestionNeverMovesAKeyOutOfAnExclusion(place: String) throws {
        for word in Set(Self.words + ["users2", "country", "staff"]).sorted() {
            let lines = "exclude: { usernames: [carol], \(word): [bob] }"
            let found: [Diagnostic]
            if place == "audience" {
                let text = Self.good.replacing("[alice] }", with: "[alice], \(lines) }")
                found = CampaignFile.read(standardInput: Array(text.utf8)).diagnostics
            } else {
                let folder = try TemporaryFolder(isInMemory: true)
                let path = try folder.write(
                    "defaults: { audience: { \(lines) } }\n", to: "hubsend.yaml", mode: 0o600)
                found = try ConfigFile.read(path, isNamed: false).diagnostics
            }
            for diagnostic in found where diagnostic.rule == "unknown-key" {
                let help = try #require(diagnostic.help?.text)
                #expect(
                    !help.contains("It belongs") || help.contains(".exclude."), "\(word): \(help)")
                #expect(!help.contains("Every campaign"), "\(word): \(help)")
                #expect(!help.contains("calls it") || help.contains("\" here."), "\(word): \(help)")
                #expect(!help.contains("audience: { usernames"), "\(word): \(help)")
            }
        }
    }

    @Test("Every key that is suggested for a word exists in that kind of file")
    func everyKeyThatIsSuggestedForAWordExistsInThatKindOfFile() {
        for target in KeySynonyms.meanings.map(\.key) {
            #expect(FileShape.campaign[target] != nil, "\(target)")
        }
        let exclusion = MappingShape.exclusion.names
        for row in KeySynonyms.excluded { #expect(exclusion.contains(row.key)) }
    }

    @Test("Every key of every file has an example in valid YAML", arguments: FileShape.all)
    func everyKeyOfEveryFileHasAnExampleInValidYAML(file: FileShape) throws {
        for path in file.paths {
            let message = try #require(file.line(for: path), "\(path)")
            let line = message.text(maskingAudience: false)
            #expect(!line.contains(": …"), "\(path): \(line)")
            let findings = Findings(InputFile(path: "x", bytes: []))
            let input = InputFile(path: "x", bytes: Array((line + "\n").utf8))
            #expect(findings.root(of: input, knownBy: .argument) != nil, "\(line)")
            #expect(findings.finished().isEmpty, "\(line)")
        }
    }
}
