import ArgumentParser
import CampaignFormat

/// `hubsend validate`.
struct ValidateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "validate", abstract: "Checks campaign files and all that they name; for CI.",
        discussion: """
            Finds every fault in one pass, with file, line and column: in the campaign files, the config, the payload \
            files and the audience files. Folders are searched for .yaml and .yml files. Sends nothing, stores nothing, \
            connects nowhere and needs no credentials. Exit code 1 when there are errors.
            """)

    @Argument(
        help: ArgumentHelp(
            "Files and folders; - is standard input. Default: the current folder.",
            valueName: "path"))
    var paths: [String] = []

    @Option(help: ArgumentHelp("text or json.", valueName: "format"))
    var format: ListFormat = .text

    @OptionGroup var options: GlobalOptions

    func run() async throws {
        let invocation = Invocation.current()
        let search = CampaignSearch(paths.isEmpty ? ["."] : paths)
        let files = search.files()
        guard !files.isEmpty else {
            throw CommandFailure(
                .configuration,
                "There is no campaign file in \(search.shownPaths); campaign files end in .yaml or .yml."
            )
        }
        var check = ValidationRun(options: options, invocation: invocation)
        for file in files { try await check.add(file) }
        let findings = check.findings.sorted()
        try FindingsOutput(invocation: invocation, format: format).print(findings)
        if !options.quiet, invocation.isErrorTerminal || findings.hasErrors {
            let count = check.count == 1 ? "1 campaign file" : "\(check.count) campaign files"
            Console.complain("\(count) checked: \(FindingsOutput.tally(findings)).")
        }
        for failure in check.failures { Console.complain("hubsend: \(failure)") }
        let status: ExitStatus = findings.hasErrors ? .faults : .done
        try CommandEnd.exit(check.failures.isEmpty ? status : .configuration)
    }
}
