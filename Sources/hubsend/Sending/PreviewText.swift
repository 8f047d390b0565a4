import CampaignCore
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
            headline,
            "",
            "  named       \(Figures.count(people.named))",
            "  duplicate   \(Figures.count(people.duplicate))",
            "  excluded    \(Figures.count(people.excluded))",
            "  final       \(Figures.count(people.final))",
            "  requests    \(Figures.count(document.requests))\(time)",
        ]
        if let capped = document.now.capped {
            let pushes = Figures.count(capped, "push", "pushes")
            lines.append("  capped      \(pushes) that frequency_cap would skip now")
        }
        for request in document.platforms { lines += [""] + describe(request) }
        lines += ["", "Nothing was sent and nothing was stored."]
        return lines.joined(separator: "\n") + "\n"
    }

    /// What a run would do now, before what the file asks for.
    private var headline: String {
        let name = "Campaign \(document.campaign) (\(document.kind))"
        let now = document.now
        let all = Figures.count(document.deliveries, "push", "pushes")
        let people = Figures.count(document.recipients.final, "person", "people")
        let left = now.deliveries.map { Figures.count($0, "push", "pushes") } ?? all
        let run = now.run.map { "run \($0.id)" } ?? "its run"
        switch now.action {
        case .begin:
            return "\(name) would reach \(people) with \(all):"
        case .proceed where now.run?.state == .running:
            return "\(name) is being sent by \(run), with \(left) to go. The file now has:"
        case .proceed:
            return "\(name) would continue \(run), with \(left) to go. The file now has:"
        case .nothing:
            return
                "\(name) would send 0 new pushes: \(run) is finished. --again would send to all that the file has:"
        case .refuse where now.run?.state != .stopped:
            return
                "\(name) would send nothing once more: \(run) is not finished, with \(left) to go. The file now has:"
        case .refuse:
            return
                "\(name) would send nothing: \(run) was stopped, with \(left) to go, and only `hubsend resume` "
                + "continues it. The file now has:"
        case .unknown:
            let why =
                switch now.gap {
                case .olderStore:
                    "the store was made by an older version of hubsend, and a preview does not change it"
                case .noHub, nil:
                    "that depends on the hub, which is not known without its name and connection string"
                }
            return "\(name) would reach \(people) with \(all), unless it was sent before: \(why):"
        }
    }

    private func describe(_ request: PreviewDocument.Request) -> [String] {
        let size =
            "largest body \(Figures.count(request.bytes)) of \(Figures.count(request.limit)) bytes"
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
}
