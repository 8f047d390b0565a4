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
            A hub starts on a free port of this machine, with a store and a reports folder that \
            are empty; then the command runs, and finds them by its environment; then all of it \
            is gone, also after Ctrl-C. The command has the terminal and the standard streams.

            For example, in CI, with the tests of a program that sends:

              hubsend hub exec --devices devices.yaml -- npm test
              hubsend hub exec -- sh -c 'hubsend run welcome.yaml && ./check.sh'

            In the environment are HUBSEND_HUB_CONNECTION_STRING, HUBSEND_HUB_NAME, \
            HUBSEND_HUB_URL, HUBSEND_STORE and HUBSEND_REPORTS; for clients that insist on TLS \
            HUBSEND_HUB_TLS_CONNECTION_STRING, and in HUBSEND_HUB_CA the file with the \
            certificate to trust. See man/hubsend-hub.1.

            The exit code is the command's own; 128 and the signal's number where a signal ended \
            it; 126 when it cannot be run, 127 when there is no such command, 2 for wrong options \
            and files.
            """)

    @OptionGroup var content: LocalHubOptions

    @Argument(
        parsing: .postTerminator,
        help: ArgumentHelp("The command and its arguments, behind --.", valueName: "command"))
    var command: [String] = []

    @OptionGroup var options: GlobalOptions

    func validate() throws {
        if let option = Self.foreignOption(in: ProcessInfo.processInfo.arguments) {
            throw ValidationError(
                "\(option) is no option of `hub exec`; options of the command stand behind --.")
        }
        let flags = [
            ("--store", options.store), ("--reports", options.reports),
            ("--config", options.config),
        ]
        for (flag, value) in flags where value != nil {
            throw ValidationError(
                """
                Leave \(flag) out: the command gets a store and a reports folder of its own, and \
                reads its config itself.
                """)
        }
        if command.isEmpty {
            throw ValidationError(
                "Name the command behind --, such as: hubsend hub exec -- make test")
        }
    }

    /// The first option that belongs to `hubsend hub` only.
    ///
    /// The parser accepts options of both commands anywhere, so none is unknown to it.
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
