import CampaignCore

/// What a run would do now, according to the store.
struct PreviewOutlook: Sendable {
    enum Action: String, Encodable, Sendable {
        case begin, proceed = "continue", nothing, refuse, unknown
    }

    /// Why the outlook is unknown.
    enum Gap: Sendable {
        /// The hub's connection string is missing, or only a command could provide it.
        case noHub
        /// The store has to be upgraded first, which a preview must not do.
        case olderStore
    }

    var action: Action
    /// The existing run.
    var run: RunRecord?
    /// How many deliveries a run would work on; nil if unknown.
    var deliveries: Int?
    /// How many deliveries the frequency cap would skip; nil if unknown or without a cap.
    var capped: Int?
    /// The keys of the campaign that changed since the run was staged.
    var changed: [String] = []
    var gap: Gap?

    static func unknown(because gap: Gap) -> PreviewOutlook {
        PreviewOutlook(action: .unknown, gap: gap)
    }
}

/// The first sentence of a preview.
struct PreviewHeadline {
    let lead: String
    /// A sentence that introduces the figures if the lead does not.
    private let tail: String?
    /// The introduction to the figures, which ends with a colon; nil if the lead introduces them.
    var figures: String? { tail.map { $0 + ":" } }

    init(_ model: PreviewModel) {
        let name = "Campaign \(model.campaign) (\(model.kind.rawValue))"
        let now = model.outlook
        let all = Figures.count(model.deliveries, "push", "pushes")
        let people = Figures.count(model.audience.final, "person", "people")
        let left = now.deliveries.map { Figures.count($0, "push", "pushes") } ?? all
        let run = now.run.map { "run \($0.id)" } ?? "its run"
        let file = "The file now has"
        let isCapped = (now.capped ?? 0) > 0 && !model.wouldSend
        let skipped = "frequency_cap would skip \(Figures.count(now.capped ?? 0)) of \(left)"
        switch now.action {
        case .begin where isCapped:
            (lead, tail) = ("\(name) would reach nobody now: \(skipped)", nil)
        case .begin:
            (lead, tail) = ("\(name) would reach \(people) with \(all)", nil)
        case .proceed where now.run?.state == .running:
            (lead, tail) = ("\(name) is being sent by \(run), with \(left) to go", file)
        case .proceed where isCapped:
            (lead, tail) = ("\(name) would continue \(run), but \(skipped)", file)
        case .proceed:
            (lead, tail) = ("\(name) would continue \(run), with \(left) to go", file)
        case .nothing where now.run?.state == .waiting:
            let until = now.run?.resumes.map { " until \(UTCTime.readable($0))" } ?? ""
            lead = "\(name) would send nothing now: \(run) waits\(until), with \(left) to go"
            tail = file
        case .nothing:
            lead = "\(name) has been sent: \(run) is finished"
            tail = "With --again it would go to everybody in the file"
        case .refuse where now.run?.state != .stopped:
            lead = "\(name) would send nothing: \(run) is not finished, with \(left) to go"
            tail = file
        case .refuse:
            lead =
                "\(name) would send nothing: \(run) was stopped, with \(left) to go, and stays stopped until "
                + "you resume it"
            tail = file
        case .unknown:
            let why =
                switch now.gap {
                case .olderStore:
                    "the store does not show this, because an older version of hubsend created it and a preview "
                        + "does not upgrade it"
                case .noHub, nil:
                    "to find out, a preview needs the hub's name and connection string"
                }
            lead = "\(name) would reach \(people) with \(all), unless it was sent before; \(why)"
            tail = nil
        }
    }
}
