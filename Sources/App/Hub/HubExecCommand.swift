import ArgumentParser
import Foundation
import ProcessControl

struct HubExecCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "exec", abstract: "Runs one command against a fresh local hub.",
        usage: """
            hubsend hub exec [--devices <file>] [--fault <fault> ...] [--faults <file> ...] \
            [--seed <number>] [--verbose] -- <command> [<argument> ...]
            """,
        discussion: """
            Starts a hub on a free port of this machine, with an empty store and an empty reports folder, and runs \
            the command with environment variables that point to them. When the command ends, including after \
            Ctrl-C, everything is removed. The command uses the terminal and the standard streams directly.

            For example, in CI, to run the tests of a program that sends pushes:

              hubsend hub exec --devices devices.yaml -- npm test
              hubsend hub exec -- sh -c 'hubsend run welcome.yaml && ./check.sh'

            The environment contains HUBSEND_HUB_CONNECTION_STRING, HUBSEND_HUB_NAME, HUBSEND_HUB_URL, HUBSEND_STORE \
            and HUBSEND_REPORTS. For clients that require TLS, it also contains HUBSEND_HUB_TLS_CONNECTION_STRING, \
            and HUBSEND_HUB_CA, the path of the certificate to trust. See hubsend-hub(1).

            Exits with the command's exit code, or with 128 plus the signal number if a signal \
            ended the command. Exits with 126 if the command cannot be run, 127 if it does not \
            exist, and 2 if an option or a file is invalid.
            """)

    @OptionGroup var content: LocalHubOptions

    @Argument(
        parsing: .postTerminator,
        help: ArgumentHelp("The command and its arguments, after --.", valueName: "command"))
    var command: [String] = []

    @OptionGroup var options: GlobalOptions

    func validate() throws {
        if let option = Self.foreignOption(in: ProcessInfo.processInfo.arguments) {
            throw ValidationError(
                "\(option) is not an option of `hub exec`; put the command's own options after --.")
        }
        let flags = [
            ("--store", options.store), ("--reports", options.reports),
            ("--config", options.config),
        ]
        for (flag, value) in flags where value != nil {
            throw ValidationError(
                """
                Leave \(flag) out: the command gets its own store and reports folder, and reads its config itself.
                """)
        }
        if command.isEmpty {
            throw ValidationError(
                "Name the command after --, for example: hubsend hub exec -- make test")
        }
    }

    /// The first option that only `hubsend hub` accepts.
    ///
    /// The parser does not report such an option, because it accepts options of both commands
    /// anywhere.
    static func foreignOption(in words: [String]) -> String? {
        let known: Set = [
            "--devices", "--fault", "--faults", "--seed", "--config", "--store", "--reports",
            "--quiet", "--verbose", "--log-format", "--help", "--version", "-q", "-v", "-qv", "-vq",
            "-h",
        ]
        return words.drop { $0 != "hub" }.prefix { $0 != "--" }.lazy
            .filter { $0.hasPrefix("-") }.map { String($0.prefix { $0 != "=" }) }
            .first { !known.contains($0) }
    }

    func run() async throws {
        let invocation = Invocation.current()
        let exec = try HubExec(
            command, at: content.configuration(invocation), invocation, logger: options.logger())
        try await ExitStatus(rawValue: exec.run()).exit()
    }
}
