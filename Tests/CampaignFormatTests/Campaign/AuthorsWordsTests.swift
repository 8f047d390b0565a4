import TestSupport
import Testing

@testable import CampaignFormat

@Suite(.bounded) struct AuthorsWordsTests {
    @Test(
        "Suggested text is quoted where YAML requires it",
        arguments: [
            ("Hello you", "Hello you"), ("3", "3"), ("a: b", "\"a: b\""), ("a, b", "\"a, b\""),
            ("say \"hi\"", "\"say \\\"hi\\\"\""), ("{{a}}", "\"{{a}}\""), ("-x", "\"-x\""),
            ("a\nb", "\"a\\nb\""), ("Größe", "Größe"), ("", "\"\""),
        ])
    func suggestedTextIsQuotedWhereYAMLRequiresIt(_ text: String, _ expected: String) {
        #expect(RightForm.quoted(text) == expected)
    }

    @Test(
        "An invalid campaign name is turned into a valid one",
        arguments: [
            ("Spring Sale 2026!", "spring-sale-2026"), ("  --Über_uns--  ", "ueber-uns"),
            ("Anna’s Café", "annas-cafe"), ("!!!", nil), ("", nil), ("Привет", nil),
            (
                String(repeating: "ab ", count: 40),
                "ab-" + String(repeating: "ab-", count: 18) + "ab"
            ),
            (String(repeating: "ß", count: 500), String(repeating: "s", count: 60)),
        ] as [(String, String?)])
    func invalidCampaignNameIsTurnedIntoAValidOne(_ text: String, _ expected: String?) {
        #expect(CampaignSlug.slug(of: text) == expected)
    }

    @Test(
        "A column is found by the names that other tools use",
        arguments: [
            ("first_name", "first_name"), ("First Name", "first_name"), ("FNAME", "first_name"),
            ("user.firstName", "first_name"), ("city", "city"), ("\"city\"", nil), ("zip", nil),
            ("", nil), ("...", nil),
        ] as [(String, String?)])
    func columnIsFoundByTheNamesThatOtherToolsUse(_ name: String, _ expected: String?) {
        let columns = AudienceColumns(["username", "first_name", "city", "Post code"])
        #expect(columns.named(name) == expected)
    }

    @Test("Text with very many placeholders produces only the first hundred warnings")
    func textWithVeryManyPlaceholdersProducesOnlyTheFirstHundred() throws {
        let folder = try TemporaryFolder()
        let text = String(repeating: "{name} ", count: 200)
        let loaded = try folder.load(TemporaryFolder.campaign(payload: "text: \"\(text)\""))
        #expect(loaded.campaign != nil)
        #expect(loaded.diagnostics.count == 100)
        #expect(Set(loaded.diagnostics.map(\.rule)) == ["look-alike-variable"])
    }
}
