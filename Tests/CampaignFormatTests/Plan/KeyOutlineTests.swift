import CampaignCore
import TestSupport
import Testing

@testable import CampaignFormat

@Suite(.bounded) struct KeyOutlineTests {
    private func outline(_ text: String) -> [KeyText] {
        CampaignFile.read(standardInput: Array(text.utf8)).outline
    }

    private static let file = """
        campaign: spring
        kind: alert
        platforms: [apns, fcm]
        audience:
          usernames: [alice, bob]
          exclude: { usernames: [carol], files: [out.txt] }
        payload:
          message: |
            Hi
            there

        """

    @Test("The outline contains every key with its value, but no people")
    func outlineContainsEveryKeyWithItsValueButNoPeople() {
        #expect(
            outline(Self.file) == [
                KeyText(key: "campaign", lines: ["spring"]),
                KeyText(key: "kind", lines: ["alert"]),
                KeyText(key: "platforms", lines: ["apns", "fcm"]),
                KeyText(key: "audience.exclude.files", lines: ["out.txt"]),
                KeyText(key: "payload.message", lines: ["Hi", "there", ""]),
            ])
    }

    /// Keys for the app are sent, so they are included regardless of their names.
    @Test("The outline contains app data even if its names resemble lists of people")
    func outlineContainsAppDataEvenIfItsNamesResembleListsOfPeople() {
        let data = Self.file + "  data: { usernames: one, testers: two }\n"
        let keys = outline(data).map(\.key)
        #expect(keys.contains("payload.data.usernames") && keys.contains("payload.data.testers"))
    }

    @Test("Comments and formatting do not change the outline")
    func commentsAndFormattingDoNotChangeTheOutline() {
        let other = """
            # Reviewed.
            campaign:   'spring'
            kind: "alert"   # shown
            platforms:
              - apns
              - fcm
            audience: { usernames: [bob], exclude: { files: [out.txt] } }
            payload: { message: "Hi\\nthere\\n" }

            """
        #expect(outline(other) == outline(Self.file))
    }

    @Test("Mappings in lists are numbered") func mappingsInListsAreNumbered() {
        let outline = outline(
            Self.file.replacing(
                "usernames: [alice, bob]", with: "files: [{ path: a.csv }, { path: b.csv }]"))
        #expect(outline.map(\.key).contains("audience.files[1].path"))
    }

    @Test("The last lines of a very long value are joined")
    func lastLinesOfAVeryLongValueAreJoined() {
        let text = String(repeating: "    x\n", count: 5_000)
        let outline = outline(
            Self.file.replacing("    Hi\n    there\n", with: text))
        #expect(outline.last?.lines.count == 2_000)
    }

    @Test("A line that is shown contains no terminal control characters")
    func lineThatIsShownContainsNoTerminalControlCharacters() {
        #expect(!KeyOutline.shown("a\u{1B}[2Jb").contains("\u{1B}"))
    }
}
