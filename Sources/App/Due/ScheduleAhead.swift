import CampaignCore
import Delivery
import Files
import Foundation

/// A manual sending of a campaign that is scheduled for later.
struct ScheduleAhead: Sendable {
    /// The next start, such as `Tue 1 Dec 09:00 (Berlin)`.
    private let start: String
    /// Whether the sending replaces the next start; if not, the campaign is also sent at that time.
    private let isReplaced: Bool
    private let request: RunRequest
    private let plan: OpenedPlan?

    /// - Returns: nil if there is no later start.
    init?(
        _ request: RunRequest, by plan: OpenedPlan?, in ledger: (any RunHistory)?, now: Date
    ) async throws {
        guard let schedule = request.campaign.schedule,
            let ahead = try await request.startAhead(in: ledger, now: now)
        else { return nil }
        start = CampaignSchedule.words(ahead.date, of: schedule, now: now)
        isReplaced = ahead.isReplaced
        self.request = request
        self.plan = plan
    }

    var campaign: String { request.campaign.name }

    /// Returns a sentence such as `It is scheduled for Tue 1 Dec 09:00 (Berlin).`.
    private func sentence(of subject: String) -> String {
        "\(subject) is scheduled for \(start)\(isReplaced ? "." : " and will be sent then too.")"
    }

    /// The question for a person; `campaign` is nil if the campaign was already named.
    func question(naming campaign: String?) -> String {
        let subject = campaign.map { "Campaign \($0)" } ?? "It"
        return "\(sentence(of: subject)) Send it now \(isReplaced ? "instead" : "as well")?"
    }

    /// The notice after `--yes` or `--now`.
    var notice: String {
        let how = isReplaced ? "instead" : "as well"
        return "\(sentence(of: "Campaign \(request.campaign.name)")) Sending it now \(how)."
    }

    /// Says why confirmation or `--now` is required, and which command sends the campaign.
    fileprivate func refusal(_ settings: EffectiveSettings) -> String {
        let why = "\(sentence(of: "Campaign \(request.campaign.name)")) Nothing was sent."
        let how = isReplaced ? "now instead" : "now as well"
        guard request.campaignPath != "-" else { return "\(why) To send it \(how), add --now." }
        var words = ["run", request.campaignPath]
        switch request.mode {
        case .again: words.append("--again")
        case .occurrence(let key) where key != request.campaign.ownOccurrence:
            words += ["--occurrence", key.text]
        default: break
        }
        if let plan { words += ["--plan", settings.invocation.absolute(plan.path)] }
        return "\(why) To send it \(how): \(settings.commandForm(words + ["--now"]))"
    }
}

extension Refused {
    /// The error if nobody can confirm that campaigns are sent early, and `--now` is missing.
    init(sending ahead: [ScheduleAhead], _ settings: EffectiveSettings) {
        let sentences = ahead.map { $0.refusal(settings) }
        self.init(
            sentences.first ?? "", details: sentences.dropFirst().map { "\($0)\n" }.joined())
    }
}
