import ArgumentParser

/// The command `hubsend completions`.
///
/// The command does not read any settings, so that a shell can run it at startup in any
/// environment.
struct CompletionsCommand: ParsableCommand {
    enum Shell: String, CaseIterable, ExpressibleByArgument {
        case bash
        case zsh
        case fish

        fileprivate var completed: CompletionShell {
            switch self {
            case .bash: .bash
            case .zsh: .zsh
            case .fish: .fish
            }
        }
    }

    static let configuration = CommandConfiguration(
        commandName: "completions",
        abstract:
            "Prints a shell completion script for commands, options, campaigns and runs.",
        discussion: """
            For bash, in ~/.bashrc:   source <(hubsend completions bash)
            For zsh, before compinit: hubsend completions zsh > ~/.zsh/completions/_hubsend
            For fish:                 hubsend completions fish > ~/.config/fish/completions/hubsend.fish

            Run ids are read from the store that commands in the current folder use; the store is not changed.
            """)

    @Argument(help: "The shell: bash, zsh or fish.")
    var shell: Shell

    func run() throws {
        let script = Hubsend.completionScript(for: shell.completed)
        try Console.output(Array((script + "\n").utf8))
    }
}
