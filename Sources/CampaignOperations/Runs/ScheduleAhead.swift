import CampaignCore
import Delivery
import Files
import Foundation
import Reports
import Settings

/// A sending by hand of a campaign whose schedule starts it later.
struct ScheduleAhead: Sendable {
    /// The start that lies ahead: `Tue 1 Dec 09:00 (Berlin)`.
    private let start: String
    /// Whether the sending takes that start's place; if not, the campaign is sent at that start too.
    private let isReplaced: Bool
    private let request: RunRequest

    /// - Returns: nil when no start lies ahead that a sending by hand would come before.
    /// - Throws: what the ledger throws.
    init?(_ request: RunRequest, in ledger: (any RunLedger)?, now: Date) async throws {
        guard let schedule = request.campaign.schedule,
            let ahead = try await request.startAhead(in: ledger, now: now)
        else { return nil }
        start = CampaignSchedule.words(ahead.date, of: schedule, now: now)
        isReplaced = ahead.isReplaced
        self.request = request
    }

    var campaign: String { request.campaign.name }

    /// Says when the campaign is scheduled, such as `It is scheduled for Tue 1 Dec 09:00 (Berlin).`.
    private func sentence(of subject: String) -> String {
        "\(subject) is scheduled for \(start)\(isReplaced ? "." : ", and that start stays.")"
    }

    /// What a person is asked; `nil` names no campaign, which was named before.
    func question(naming campaign: String?) -> String {
        let subject = campaign.map { "Campaign \($0)" } ?? "It"
        return "\(sentence(of: subject)) Send it now \(isReplaced ? "instead" : "as well")?"
    }

    /// What a person is told who has answered with `--yes` or `--now`.
    var notice: String {
        let how = isReplaced ? "instead" : "as well"
        return "\(sentence(of: "Campaign \(request.campaign.name)")) It is sent now \(how)."
    }

    /// Why it is not sent without a question or `--now`, and the command that sends it.
    func refusal(plan: String?, _ settings: EffectiveSettings) -> String {
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
        if let plan { words += ["--plan", settings.invocation.absolute(plan)] }
        return "\(why) To send it \(how): \(settings.command(words + ["--now"]))"
    }
}

/// A campaign was to be sent before its start, nobody could be asked, and `--now` was not given.
package struct SentBeforeStart: Error, CustomStringConvertible {
    /// Full sentences: what is wrong, and what to do.
    package let description: String

    init(_ ahead: [ScheduleAhead], plan: String?, _ settings: EffectiveSettings) {
        description = ahead.map { $0.refusal(plan: plan, settings) }.joined(separator: "\n")
    }
}
