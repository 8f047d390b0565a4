import CampaignCore
import TestSupport
import Testing

@testable import CampaignFormat

@Suite(.bounded) struct CSVSeparatorTests {
    let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    @Test(arguments: [
        ("username;name\nalice;\"A;\nB\"\nbob;Bob, the\n", ["alice A;\nB", "bob Bob, the"]),
        ("username\tname\nalice\tAl \"\"\n", []),
        ("username\tname\nalice\tAl\n", ["alice Al"]),
        ("\u{FEFF}name;username\r\nAl;alice\r\n", ["alice Al"]),
        ("sep=;\r\nusername;name\r\nalice;Al\r\n", ["alice Al"]),
        ("sep=,\nusername,name\nalice,Al\n", ["alice Al"]),
        // The column's name decides, even if other separators are more frequent.
        ("username;name;a,b;c,d,e,f\nalice;Al;1;2\n", ["alice Al"]),
        ("\"username\";\"a,b,c\";name\nalice;1;Al\n", ["alice Al"]),
        ("username\nalice\n", ["alice nil"]),
    ])
    func theHeaderShowsWhatDividesCells(_ text: String, _ expected: [String]) throws {
        let people = try folder.people(text, in: "people.csv", variables: ["name"])
        let seen = people.members.map { "\($0.username) \(($0.values.first ?? nil) ?? "nil")" }
        #expect(seen == expected)
        #expect(people.faults.isEmpty == !expected.isEmpty)
    }

    @Test func theEntryBeatsTheHeader() throws {
        let text = "username;x,name;username\na;b,Al;alice\n"
        let people = try folder.people(
            text, in: "people.csv", variables: ["x,name"],
            options: AudienceFileOptions(separator: .semicolon))
        #expect(people.faults.map(\.rule) == [.csvHeader], "the column stands there twice")
        let commas = try folder.people(
            "a;username,username\nx,alice\n", in: "people.csv", variables: ["a;username"],
            options: AudienceFileOptions(separator: .comma))
        #expect(commas.members.map(\.values) == [["x"]])
    }

    @Test(arguments: [
        ("userid;name\nalice;Al\n", "username_column"),
        ("username|name\nalice|Al\n", "separated by bars"),
        ("\"username;name\"\n\"alice;Al\"\n", "whole row stands in quotes"),
        ("\"username,\"\"name\"\"\"\n", "whole row stands in quotes"),
        ("\"user,id\",name\nalice,Al\n", "username_column"),
    ])
    func aHeaderWithoutTheColumnIsExplained(_ text: String, _ words: String) throws {
        let people = try folder.people(text, in: "people.csv")
        #expect(people.faults.count == 1)
        #expect(people.faults.first?.help?.text.contains(words) == true)
    }

    @Test func rowsWithTooManyCellsSayWhatNeedsQuotes() throws {
        let people = try folder.people("username;name\nalice;A;B\n", in: "people.csv")
        #expect(people.faults.first?.help == "Cells with semicolons in them need quotes.")
    }

    @Test func rowsThatStandInQuotesAsAWholeSaySo() throws {
        let people = try folder.people(
            "username;name\n\"alice;Al\"\n\"bob\"\n", in: "people.csv")
        #expect(
            people.faults.map { $0.help?.text.hasPrefix("The whole row stands in quotes") } == [
                true, false,
            ])
    }

    @Test(arguments: [
        ("comma", CSVSeparator.comma), (",", .comma), ("semicolon", .semicolon),
        (";", .semicolon), ("tab", .tab), ("\t", .tab), ("|", nil), ("", nil), ("commas", nil),
    ])
    func anEntryNamesItByWordOrItself(_ text: String, _ separator: CSVSeparator?) {
        #expect(CSVSeparator.parse(text) == separator)
    }

    // MARK: Other columns

    @Test func theColumnWithTheNamesMayBeCalledOtherwise() throws {
        let people = try folder.people(
            "User ID;username;city\nalice;Alice U.;Rome\n", in: "members.dat",
            variables: ["city", "username"],
            options: AudienceFileOptions(usernameColumn: "User ID"))
        #expect(people.members.map(\.username.text) == ["alice"])
        #expect(people.members.map(\.values) == [["Rome", "Alice U."]])
        let plain = try folder.people(
            "User ID\nalice\n", in: "members.dat", variables: ["username"],
            options: AudienceFileOptions(usernameColumn: "User ID"))
        #expect(plain.members.map(\.values) == [["alice"]])
    }

    @Test func peopleHaveTheLanguageOfTheirRow() throws {
        let people = try folder.people(
            "username,lang\nalice,de\nbob,PT-br\ncarol,\ndave, fr \nerin,de_AT\n",
            in: "people.csv", languageColumn: "lang")
        #expect(people.members.map { $0.language?.text } == ["de", "pt-BR", nil, "fr"])
        #expect(people.faults.map(\.rule) == [.invalidLanguage])
        #expect(people.faults.first?.help?.text == "Did you mean \"de-AT\"?")
        let without = try folder.people(
            "username\nalice\n", in: "people.csv", languageColumn: "lang")
        #expect(without.members.map(\.language) == [nil])
    }
}
