/// Asks on the terminal before something that cannot be taken back.
enum Question {
    /// Asks where a person can be asked; the command ends when the answer is no, with 0, since nothing is wrong then.
    ///
    /// - Parameters:
    ///   - text: the question.
    ///   - lines: what to know before answering.
    ///   - refusal: what a no comes to, as a sentence.
    ///   - invocation: where standard streams lead; without a terminal nobody is asked.
    /// - Throws: as ``confirms(_:)``; ``CommandEnd`` when the answer is no.
    static func ask(
        _ text: String, after lines: [String], otherwise refusal: String, _ invocation: Invocation
    ) async throws {
        guard invocation.isInputTerminal, invocation.isErrorTerminal else { return }
        for line in lines { Console.complain(line) }
        guard try await confirms(text) else {
            Console.complain(refusal)
            throw CommandEnd(status: .done)
        }
    }

    /// Asks; anything but `y` or `yes` is a no, the end of the input too.
    ///
    /// - Throws: `CancellationError` as soon as the task is cancelled before there is an answer; ``CommandFailure`` when
    ///   none can be read.
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
