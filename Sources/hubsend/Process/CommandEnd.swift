/// A command that has said all there is to say, with the code that it ends with.
struct CommandEnd: Error {
    let status: ExitStatus

    /// Throws itself unless the status is ``ExitStatus/done``.
    static func exit(_ status: ExitStatus) throws {
        if status != .done { throw CommandEnd(status: status) }
    }
}
