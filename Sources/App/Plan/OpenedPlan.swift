import CampaignCore
import CampaignFormat
import Crypto
import Delivery
import FoundationEssentials
import ProcessControl

struct OpenedPlan: Sendable {
    let id: PlanID
    let path: String
    private let plan: SavedPlan
    private let version: String

    init(_ path: String, version: String) throws {
        let (plan, bytes) = try PlanFile.read(path)
        self.path = path
        self.plan = plan
        self.version = version
        id = Self.id(of: bytes)
    }

    static func id(of bytes: [UInt8]) -> PlanID {
        PlanID(digest: SHA256.hash(data: Data(bytes)))
    }

    func maker(
        of campaign: Campaign, in loaded: LoadedCampaign, settings: EffectiveSettings
    ) -> PlanMaker {
        PlanMaker(campaign, of: loaded, settings: settings, salt: plan.salt)
    }

    /// Refuses a plan of another campaign, before anything else is compared.
    func requireCampaign(_ name: String) throws(Refused) {
        guard plan.campaign != name else { return }
        let planned = VisibleText.escape(plan.campaign)
        throw unfit("it is for campaign \(planned), but this file defines campaign \(name)")
    }

    /// Refuses a request for a sending other than the planned one; used if nothing is left to send.
    func requireSending(_ mode: RunRequest.Mode) throws(Refused) {
        guard !plan.sending.isMeant(by: mode) else { return }
        throw unfit(
            "it is for \(plan.sending), which is not what was asked for",
            advice: rightSending + "\n")
    }

    /// Refuses a sending that differs from the plan.
    ///
    /// If `planned` is nil, a run continues and its people cannot change; otherwise `maker` has
    /// read them. `begun` is the run that continues with this plan, if any.
    func check(
        _ maker: PlanMaker, _ planned: PlannedAudience?, continuing begun: RunID?,
        for request: RunRequest, at time: Date, settings: EffectiveSettings
    ) throws(Refused) {
        let sending = planned.map { PlannedSending(request.mode, of: $0.unreached) } ?? plan.sending
        guard let sending else { throw unfit("rehearsals cannot have a plan") }
        var now = maker.plan(
            by: version, for: sending, at: request.hub,
            audience: planned.map { maker.tally.digest(of: $0.plan) } ?? plan.audience, made: time)
        // The file was already compared when the run was staged.
        if begun != nil, maker.lacksFiles { now.payloadFile = plan.payloadFile }
        let comparison = PlanComparison(
            of: plan, with: now, texts: maker.texts, isBegun: begun != nil,
            showing: KeyOutline.shown)
        guard !comparison.changes.isEmpty else { return }
        let advice =
            if let begun {
                // A new plan would not continue the run.
                "Run \(begun) was started from this plan. Undo the changes, or continue the run as it was staged: "
                    + settings.command("resume", begun.text)
            } else if comparison.isOnlyOtherSending, !plan.sending.isMeant(by: request.mode) {
                rightSending
            } else {
                "Review the changes, and save a new plan: "
                    + settings.command(
                        "preview", request.campaignPath, "--save", settings.invocation.pasted(path))
                    + sending.options
            }
        let lines = comparison.changes.flatMap { change in
            ["  \(change.sentence)"] + change.lines.map { "      \($0)" }
        }
        throw Refused(
            """
            Campaign \(request.campaign.name) differs from the plan \(VisibleText.path(path)) (\(id)), so nothing was \
            sent. Differences:
            """,
            details: (lines + [advice]).map { $0 + "\n" }.joined(), status: .findings)
    }

    /// The options that request the planned sending.
    private var rightSending: String {
        let options = plan.sending.options
        return "To send what was planned, use"
            + (options.isEmpty ? " neither --again nor --occurrence" : options)
    }

    private func unfit(_ why: String, advice: String = "") -> Refused {
        Refused(
            "The plan \(VisibleText.path(path)) (\(id)) cannot be used: \(why); nothing was sent.",
            details: advice, status: .findings)
    }
}
