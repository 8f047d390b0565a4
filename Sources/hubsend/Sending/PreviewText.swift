import Reports

/// A preview that a person reads in ten seconds.
struct PreviewText {
    private let document: PreviewDocument
    private let style: TextStyle

    init(_ document: PreviewDocument, style: TextStyle) {
        self.document = document
        self.style = style
    }

    func text() -> String {
        let people = document.recipients
        let time =
            document.seconds.map { ", about \(Durations.text(seconds: $0))" }
            ?? ", as fast as the hub takes them"
        var lines = [
            "Campaign \(document.campaign) (\(document.kind)) would reach \(count(people.final, "person", "people")) "
                + "with \(count(document.deliveries, "push", "pushes")):",
            "",
            "  named       \(people.named)",
            "  duplicate   \(people.duplicate)",
            "  excluded    \(people.excluded)",
            "  final       \(people.final)",
            "  requests    \(document.requests)\(time)",
        ]
        for request in document.platforms { lines += [""] + describe(request) }
        lines += ["", "Nothing was sent and nothing was stored."]
        return lines.joined(separator: "\n") + "\n"
    }

    private func describe(_ request: PreviewDocument.Request) -> [String] {
        let size = "largest body \(request.bytes) of \(request.limit) bytes"
        var lines = ["\(request.platform): \(size); the first recipient's request:", ""]
        lines.append("  \(request.method) \(request.url)")
        lines += request.headers.sorted { $0.key < $1.key }.map { "  \($0.key): \($0.value)" }
        lines.append("")
        // Behind blanks alone, a line of the message could pass for a command of a build log.
        lines += request.body.split(separator: "\n", omittingEmptySubsequences: false).map {
            "  | \($0)"
        }
        return lines
    }

    private func count(_ number: Int, _ one: String, _ many: String) -> String {
        "\(number) \(number == 1 ? one : many)"
    }
}
