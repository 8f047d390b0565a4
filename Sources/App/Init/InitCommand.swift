import ArgumentParser
import CampaignCore

struct InitCommand: AsyncParsableCommand {
    /// The longest prefix that leaves room for the rest of a campaign's name.
    private static let longestName = 40

    static let configuration = CommandConfiguration(
        commandName: "init", abstract: "Creates a folder with starter campaigns.",
        discussion: """
            Writes a commented campaign of each kind, audience files, a config with a local hub and its devices, a \
            .gitignore file for the store, and a pre-commit hook. Everything passes `hubsend validate` and can be \
            run immediately; nothing is sent to real phones. Existing files are left unchanged and listed.

            With --ci, it also writes two workflows. The first checks each pull request and previews the campaigns \
            that it changes, without access to secrets. The second sends a campaign when somebody starts it. The \
            hook and the workflows are written to the top folder of the repository.
            """)

    @Argument(
        help: ArgumentHelp(
            "The folder, which is created if it does not exist. Default: the current folder.",
            valueName: "folder"), completion: .directory)
    var folder = "."

    @Option(
        help: ArgumentHelp(
            "A prefix for the names of the campaigns, for use when several teams share a store.",
            valueName: "name"))
    var name: String?

    @Option(
        help: ArgumentHelp("Also write CI workflows for github or gitlab.", valueName: "service"))
    var ci: StarterFolder.ReviewService?

    @Flag(name: .shortAndLong, help: "List only files that were left unchanged.")
    var quiet = false

    func validate() throws {
        if let name, !Campaign.isName(name, longest: Self.longestName) {
            throw ValidationError(
                "\"\(name)\" cannot begin a campaign's name; use 1 to \(Self.longestName) characters from a-z, 0-9 and -."
            )
        }
    }

    func run() async throws {
        let outcome = try StarterFolder(
            at: folder, name: name, service: ci, invocation: .current()
        ).write()
        for sentence in outcome.leftSentences { Console.complain("hubsend: " + sentence) }
        if !quiet { try Console.output(outcome.text) }
    }
}

extension StarterFolder.ReviewService: ExpressibleByArgument {}
