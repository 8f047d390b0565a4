package struct ScriptedAnswer: Sendable {
    package var status = 200
    package var headers: [String: String] = [:]
    /// The size of the chunks in which the body is sent without a length; nil to send it whole.
    package var pieceSize: Int?
    package var repeats = 1
    package var body: [UInt8] = []
    /// Whether the body never ends.
    package var hangs = false

    package init(
        status: Int = 200, headers: [String: String] = [:], pieceSize: Int? = nil, repeats: Int = 1,
        body: [UInt8] = [], hangs: Bool = false
    ) {
        self.status = status
        self.headers = headers
        self.pieceSize = pieceSize
        self.repeats = repeats
        self.body = body
        self.hangs = hangs
    }

    package static func text(_ text: String, status: Int = 200) -> ScriptedAnswer {
        ScriptedAnswer(status: status, body: Array(text.utf8))
    }

    package static func status(_ status: Int, _ headers: [String: String] = [:]) -> ScriptedAnswer {
        ScriptedAnswer(status: status, headers: headers)
    }
}
