/// A command could not do its work: what a person reads, and the code that a script sees.
struct CommandFailure: Error, CustomStringConvertible {
    let status: ExitStatus
    /// Full sentences: what happened, where, what to do.
    let message: String

    init(_ status: ExitStatus, _ message: String) {
        self.status = status
        self.message = message
    }

    var description: String { message }
}
