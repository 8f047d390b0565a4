/// What the scripted backend answers.
struct ScriptedAnswer: Sendable {
    var status = 200
    var headers: [String: String] = [:]
    /// Sent in pieces of this size without a length in front; nil: whole.
    var pieceSize: Int?
    /// How many times the body is sent.
    var repeats = 1
    var body: [UInt8] = []
    /// Whether the body never ends: it rests after it was sent.
    var hangs = false

    static func text(_ text: String, status: Int = 200) -> ScriptedAnswer {
        ScriptedAnswer(status: status, body: Array(text.utf8))
    }

    static func status(_ status: Int, _ headers: [String: String] = [:]) -> ScriptedAnswer {
        ScriptedAnswer(status: status, headers: headers)
    }
}
