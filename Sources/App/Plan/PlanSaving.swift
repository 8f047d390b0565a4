import CampaignCore
import CampaignFormat
import Delivery
import Files
import Foundation

struct PlanSaving: Sendable {
    /// The plan's file; an existing file is replaced if it is a plan or empty.
    let path: String
    var longestAge = SavedPlan.standardAge
    let version: String

    /// The hub that the plan is for; call this before people are read, which can take a long time.
    func hub(in settings: EffectiveSettings) throws -> HubIdentity {
        guard let hub = try settings.hub?.identity() else {
            throw Refused(
                """
                A plan is for one hub, but a preview does not connect or run a command to find out \
                which hub it is. Set HUBSEND_HUB_CONNECTION_STRING (or _FILE; a key with only the \
                right to listen is enough) and HUBSEND_HUB_NAME.
                """)
        }
        return hub
    }

    /// Writes the plan of a preview completely or not at all, readable only by its owner; returns
    /// its id.
    func save(
        _ maker: PlanMaker, _ planned: PlannedAudience, as mode: RunRequest.Mode,
        at hub: HubIdentity
    ) throws -> PlanID {
        guard let sending = PlannedSending(mode, of: planned.unreached) else {
            throw Refused("Rehearsals cannot have a plan. Leave out --to or --save.")
        }
        var plan = maker.plan(
            by: version, for: sending, at: hub, audience: maker.tally.digest(of: planned.plan),
            made: Date())
        plan.longestAge = longestAge
        try refuseOtherFile()
        let bytes = try PlanFile.bytes(of: plan)
        let file = try AtomicFile(path: path)
        try file.write(bytes)
        try file.commit()
        return OpenedPlan.id(of: bytes)
    }

    /// Says where the plan is and how to send it, or why it would send nothing.
    func sentence(
        _ id: PlanID, of campaign: String, as mode: RunRequest.Mode, _ planned: PlannedAudience,
        now outlook: PreviewOutlook, sends: Bool, settings: EffectiveSettings
    ) -> String {
        let place = "The plan \(id) is in \(VisibleText.path(path))."
        if let obstacle = Self.obstacle(outlook, sends: sends) {
            return "\(place) It would send nothing now: \(obstacle)."
        }
        return "\(place) To send exactly this: "
            + settings.command(
                "run", settings.invocation.pasted(campaign), "--plan",
                settings.invocation.pasted(path))
            + (PlannedSending(mode, of: planned.unreached)?.options ?? "")
    }

    /// Why a plan that was just saved would send nothing, for example because an earlier run is
    /// finished.
    private static func obstacle(_ outlook: PreviewOutlook, sends: Bool) -> String? {
        let run = outlook.run.map { "run \($0.id)" } ?? "its run"
        switch outlook.action {
        case .nothing where outlook.run?.state != .waiting: return "\(run) is finished"
        case .nothing, .proceed, .refuse:
            return "\(run) is not finished and was started without this plan"
        case .begin, .unknown: return sends ? nil : "nobody would get a push"
        }
    }

    /// Refuses to replace another file, such as a campaign named by mistake.
    private func refuseOtherFile() throws {
        let status: FileStatus?
        do {
            status = try FileStatus.find(path)
        } catch {
            throw Refused.unwritable(path, why: "\(error)")
        }
        guard let status, status.size > 0 else { return }
        guard status.kind == .regular else { throw notAPlan }
        do throws(PlanFileError) {
            _ = try PlanFile.read(path)
        } catch {
            // A plan of a newer version, or one that others can write, is still a plan.
            switch error {
            case .newer, .refused(path: _, .writableByOthers): return
            case .refused, .damaged: throw notAPlan
            }
        }
    }

    private var notAPlan: Refused {
        Refused(
            "The file \(VisibleText.path(path)) exists but is not a plan. Name another file, or delete this one first."
        )
    }
}
