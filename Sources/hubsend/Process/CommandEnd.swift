/// A command that did its work and has said all there is to say, with a code other than 0.
struct CommandEnd: Error {
    let status: ExitStatus

    /// Throws itself unless the status is ``ExitStatus/done``.
    static func exit(_ status: ExitStatus) throws {
        if status != .done { throw CommandEnd(status: status) }
    }
}
