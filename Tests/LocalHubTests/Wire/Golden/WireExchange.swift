/// A request and its expected response, as lines with placeholders.
struct WireExchange {
    let title: String
    /// Counted from 1.
    let line: Int
    private(set) var request: [String] = []
    private(set) var answer: [String] = []

    private var isAnswer = false

    init(title: String, line: Int) {
        self.title = title
        self.line = line
    }

    var isComplete: Bool { !request.isEmpty && !answer.isEmpty }

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
