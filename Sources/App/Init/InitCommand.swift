import ArgumentParser
import CampaignCore

struct InitCommand: AsyncParsableCommand {
    /// The longest prefix that leaves room for the rest of a campaign's name.
    private static let longestName = 40

    static let configuration = CommandConfiguration(
        commandName: "init", abstract: "Writes a starter campaign folder.",
        discussion: """
            A campaign of each kind with comments, audience files, a config with a hub on this machine and its devices, \
            .gitignore for the store, and a hook for pre-commit. All of it passes `hubsend validate`, and can be run at \
            once; nothing is sent to anybody's phone. A file that is there already is left as it is and named.

            With --ci, a workflow that checks each pull request, shows in it what people would read of the campaigns that \
            it changes, and sees no secret; and one that sends a campaign once somebody starts it. Hook and workflows are \
            written at the top of the repository.
            """)

    @Argument(
        help: ArgumentHelp(
            "The folder; made when it is missing. Default: the current folder.",
            valueName: "folder"), completion: .directory)
    var folder = "."

    @Option(
        help: ArgumentHelp(
            "What the names of the campaigns begin with, for a store that several teams share.",
            valueName: "name"))
    var name: String?

    @Option(help: ArgumentHelp("Write a workflow for github or gitlab.", valueName: "service"))
    var ci: StarterFolder.ReviewService?

    @Flag(name: .shortAndLong, help: "Name only files that were left as they are.")
    var quiet = false

    func validate() throws {
        if let name, !Campaign.isName(name, longest: Self.longestName) {
            throw ValidationError(
                "\"\(name)\" cannot begin a campaign's name; use 1 to \(Self.longestName) of a-z, 0-9 and -."
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
