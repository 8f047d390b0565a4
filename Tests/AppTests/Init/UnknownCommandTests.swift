import TestSupport
import Testing

@testable import App

/// An unknown command is answered with what to type instead.
@Suite(.bounded) struct UnknownCommandTests {
    private static let known = ["validate", "preview", "run"]

    @Test func aWordIsAnsweredWithTheNearestCommand() {
        let unknown = UnknownCommand(
            "lsit", behind: ["hubsend", "payload"], among: ["list", "show"])
        #expect(
            unknown.sentence
                == "There is no command \"payload lsit\". Did you mean \"hubsend payload list\"?")
        #expect(unknown.details.isEmpty)
    }

    @Test func aWordThatIsNearNoneIsAnsweredWithAll() {
        let unknown = UnknownCommand("zebra", behind: ["hubsend"], among: Self.known)
        #expect(
            unknown.sentence
                == "There is no command \"zebra\". Known are: validate, preview, run.")
    }

    @Test func aFolderAndAFileAreAnsweredWithWhatCanBeDoneWithThem() throws {
        let folder = try TemporaryFolder()
        try folder.write("", to: "a campaign")
        for (word, commands) in [
            (folder.path, ["validate", "preview"]),
            (folder.file("a campaign"), ["validate", "preview", "run"]),
            ("gone.yml", ["validate", "preview", "run"]),
        ] {
            let unknown = UnknownCommand(word, behind: ["hubsend"], among: Self.known)
            let quoted = word.contains(" ") ? "'\(word)'" : word
            #expect(
                unknown.sentence
                    == "\"\(word)\" is not a command; say what to do with it, such as:")
            #expect(
                unknown.details == commands.map { "  hubsend \($0) \(quoted)\n" }.joined())
        }
    }
}
