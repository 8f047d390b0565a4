import CampaignCore
import TestSupport
import Testing

@Suite(.bounded) struct VisibleTextTests {
    private static let hidden =
        "\u{1}\u{1B}[2J\u{7F}\u{85}\u{9B}\u{AD}\u{61C}\u{180E}\u{200B}\u{200E}\u{2028}\u{202E}\u{2066}\u{FEFF}\u{E0041}"

    private func isVisible(_ text: String) -> Bool {
        text.unicodeScalars.allSatisfy { scalar in
            switch scalar.properties.generalCategory {
            case .control: scalar == "\n" || scalar == "\t"
            case .format, .lineSeparator, .paragraphSeparator: false
            default: !scalar.properties.isDefaultIgnorableCodePoint
            }
        }
    }

    @Test("Control and invisible characters are escaped")
    func controlAndInvisibleCharactersAreEscaped() {
        #expect(isVisible(VisibleText.escape(Self.hidden)))
        #expect(isVisible(VisibleText.lines(Self.hidden)))
        #expect(VisibleText.escape("a\n\tb\u{9B}") == #"a\n\tb\u{9B}"#)
        #expect(VisibleText.lines("a\r\n\tb\u{9B}") == "a\\r\n\tb\\u{9B}")
    }

    @Test(
        "Ordinary text in any script is unchanged",
        arguments: [
            "Grüße, 東京\u{A0}!\n\tZweite Zeile", "👩\u{200D}❤\u{FE0F}\u{200D}👩 1\u{FE0F}\u{20E3}",
            "می\u{200C}خواهم", "क्\u{200D}ष",
        ])
    func ordinaryTextInAnyScriptIsUnchanged(_ text: String) {
        #expect(VisibleText.lines(text) == text)
    }

    @Test(
        "A joiner that joins nothing is escaped",
        arguments: [
            "pass\u{200D}word", "a\u{FE0F}", "\u{200D}x", "👩\u{200D}\u{200D}👩", "п\u{200C}о",
        ])
    func joinerThatJoinsNothingIsEscaped(_ text: String) {
        #expect(VisibleText.lines(text).contains("\\u{"))
    }

    @Test("Only the program's own colours are kept") func onlyTheProgramsOwnColoursAreKept() {
        let text = "\u{1B}[1ma\u{1B}[0m\u{1B}[8mb"
        #expect(
            VisibleText.lines(text, keeping: ["\u{1B}[1m", "\u{1B}[0m"])
                == "\u{1B}[1ma\u{1B}[0m\\u{1B}[8mb")
    }

    @Test("The old form of build log commands is escaped")
    func oldFormOfBuildLogCommandsIsEscaped() {
        #expect(VisibleText.lines("a ##[b]\n#[c] ###[d]") == "a ##\\u{5B}b]\n#[c] ###\\u{5B}d]")
        #expect(VisibleText.lines("é ##[b]") == "é ##\\u{5B}b]")
        #expect(VisibleText.json(##"["é##[b]"]"##) == ##"["é##\u005bb]"]"##)
    }

    @Test(
        "Build log commands of any name are escaped",
        arguments: [
            ("a ##vso[b", "a ##vso\\u{5B}b"), ("##VSO[b", "##VSO\\u{5B}b"),
            ("###vso[", "###vso\\u{5B}"), ("##[\u{301}b", "##\\u{5B}\u{301}b"),
            ("\u{D4E}##vso[", "\u{D4E}##vso\\u{5B}"), ("#vso[", "#vso["),
            ("##v#so[", "##v#so["), ("##v##so[", "##v##so\\u{5B}"),
            ("a ##teamcity[b", "a ##teamcity\\u{5B}b"), ("##TeamCity[b", "##TeamCity\\u{5B}b"),
            ("##another[", "##another\\u{5B}"), ("## a[", "## a["), ("##a b[", "##a b["),
            ("##a1[", "##a1["), ("##\u{E9}[", "##\u{E9}["),
        ])
    func buildLogCommandsOfAnyNameAreEscaped(text: String, shown: String) {
        #expect(VisibleText.escape(text) == shown)
        #expect(VisibleText.lines(text) == shown)
        #expect(VisibleText.json(text) == shown.replacingBytes("\\u{5B}", with: "\\u005b"))
    }

    @Test("Escaping does not change JSON values") func escapingDoesNotChangeJSONValues() {
        #expect(
            VisibleText.json("{\"a\":\"é\u{7F}\u{202E}\u{E0041}\\u001b\"}\n")
                == #"{"a":"é\u007f\u202e\udb40\udc41\u001b"}"# + "\n")
    }
}
