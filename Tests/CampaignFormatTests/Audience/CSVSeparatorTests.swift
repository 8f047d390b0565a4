import CampaignCore
import TestSupport
import Testing

@testable import CampaignFormat

@Suite(.bounded) struct CSVSeparatorTests {
    let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    @Test(
        "The separator is detected from the header",
        arguments: [
            ("username;name\nalice;\"A;\nB\"\nbob;Bob, the\n", ["alice A;\nB", "bob Bob, the"]),
            ("username\tname\nalice\tAl \"\"\n", []),
            ("username\tname\nalice\tAl\n", ["alice Al"]),
            ("\u{FEFF}name;username\r\nAl;alice\r\n", ["alice Al"]),
            ("sep=;\r\nusername;name\r\nalice;Al\r\n", ["alice Al"]),
            ("sep=,\nusername,name\nalice,Al\n", ["alice Al"]),
            // The name of the username column determines the separator, even if other separators
            // are more frequent.
            ("username;name;a,b;c,d,e,f\nalice;Al;1;2\n", ["alice Al"]),
            ("\"username\";\"a,b,c\";name\nalice;1;Al\n", ["alice Al"]),
            ("username\nalice\n", ["alice nil"]),
        ])
    func separatorIsDetectedFromTheHeader(_ text: String, _ expected: [String]) throws {
        let people = try folder.people(text, in: "people.csv", variables: ["name"])
        let seen = people.members.map { "\($0.username) \(($0.values.first ?? nil) ?? "nil")" }
        #expect(seen == expected)
        #expect(people.errors.isEmpty == !expected.isEmpty)
    }

    @Test("A separator given in the entry overrides the header")
    func separatorGivenInTheEntryOverridesTheHeader() throws {
        let text = "username;x,name;username\na;b,Al;alice\n"
        let people = try folder.people(
            text, in: "people.csv", variables: ["x,name"],
            options: AudienceFileOptions(separator: .semicolon))
        #expect(people.errors.map(\.rule) == [.csvHeader], "the column appears twice")
        let commas = try folder.people(
            "a;username,username\nx,alice\n", in: "people.csv", variables: ["a;username"],
            options: AudienceFileOptions(separator: .comma))
        #expect(commas.members.map(\.values) == [["x"]])
    }

    @Test(
        "A header without the username column is explained",
        arguments: [
            ("userid;name\nalice;Al\n", "username_column"),
            ("username|name\nalice|Al\n", "separated by vertical bars"),
            ("\"username;name\"\n\"alice;Al\"\n", "whole row is in quotes"),
            ("\"username,\"\"name\"\"\"\n", "whole row is in quotes"),
            ("\"user,id\",name\nalice,Al\n", "username_column"),
        ])
    func headerWithoutTheUsernameColumnIsExplained(_ text: String, _ words: String) throws {
        let people = try folder.people(text, in: "people.csv")
        #expect(people.errors.count == 1)
        #expect(people.errors.first?.help?.text.contains(words) == true)
    }

    @Test("The help for a row with too many cells says what must be quoted")
    func helpForARowWithTooManyCellsSaysWhatMustBeQuoted() throws {
        let people = try folder.people("username;name\nalice;A;B\n", in: "people.csv")
        #expect(people.errors.first?.help == "Put quotes around cells that contain a semicolon.")
    }

    @Test("Rows that are quoted as a whole are explained")
    func rowsThatAreQuotedAsAWholeAreExplained() throws {
        let people = try folder.people(
            "username;name\n\"alice;Al\"\n\"bob\"\n", in: "people.csv")
        #expect(
            people.errors.map { $0.help?.text.hasPrefix("The whole row is in quotes") } == [
                true, false,
            ])
    }

    @Test(
        "An entry specifies a separator by name or by the character itself",
        arguments: [
            ("comma", CSVSeparator.comma), (",", .comma), ("semicolon", .semicolon),
            (";", .semicolon), ("tab", .tab), ("\t", .tab), ("|", nil), ("", nil), ("commas", nil),
        ])
    func entrySpecifiesASeparatorByNameOrByTheCharacterItself(
        _ text: String, _ separator: CSVSeparator?
    ) {
        #expect(CSVSeparator.parse(text) == separator)
    }

    // MARK: Other columns

    @Test("The username column may have another name")
    func usernameColumnMayHaveAnotherName() throws {
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

    @Test("Each person has the language of their row") func eachPersonHasTheLanguageOfTheirRow()
        throws
    {
        let people = try folder.people(
            "username,lang\nalice,de\nbob,PT-br\ncarol,\ndave, fr \nerin,de_AT\n",
            in: "people.csv", languageColumn: "lang")
        #expect(people.members.map { $0.language?.text } == ["de", "pt-BR", nil, "fr"])
        #expect(people.errors.map(\.rule) == [.invalidLanguage])
        #expect(people.errors.first?.help?.text == "Did you mean \"de-AT\"?")
        let without = try folder.people(
            "username\nalice\n", in: "people.csv", languageColumn: "lang")
        #expect(without.members.map(\.language) == [nil])
    }
}
