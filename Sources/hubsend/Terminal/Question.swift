import Foundation

/// Asks on the terminal before something that cannot be taken back.
enum Question {
    /// How long a wait for an answer goes on before it is looked whether the task was cancelled, in milliseconds.
    private static let glance: Int32 = 100

    /// Asks; anything but `y` or `yes` is a no.
    ///
    /// - Throws: `CancellationError` when the task is cancelled before there is an answer.
    static func confirms(_ text: String) throws -> Bool {
        Console.notice(text + " [y/N] ")
        var input = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
        while unsafe poll(&input, 1, glance) == 0 {
            if Task.isCancelled { Console.notice("\n") }
            try Task.checkCancellation()
        }
        guard let answer = readLine(strippingNewline: true) else {
            Console.notice("\n")
            return false
        }
        return ["y", "yes"].contains(answer.lowercased())
    }
}
