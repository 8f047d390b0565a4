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

    @Test func everyKeyIsThereWithTheLinesOfItsValueButPeople() {
        #expect(
            outline(Self.file) == [
                KeyText(key: "campaign", lines: ["spring"]),
                KeyText(key: "kind", lines: ["alert"]),
                KeyText(key: "platforms", lines: ["apns", "fcm"]),
                KeyText(key: "audience.exclude.files", lines: ["out.txt"]),
                KeyText(key: "payload.message", lines: ["Hi", "there", ""]),
            ])
    }

    /// Keys for the app are sent, whatever their names.
    @Test func keysOfDataThatAreCalledLikeListsOfPeopleCount() {
        let data = Self.file + "  data: { usernames: one, testers: two }\n"
        let keys = outline(data).map(\.key)
        #expect(keys.contains("payload.data.usernames") && keys.contains("payload.data.testers"))
    }

    @Test func commentsAndFormattingDoNotCount() {
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

    @Test func listsOfKeysAreCounted() {
        let outline = outline(
            Self.file.replacing(
                "usernames: [alice, bob]", with: "files: [{ path: a.csv }, { path: b.csv }]"))
        #expect(outline.map(\.key).contains("audience.files[1].path"))
    }

    @Test func aValueOfVeryManyLinesIsTakenAsFew() {
        let text = String(repeating: "    x\n", count: 5_000)
        let outline = outline(
            Self.file.replacing("    Hi\n    there\n", with: text))
        #expect(outline.last?.lines.count == 2_000)
    }

    @Test func aShownLineHasNothingThatSteersATerminal() {
        #expect(!KeyOutline.shown("a\u{1B}[2Jb").contains("\u{1B}"))
    }
}
