import NIOCore

struct ScriptedAnswer: Sendable {
    /// The bytes to write, unchanged.
    var bytes: [UInt8] = []
    var closes = false
    var delay = TimeAmount.zero
    var gate: Gate?
    /// Bytes to write every 20 ms after the others, without end.
    var drip: [UInt8] = []

    static func status(
        _ status: Int, _ headers: [(String, String)] = [], body: String = ""
    ) -> ScriptedAnswer {
        var text = "HTTP/1.1 \(status) Scripted\r\n"
        for (name, value) in headers { text += "\(name): \(value)\r\n" }
        text += "Content-Length: \(body.utf8.count)\r\n\r\n\(body)"
        return ScriptedAnswer(bytes: Array(text.utf8))
    }

    static let accepted = status(
        201,
        [
            ("Location", "https://127.0.0.1/news/messages/id-1?api-version=2020-06"),
            ("TrackingId", "hub-tracking"), ("x-ms-correlation-request-id", "hub-correlation"),
        ])

    /// No response; the connection stays open.
    static let silence = ScriptedAnswer()

    static let close = ScriptedAnswer(closes: true)

    static func cutOff(after text: String) -> ScriptedAnswer {
        ScriptedAnswer(bytes: Array(text.utf8), closes: true)
    }

    /// Some bytes, then one more every 20 ms, without end.
    static func dripping(after text: String) -> ScriptedAnswer {
        ScriptedAnswer(bytes: Array(text.utf8), drip: Array("x".utf8))
    }

    func held(by gate: Gate) -> ScriptedAnswer {
        var answer = self
        answer.gate = gate
        return answer
    }

    func delayed(_ delay: TimeAmount) -> ScriptedAnswer {
        var answer = self
        answer.delay = delay
        return answer
    }
}
