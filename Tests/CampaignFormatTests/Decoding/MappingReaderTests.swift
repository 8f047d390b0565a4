import CampaignCore
import TestSupport
import Testing

@testable import CampaignFormat

/// Reading the keys of a mapping.
@Suite(.bounded) struct MappingReaderTests {
    private let known = ["name", "count", "kind", "path", "within", "items"]

    private func read(_ text: String) throws -> (MappingReader, Findings) {
        let input = InputFile(path: "some.yaml", bytes: Array(text.utf8))
        let findings = Findings(input)
        let root = try #require(findings.root(of: input, knownBy: .argument))
        return (
            try #require(MappingReader(root, known: known, findings: findings)), findings
        )
    }

    @Test func aKeyThatTheFileDoesNotHaveIsNothingAndNoFault() throws {
        let (reader, findings) = try read("name: alice\n")
        #expect(reader.text("path") == nil)
        #expect(reader.integer("count", in: 1...9) == nil)
        #expect(reader.choice("kind", as: CampaignKind.self) == nil)
        #expect(reader.items("items") { findings.username($0) }.isEmpty)
        #expect(findings.finished().isEmpty)
    }

    @Test func aBadValueIsNothingAndReportedWhereItStands() throws {
        let (reader, findings) = try read("count: ten\nkind: secert\nitems: [a, '', b]\n")
        #expect(reader.integer("count", in: 1...9) == nil)
        #expect(reader.choice("kind", as: CampaignKind.self) == nil)
        #expect(reader.items("items") { findings.username($0)?.text } == ["a", "b"])
        let places = findings.finished().map { "\($0.range.line):\($0.range.column) \($0.rule)" }
        #expect(places == ["1:8 wrong-type", "2:7 unknown-value", "3:12 empty-value"])
        #expect(findings.errors == 3)
    }

    @Test func aListOfTooManyItemsIsReportedAndNotRead() throws {
        let (reader, findings) = try read("items: [a, b, c]\n")
        #expect(reader.items("items", atMost: 2) { findings.username($0) }.isEmpty)
        #expect(findings.finished().map(\.rule) == ["too-large"])
    }

    @Test func whatIsWrongInAMappingWithinNamesTheKeysThatLeadToIt() throws {
        let (reader, findings) = try read("within: { count: 10 }\n")
        let within = try #require(reader.mapping("within", known: known))
        within.require(["name"])
        #expect(within.integer("count", in: 1...9) == nil)
        #expect(
            findings.finished().map(\.message.text) == [
                "The key \"within.name\" is missing.", "\"within.count\" must be from 1 to 9.",
            ])
    }

    @Test(arguments: [
        ("/srv/a.txt", "configs", "/srv/a.txt"), ("a.txt", "configs", "configs/a.txt"),
        ("a.txt", ".", "a.txt"),
    ])
    func aRelativePathStartsFromTheFolder(path: String, folder: String, seen: String) throws {
        let (reader, _) = try read("path: \(path)\n")
        #expect(reader.path("path", in: folder) == seen)
    }

    @Test func aKeyThatNothingActsOnIsWarnedOfAndListed() throws {
        let (reader, findings) = try read("within: { name: x }\n")
        reader.mapping("within", known: known)?.warnOfUnsupported("name")
        reader.warnOfUnsupported("count")
        #expect(findings.unsupportedKeys.map(\.key) == ["within.name"])
        #expect(findings.finished().map(\.severity) == [.warning])
        #expect(findings.errors == 0)
    }
}
