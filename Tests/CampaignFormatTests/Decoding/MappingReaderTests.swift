import CampaignCore
import TestSupport
import Testing

@testable import CampaignFormat

@Suite(.bounded) struct MappingReaderTests {
    private static let inner = MappingShape([
        KeyShape("name", .text(.any), isRequired: true, "A name."),
        KeyShape("count", .integer(1...9), "A number."),
        KeyShape("later", .text(.any), "A word."),
    ])
    private static let file = FileShape(
        "some", title: "Some file", "For tests.",
        root: MappingShape([
            KeyShape("name", .text(.any), "A name."),
            KeyShape("count", .integer(1...9), "A number."),
            KeyShape("version", .integer(1...1), "A number."),
            KeyShape("kind", .choice(.all(CampaignKind.self) { $0.rawValue }), "A word."),
            KeyShape("path", .text(.path), "A path."),
            KeyShape("lead", .duration(upTo: .seconds(600)), "A time."),
            KeyShape("within", .mapping(inner), "A mapping."),
            KeyShape(
                "items", .list(of: .text(.any), ListBounds(atLeast: 1, atMost: 3, isSet: true)),
                "A list."),
            KeyShape("one", .mapping(choice), "A choice."),
        ]))
    private static let choice = MappingShape(
        [
            KeyShape("a", .integer(1...9), "A number."), KeyShape("b", .integer(1...9), "Another."),
            KeyShape("c", .integer(1...9), "It goes with a."),
        ], relations: [.exactlyOne(["a", "b"]), .needs("c", "a")])

    private func read(_ text: String) throws -> (MappingReader, Findings) {
        let input = InputFile(path: "some.yaml", bytes: Array(text.utf8))
        let findings = Findings(input)
        let root = try #require(findings.root(of: input, knownBy: .argument))
        return (
            try #require(MappingReader(root, of: Self.file, findings: findings)), findings
        )
    }

    @Test("An absent key is read as nil and causes no error")
    func absentKeyIsReadAsNilAndCausesNoError() throws {
        let (reader, findings) = try read("name: alice\n")
        #expect(reader.text("path") == nil)
        #expect(reader.integer("count") == nil)
        #expect(reader.choice("kind", as: CampaignKind.self) == nil)
        #expect(reader.items("items") { findings.username($0) }.isEmpty)
        #expect(findings.finished().isEmpty)
    }

    @Test("An invalid value is read as nil and reported with its position")
    func invalidValueIsReadAsNilAndReportedWithItsPosition() throws {
        let (reader, findings) = try read("count: ten\nkind: secert\nitems: [a, '', b]\n")
        #expect(reader.integer("count") == nil)
        #expect(reader.choice("kind", as: CampaignKind.self) == nil)
        let items = reader.items("items") { findings.username($0)?.text }
        #expect(items.values() == ["a", "b"])
        #expect(!items.isComplete)
        let places = findings.finished().map { "\($0.range.line):\($0.range.column) \($0.rule)" }
        #expect(places == ["1:8 wrong-type", "2:7 unknown-value", "3:12 empty-value"])
        #expect(findings.errors == 3)
    }

    @Test("A list with too many items is reported and not read")
    func listWithTooManyItemsIsReportedAndNotRead() throws {
        let (reader, findings) = try read("items: [a, b, c, d]\n")
        let items = reader.items("items") { findings.username($0) }
        #expect(items.elements.isEmpty && !items.isComplete)
        #expect(findings.finished().map(\.rule) == ["too-large"])
    }

    @Test(
        "Lists are checked against their description",
        arguments: [
            ("[]", "empty-value"), ("[a, b, a]", "duplicate-value"), ("a, b", "wrong-type"),
        ])
    func listsAreCheckedAgainstTheirDescription(_ list: String, _ rule: String) throws {
        let (reader, findings) = try read("items: \(list)\n")
        #expect(!reader.items("items") { $0.value.text }.isComplete)
        #expect(findings.finished().map(\.rule) == [rule])
    }

    @Test(
        "Relations between keys are checked",
        arguments: [
            ("{ a: 1 }", []), ("{ a: 1, c: 1 }", []),
            ("{ b: 1, a: 1 }", ["1:14 \"one.b\" and \"one.a\" cannot be used together."]),
            (
                "{ x: 1 }",
                [
                    "1:1 One of the keys \"one.a\" or \"one.b\" is missing.",
                    "1:8 There is no key \"x\" in \"one\".",
                ]
            ),
            ("{ b: 1, c: 1 }", ["1:14 \"one.c\" has no effect without \"one.a\"."]),
        ])
    func relationsBetweenKeysAreChecked(_ keys: String, _ expected: [String]) throws {
        let (reader, findings) = try read("one: \(keys)\n")
        _ = reader.mapping("one")
        #expect(
            findings.finished().map { "\($0.range.line):\($0.range.column) \($0.message.text)" }
                == expected)
    }

    @Test("An error in a nested mapping names the path of keys")
    func errorInANestedMappingNamesThePathOfKeys() throws {
        let (reader, findings) = try read("within: { count: 10 }\n")
        let within = try #require(reader.mapping("within"))
        #expect(within.integer("count") == nil)
        #expect(
            findings.finished().map(\.message.text) == [
                "The key \"within.name\" is missing.", "\"within.count\" must be from 1 to 9.",
            ])
    }

    @Test(
        "A relative path starts from the file's folder",
        arguments: [
            ("/srv/a.txt", "configs", "/srv/a.txt"), ("a.txt", "configs", "configs/a.txt"),
            ("a.txt", ".", "a.txt"),
        ])
    func relativePathStartsFromTheFilesFolder(path: String, folder: String, seen: String) throws {
        let (reader, _) = try read("path: \(path)\n")
        #expect(reader.path("path", in: folder) == seen)
    }

    @Test("Numbers are checked against the bounds in their description")
    func numbersAreCheckedAgainstTheBoundsInTheirDescription() throws {
        let (reader, findings) = try read("version: 2\nlead: 601s\ncount: 10\n")
        #expect(reader.integer("version") == nil)
        #expect(reader.duration("lead") == nil)
        #expect(reader.integer("count") == nil)
        #expect(
            findings.finished().map(\.message.text) == [
                "\"version\" must be 1.", "\"lead\" must be at most 10m.",
                "\"count\" must be from 1 to 9.",
            ])
    }

    @Test("The help for a misplaced key shows where it belongs")
    func helpForAMisplacedKeyShowsWhereItBelongs() throws {
        let (reader, findings) = try read("within: { name: x, path: y }\nlater: z\n")
        _ = reader.mapping("within")
        #expect(
            findings.finished().compactMap(\.help) == [
                "It belongs at the top level of the file.", "It belongs under \"within\".",
            ])
    }
}
