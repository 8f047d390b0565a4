import ArgumentParser
import CampaignCore
import CampaignFormat
import ProcessControl

struct ValidateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "validate",
        abstract: "Checks campaign files and every file they refer to, for example in CI.",
        discussion: """
            Reports all findings in campaign files, the config, payload files and audience files in one pass, with \
            file, line and column. Folders are searched for campaigns: .yaml and .yml files with the key `campaign`, \
            or two other keys of a campaign. Files of other tools are skipped; --verbose lists them. Sends nothing, \
            stores nothing, makes no connections and needs no credentials. Exits with 1 if there are errors.
            """)

    @Argument(
        help: ArgumentHelp(
            "Files and folders; - means standard input. Default: the current folder.",
            valueName: "path"), completion: .campaigns)
    var paths: [String] = []

    @Option(
        help: ArgumentHelp(
            "The output format: text, json, sarif, github or junit. Default: text, or github inside GitHub Actions.",
            valueName: "format"))
    var format: FindingsFormat?

    @Flag(help: "Exit with 1 on warnings too.")
    var strict = false

    @Option(
        name: .customLong("disable"), parsing: .singleValue,
        help: ArgumentHelp(
            "Hide a rule's warnings or hints; may be repeated.", valueName: "rule"),
        completion: .rules)
    var disabled: [String] = []

    @Option(
        help: ArgumentHelp(
            "The file whose text an editor passes on standard input; the text is checked as if it were in that file.",
            valueName: "name"), completion: .campaigns)
    var stdinName: String?

    @OptionGroup var options: GlobalOptions

    func run() async throws {
        let invocation = Invocation.current()
        let rules = try RuleChoice(disabling: disabled)
        guard stdinName == nil || paths.contains("-") else {
            throw Refused(
                "--stdin-name names the file on standard input, so it requires - as one of the paths."
            )
        }
        let search = CampaignSearch(paths.isEmpty ? ["."] : paths)
        let check = try await ValidationRun(
            flags: options.flags, invocation: invocation, rules: rules,
            standardInputName: stdinName
        ).check(search.files())
        let output = FindingsOutput(
            invocation: invocation, format: format ?? .standard(for: invocation), isStrict: strict,
            version: Hubsend.version)
        try check.show(by: output, isQuiet: options.quiet, listsSkipped: options.verbose)
        guard check.failures.isEmpty else { throw Refused("") }
        guard check.summary != nil else { throw check.nothingChecked(in: search, in: paths) }
        let isFaulty = check.findings.contains {
            $0.severity == .error || strict && $0.severity == .warning
        }
        if isFaulty { throw Refused.findingsShown }
    }
}
