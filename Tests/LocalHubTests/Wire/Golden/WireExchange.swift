/// A request and the answer that must follow, as lines with what they leave open.
struct WireExchange {
    /// What it is about.
    let title: String
    /// Where it begins in its file, from 1.
    let line: Int
    /// The lines of the request.
    private(set) var request: [String] = []
    /// The lines of the answer.
    private(set) var answer: [String] = []

    private var isAnswer = false

    init(title: String, line: Int) {
        self.title = title
        self.line = line
    }

    /// Whether there is a request and an answer.
    var isComplete: Bool { !request.isEmpty && !answer.isEmpty }

    /// Takes the next line of the file.
    mutating func append(_ line: String) throws {
        guard line != "<<<" else {
            guard !isAnswer else { throw WireFixtureError("'\(title)' has two answers") }
            isAnswer = true
            return
        }
        if isAnswer {
            answer.append(line)
        } else {
            request.append(line)
        }
    }
}
