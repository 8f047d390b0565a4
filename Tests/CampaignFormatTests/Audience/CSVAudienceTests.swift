import CampaignCore
import TestSupport
import Testing

@testable import CampaignFormat

@Suite(.bounded) struct CSVAudienceTests {
    let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    @Test(
        "Rows become people with their values in the requested order",
        arguments: [
            ("username\nalice\n", ["1:alice nil nil"]),
            ("username\nalice", ["1:alice nil nil"]),
            ("\u{FEFF}username,city\r\nalice,Rome\r\n", ["1:alice nil Rome"]),
            ("city,username,name\nRome,alice,Al\n", ["1:alice Al Rome"]),
            ("username,name,city\nalice,,\n", ["1:alice nil nil"]),
            ("username,name,city\n alice , Al ,Rome\n", ["1:alice Al Rome"]),
            ("\"username\",\"name\"\n\"alice\",\"Al \"\"B\"\", C\"\n", ["1:alice Al \"B\", C nil"]),
            (
                "username,city\nalice,\"New\nYork\"\nbob,Rome\n",
                ["1:alice nil New\nYork", "3:bob nil Rome"]
            ),
            ("username,city\n\n  \nalice,Rome\n\n", ["3:alice nil Rome"]),
            ("username,city\nalice,\"\"\n", ["1:alice nil nil"]),
            ("username,city\nalice,\"\"\"\"\n", ["1:alice nil \""]),
            ("username,city\nalice,Köln\n", ["1:alice nil Köln"]),
            ("username,a b,c\nalice,1,2\n", ["1:alice nil nil"]),
            ("\n \t\nusername,city\nalice,Rome\n", ["3:alice nil Rome"]),
            (
                "username, name ,\u{A0}city\u{200B}\nalice,\u{A0}Al\u{FEFF},\" Rome \"\n",
                ["1:alice Al Rome"]
            ),
            ("username, \"name\" , city\n \"alice\" , \"Al, B\" ,Rome\n", ["1:alice Al, B Rome"]),
            (
                "username, name\nalice, \"line\nbreak\"\nbob,B\n",
                ["1:alice line\nbreak nil", "3:bob B nil"]
            ),
            (
                ",,\nusername,name,city\n,,\nalice,Al,Rome\n\"\",\"\u{A0}\",\n,\n;;\n",
                ["3:alice Al Rome"]
            ),
            (
                "username,name,city,,\nalice,Al,Rome\nbob,B,Bern,,,,\n",
                ["1:alice Al Rome", "2:bob B Bern"]
            ),
            (
                "username,city\n'@alice,Rome\n'-bob,'Bern\n",
                ["1:@alice nil Rome", "2:-bob nil 'Bern"]
            ),
            ("username,name,,city\nalice,Al,x,Rome\n", ["1:alice Al Rome"]),
        ])
    func rowsBecomePeopleWithTheirValuesInTheRequestedOrder(_ text: String, _ expected: [String])
        throws
    {
        let people = try folder.people(text, in: "people.CSV", variables: ["name", "city"])
        let seen = people.members.map { member in
            let values = member.values.map { $0 ?? "nil" }.joined(separator: " ")
            return "\(member.origin.line - 1):\(member.username) \(values)"
        }
        #expect(seen == expected)
        #expect(people.errors.isEmpty)
    }

    @Test(
        "Errors in a table are explained with their positions",
        arguments: [
            ("username,city\nalice\n", "2:1-2:6 invalid-csv"),
            ("username,city\nalice,a,b\n", "2:1-2:10 invalid-csv"),
            ("username,city,,\nalice,a,b,\n", "2:1-2:11 invalid-csv"),
            ("username,city\nalice,\u{A0}\"a\"\n", "2:8-2:9 invalid-csv"),
            ("username,city\n,Rome\n", "2:1-2:1 invalid-username"),
            ("username,city\nusername,name\nalice,Al\n", "2:1-2:14 csv-header"),
            ("username,city\nUsername , CITY\n", "2:1-2:16 csv-header"),
            ("username,city\n<<<<<<< HEAD\nalice,Rome\n", "2:1-2:13 not-text"),
            ("=======\nusername\n", "1:1-1:8 not-text"),
            ("username,city\nalice,a\"b\n", "2:8-2:9 invalid-csv"),
            ("username,city\nalice,\"a\"b\n", "2:10-2:11 invalid-csv"),
            ("username,city\nalice,\"a\n\nbob,b\n", "2:7-2:8 invalid-csv"),
            ("username,city\nalice,\"a\nb\",x\n", "2:1-3:5 invalid-csv"),
            ("city,username\n\"a\nb\",al ice\n", "3:4-3:10 invalid-username"),
            ("username,username\n", "1:10-1:18 csv-header"),
            ("Username\n", "1:1-1:9 csv-header"),
            ("", "1:1-1:1 csv-header"),
            ("username,city\nalice,\u{0}\n", "2:7-2:8 encoding"),
        ])
    func errorsInATableAreExplainedWithTheirPositions(_ text: String, _ expected: String) throws {
        let people = try folder.people(text, in: "people.csv")
        let seen = people.errors.map { problem in
            let range = problem.range
            return
                "\(range.line):\(range.column)-\(range.endLine):\(range.endColumn) \(problem.rule.id)"
        }
        #expect(seen == [expected])
    }

    @Test("A stray quote does not swallow later rows")
    func strayQuoteDoesNotSwallowLaterRows() throws {
        let text = "username,city\n\"x\",a\"\"\nbob,Rome\n"
        let people = try folder.people(text, in: "people.csv")
        #expect(people.members.map(\.username.text) == ["bob"])
        #expect(people.errors.map(\.range.line) == [2])
    }

    @Test("Bytes that are not UTF-8 are reported with their position")
    func bytesThatAreNotUTF8AreReportedWithTheirPosition() throws {
        let bytes = Array("username,city\nalice,K".utf8) + [0xF6] + Array("ln\nbob,Rome\n".utf8)
        let people = try folder.people("", in: "people.csv")
        #expect(people.errors.count == 1)
        try folder.write(bytes, to: "latin.csv")
        let file = AudienceFile(path: "latin.csv", shownPath: "x", number: 1, allowsEmpty: false)
        let check = AudienceFileCheck(file, in: folder.audienceFolders)
        #expect(check.people == 1)
        #expect(check.diagnostics.map(\.range) == [TextRange(line: 2, column: 8, length: 1)])
        #expect(check.diagnostics.first?.message.text.contains("0xF6") == true)
    }

    @Test("Rows are read whole, no matter where the buffer ends")
    func rowsAreReadWholeNoMatterWhereTheBufferEnds() throws {
        let rows = (0..<20_000).map { "person-\($0),\"line one\nline \"\"\($0)\"\"\"" }
        let text = "username,note\n" + rows.joined(separator: "\n")
        let people = try folder.people(text, in: "people.csv", variables: ["note"])
        #expect(people.members.count == 20_000)
        #expect(people.members.map(\.origin.line) == (0..<20_000).map { 2 + 2 * $0 })
        #expect(people.members.last?.values == ["line one\nline \"19999\""])
        #expect(people.errors.isEmpty)
    }
}
