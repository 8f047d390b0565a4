/// A program could not be started, with the exit code that shells give then (POSIX.1-2024, 2.8.2).
struct ProgramNotStarted: Error, Equatable, CustomStringConvertible {
    /// Why, as exit codes tell it.
    enum Reason: Int32 {
        /// It is there, and cannot be run.
        case notExecutable = 126
        /// There is none of that name.
        case notFound = 127
    }

    let reason: Reason
    /// The program as it was named.
    let name: String
    /// What is wrong, and what to do where that is known.
    let detail: String

    init(_ reason: Reason, _ name: String, _ detail: String) {
        self.reason = reason
        self.name = name
        self.detail = detail
    }

    var description: String {
        switch reason {
        case .notExecutable: "The command \"\(name)\" cannot be run: \(detail)"
        case .notFound: "The command \"\(name)\" was not found: \(detail)"
        }
    }
}
