import Foundation

/// What the process was started with: environment, folder and streams.
struct Invocation: Sendable {
    let environment: [String: String]
    /// The current folder, absolute.
    let currentFolder: String
    let isOutputTerminal: Bool
    let isErrorTerminal: Bool
    let isInputTerminal: Bool

    /// The real one.
    static func current() -> Invocation {
        Invocation(
            environment: ProcessInfo.processInfo.environment,
            currentFolder: FileManager.default.currentDirectoryPath,
            isOutputTerminal: isatty(STDOUT_FILENO) == 1,
            isErrorTerminal: isatty(STDERR_FILENO) == 1,
            isInputTerminal: isatty(STDIN_FILENO) == 1)
    }

    /// A variable's value; nil also when it is set to nothing.
    subscript(variable: String) -> String? {
        guard let value = environment[variable], !value.isEmpty else { return nil }
        return value
    }

    /// A path as given on the command line or in a variable, made absolute.
    func absolute(_ path: String) -> String {
        path.hasPrefix("/") ? path : currentFolder + "/" + path
    }

    /// Whether text on a stream may have colour (`NO_COLOR`, `CLICOLOR_FORCE`).
    func allowsColor(onTerminal isTerminal: Bool) -> Bool {
        if self["NO_COLOR"] != nil { return false }
        if let force = self["CLICOLOR_FORCE"], force != "0" { return true }
        return isTerminal && self["TERM"] != "dumb"
    }
}
