/// Asks for confirmation on the terminal before something that cannot be undone.
enum Question {
    /// Asks for confirmation; any answer except `y` or `yes`, including the end of the input, means
    /// no.
    ///
    /// - Throws: `CancellationError` as soon as the task is cancelled; ``TerminalError``.
    static func confirms(_ text: String) async throws -> Bool {
        Console.notice(text + " [y/N] ")
        let answer: String?
        do {
            answer = try await StandardInput.line()
        } catch {
            Console.notice("\n")
            throw error
        }
        guard let answer else {
            Console.notice("\n")
            return false
        }
        return ["y", "yes"].contains(answer.lowercased())
    }
}
