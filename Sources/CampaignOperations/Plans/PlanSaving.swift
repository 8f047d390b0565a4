import CampaignCore
import CampaignFormat
import Delivery
import Files
import Foundation
import Reports
import Settings

/// What `preview --save` is asked for.
package struct PlanSaving: Sendable {
    /// Where the plan goes.
    let path: String
    private let longestAge: Duration
    private let version: String

    /// - Parameters:
    ///   - path: the plan's file; an existing file is replaced when it is a plan, or empty.
    ///   - longestAge: how long the plan is valid.
    ///   - version: hubsend's version.
    package init(path: String, longestAge: Duration = SavedPlan.standardAge, version: String) {
        self.path = path
        self.longestAge = longestAge
        self.version = version
    }

    /// The hub that the plan is for; call this before people are read, which may take long.
    ///
    /// - Parameters:
    ///   - settings: the command's settings.
    ///   - program: the program that would send.
    /// - Throws: ``OperationFault/noHubForPlan`` when only a command or the hub itself could tell it; what `HubChoice.identity(for:)`
    ///   throws.
    func hub(in settings: EffectiveSettings, for program: HubCaller) throws -> HubIdentity {
        guard let hub = try settings.hub?.identity(for: program) else {
            throw OperationFault.noHubForPlan
        }
        return hub
    }

    /// Writes the plan of a preview, whole or not at all; only its owner may read it.
    ///
    /// - Parameters:
    ///   - maker: the plan's maker, which has seen all people.
    ///   - planned: the audience.
    ///   - mode: which sending it is.
    ///   - hub: where it goes, as ``hub(in:for:)`` says.
    /// - Returns: the plan's id.
    /// - Throws: ``OperationFault`` when it is a rehearsal, or the file cannot be written or is no plan.
    func save(
        _ maker: PlanMaker, _ planned: PlannedAudience, as mode: RunRequest.Mode,
        at hub: HubIdentity
    ) throws -> PlanID {
        guard let sending = PlannedSending(mode, of: planned.rest) else {
            throw OperationFault.planOfRehearsal
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

    /// Says where the plan is, and what to type to send by it, or why that would send nothing.
    ///
    /// - Parameters:
    ///   - id: the plan's.
    ///   - campaign: its file.
    ///   - mode: which sending it is.
    ///   - planned: the audience.
    ///   - outlook: what a run would do now.
    ///   - sends: whether a run would send anything now.
    ///   - settings: those of the command.
    func sentence(
        _ id: PlanID, of campaign: String, as mode: RunRequest.Mode, _ planned: PlannedAudience,
        now outlook: PreviewOutlook, sends: Bool, settings: EffectiveSettings
    ) -> String {
        let place = "The plan \(id) is in \(VisibleText.path(path))."
        if let obstacle = Self.obstacle(outlook, sends: sends) {
            return "\(place) By it nothing would be sent now: \(obstacle)."
        }
        return "\(place) To send exactly this: "
            + settings.command(
                "run", settings.invocation.pasted(campaign), "--plan",
                settings.invocation.pasted(path))
            + (PlannedSending(mode, of: planned.rest)?.options ?? "")
    }

    /// What keeps a plan that was just saved from being sent: a standing run was not begun by this plan.
    private static func obstacle(_ outlook: PreviewOutlook, sends: Bool) -> String? {
        let run = outlook.run.map { "run \($0.id)" } ?? "its run"
        switch outlook.action {
        case .nothing where outlook.run?.state != .waiting: return "\(run) is finished"
        case .nothing, .proceed, .refuse:
            return "\(run) is not finished, and was begun without it"
        case .begin, .unknown: return sends ? nil : "nobody would get a push"
        }
    }

    /// Refuses to replace another file, such as a campaign that was named by mistake.
    private func refuseOtherFile() throws {
        let status: FileStatus?
        do {
            status = try FileStatus.find(path)
        } catch {
            throw OperationFault.unwritableFile(path, why: "\(error)")
        }
        guard let status, status.size > 0 else { return }
        guard status.kind == .regular else { throw OperationFault.notAPlan(path) }
        do throws(PlanFileFault) {
            _ = try PlanFile.read(path)
        } catch {
            // A plan of a newer version is a plan, too. So is one that others may write; its replacement, they may not.
            switch error {
            case .newer, .refused(path: _, .writableByOthers): return
            case .refused, .damaged: throw OperationFault.notAPlan(path)
            }
        }
    }
}
