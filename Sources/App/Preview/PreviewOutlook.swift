import CampaignCore

/// What a run would do now, according to the store.
struct PreviewOutlook: Sendable {
    enum Action: String, Encodable, Sendable {
        case begin, proceed = "continue", nothing, refuse, unknown
    }

    /// Why it is not known.
    enum Gap: Sendable {
        /// The hub is a secret that must be fetched, or is missing.
        case noHub
        /// The store needs an update first, which a preview must not do.
        case olderStore
    }

    var action: Action
    /// The existing run.
    var run: RunRecord?
    /// Deliveries it would work on; nil: not known.
    var deliveries: Int?
    /// How many the frequency cap would skip; nil: no cap, or not known.
    var capped: Int?
    /// Keys changed since that run was staged.
    var changed: [String] = []
    var gap: Gap?

    static func unknown(because gap: Gap) -> PreviewOutlook {
        PreviewOutlook(action: .unknown, gap: gap)
    }
}

/// The first sentence of a preview.
struct PreviewHeadline {
    let lead: String
    /// Introduces the figures if the lead does not match them.
    private let tail: String?
    /// Ends with a colon; nil if the lead introduces the figures.
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
            (lead, tail) = ("\(name) would reach nobody now, since \(skipped)", nil)
        case .begin:
            (lead, tail) = ("\(name) would reach \(people) with \(all)", nil)
        case .proceed where now.run?.state == .running:
            (lead, tail) = ("\(name) is being sent by \(run), with \(left) to go", file)
        case .proceed where isCapped:
            (lead, tail) = ("\(name) would continue \(run), but \(skipped) to go", file)
        case .proceed:
            (lead, tail) = ("\(name) would continue \(run), with \(left) to go", file)
        case .nothing where now.run?.state == .waiting:
            let until = now.run?.resumes.map { " until \(UTCTime.readable($0))" } ?? ""
            lead = "\(name) would send nothing now: \(run) waits\(until), with \(left) to go"
            tail = file
        case .nothing:
            lead = "\(name) would send 0 new pushes: \(run) is finished"
            tail = "--again would send to all that the file has"
        case .refuse where now.run?.state != .stopped:
            lead = "\(name) would send nothing: \(run) is not finished, with \(left) to go"
            tail = file
        case .refuse:
            lead =
                "\(name) would send nothing: \(run) was stopped, with \(left) to go, and stays stopped until "
                + "it is resumed"
            tail = file
        case .unknown:
            let why =
                switch now.gap {
                case .olderStore:
                    "the store was made by an older version of hubsend, and a preview does not change it"
                case .noHub, nil:
                    "that depends on the hub, which is not known without its name and connection string"
                }
            lead = "\(name) would reach \(people) with \(all), unless it was sent before: \(why)"
            tail = nil
        }
    }
}
