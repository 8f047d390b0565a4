/// A command could not do its work: what a person reads, and the code that a script sees.
struct CommandFailure: Error, CustomStringConvertible {
    let status: ExitStatus
    /// Full sentences: what happened, where, what to do.
    let message: String
    /// Lines to show below, such as diagnostics; empty as a rule.
    let details: String

    init(_ status: ExitStatus, _ message: String, details: String = "") {
        self.status = status
        self.message = message
        self.details = details
    }

    var description: String { message }
}
