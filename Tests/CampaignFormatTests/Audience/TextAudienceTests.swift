import CampaignCore
import TestSupport
import Testing

@testable import CampaignFormat

@Suite(.bounded) struct TextAudienceTests {
    let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    @Test(
        "Each line of a text file names a person",
        arguments: [
            ("", []), ("\n\n  \n", []), ("alice", ["alice:1"]), ("alice\n", ["alice:1"]),
            ("alice\r\nbob\r\n", ["alice:1", "bob:2"]), ("\u{FEFF}alice\n", ["alice:1"]),
            ("\n  alice\t\n\nbob", ["alice:2", "bob:4"]), ("#1\na#b", ["#1:1", "a#b:2"]),
            ("alice\nalice\n", ["alice:1", "alice:2"]), ("\"q\"", []),
            ("\u{200B}\n\u{A0}alice\u{FEFF}\n;;\n\"\"\n\u{3000}\n", ["alice:2"]),
        ] as [(String, [String])])
    func eachLineOfATextFileNamesAPerson(_ text: String, _ expected: [String]) throws {
        let people = try folder.people(text, in: "people.txt")
        #expect(people.members.map { "\($0.username):\($0.origin.line)" } == expected)
        #expect(people.errors.count == (text.hasPrefix("\"") ? 1 : 0))
    }

    @Test("An invalid line is explained with its position, and the next one is read")
    func invalidLineIsExplainedWithItsPositionAndTheNextOneIsRead() throws {
        let people = try folder.people("alice\n  al ice\nbob\n", in: "people.txt")
        #expect(people.members.map(\.username.text) == ["alice", "bob"])
        #expect(people.errors.map(\.range) == [TextRange(line: 2, column: 3, length: 6)])
        #expect(
            people.errors.first?.description
                == #"Audience file people.txt, line 2, column 3: The username "***" has a space; usernames may contain letters, digits and _ @ # . : -."#
        )
    }

    @Test(
        "A heading is not read as a name",
        arguments: [
            ("username\nalice\n", ["1 skipped"]), ("alice\nUser Name\n", ["2 skipped"]),
            ("email\nalice\n", ["1 refused"]), ("alice\nemail\n", []),
        ])
    func headingIsNotReadAsAName(_ text: String, _ expected: [String]) throws {
        let people = try folder.people(text, in: "people.txt")
        #expect(people.members.first?.username.text == "alice")
        let seen = people.errors.map { "\($0.range.line) \($0.isHeading ? "skipped" : "refused")" }
        #expect(seen == expected)
    }

    @Test("Columns are counted in characters, not bytes")
    func columnsAreCountedInCharactersNotBytes() throws {
        let people = try folder.people("\u{FEFF}  é x\n", in: "people.txt")
        #expect(people.errors.map(\.range) == [TextRange(line: 1, column: 3, length: 3)])
    }

    @Test("An endless line is refused as soon as it is too long")
    func endlessLineIsRefusedAsSoonAsItIsTooLong() throws {
        let line = String(repeating: "x", count: RecordReader.longestRecord + 1)
        for text in ["alice\n" + line, "alice\n" + line + "\nbob\n"] {
            let people = try folder.people(text, in: "people.txt")
            #expect(people.members.map(\.username.text) == ["alice"])
            #expect(people.errors.map(\.rule) == [.tooLarge])
            #expect(people.errors.map(\.range.line) == [2])
        }
    }

    @Test("Lines are read whole, no matter where the buffer ends")
    func linesAreReadWholeNoMatterWhereTheBufferEnds() throws {
        let names = (0..<60_000).map { "person-\($0)" }
        let people = try folder.people(names.joined(separator: "\n"), in: "people.txt")
        #expect(people.members.map(\.username.text) == names)
        #expect(people.members.map(\.origin.line) == Array(1...60_000))
        #expect(people.errors.isEmpty)
    }
}
