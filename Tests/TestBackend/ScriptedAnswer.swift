/// What the scripted backend answers.
package struct ScriptedAnswer: Sendable {
    /// The answer's status.
    package var status = 200
    /// Its headers.
    package var headers: [String: String] = [:]
    /// Sent in pieces of this size without a length in front; nil: whole.
    package var pieceSize: Int?
    /// How many times the body is sent.
    package var repeats = 1
    /// The body.
    package var body: [UInt8] = []
    /// Whether the body never ends: it rests after it was sent.
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

    /// Answers with a text.
    package static func text(_ text: String, status: Int = 200) -> ScriptedAnswer {
        ScriptedAnswer(status: status, body: Array(text.utf8))
    }

    /// Answers without a body.
    package static func status(_ status: Int, _ headers: [String: String] = [:]) -> ScriptedAnswer {
        ScriptedAnswer(status: status, headers: headers)
    }
}
