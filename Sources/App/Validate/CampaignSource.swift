import CampaignCore
import CampaignFormat
import Delivery
import Foundation

/// A campaign file that was read, with its settings.
struct CampaignSource: Sendable {
    let loaded: LoadedCampaign
    let settings: EffectiveSettings

    /// The campaign; nil if the file has errors.
    ///
    /// If the only errors are missing files, this is the part that a staged run needs.
    var campaign: Campaign? { loaded.campaign ?? loaded.withoutFiles }

    /// Reads a campaign file or standard input (`-`); `searched` is the folder it was found in.
    init(
        path: String, settings: EffectiveSettings, searched: String? = nil,
        named name: String? = nil
    ) async throws {
        self.settings = settings
        loaded =
            path == "-"
            ? try await CampaignFile.read(
                standardInput: StandardInput.read(), scope: settings.scope,
                terms: settings.terms, named: name)
            : try CampaignFile.read(
                path, scope: settings.scope, terms: settings.terms, searched: searched)
    }

    /// Reads the campaign file of a run again, for its `delivery`.
    ///
    /// Returns nil if the file is gone or, after a warning, if it has errors.
    static func reread(of record: RunRecord, settings: EffectiveSettings) -> LoadedCampaign? {
        let path = record.campaignPath
        guard path != "-", FileManager.default.fileExists(atPath: path) else { return nil }
        do {
            let loaded = try CampaignFile.read(
                path, scope: settings.scope, terms: settings.terms)
            // The files that the campaign names need not exist, because the run is staged.
            if (loaded.campaign ?? loaded.withoutFiles)?.name == record.campaign { return loaded }
        } catch {
            Console.complain("hubsend: warning: \(error)")
        }
        Console.complain(
            "hubsend: warning: \(path) can no longer be used; the run keeps its delivery settings."
        )
        return nil
    }
}

extension PeopleChoice {
    init(
        _ request: RunRequest, rehearsal: Rehearsal?, in ledger: (any RunHistory)?
    ) async throws {
        if let rehearsal {
            self = .rehearsal(rehearsal)
        } else if case .followUp(let outcomes) = request.mode {
            self = .followUp(
                try await UnreachedPeople.required(
                    of: request.campaign.name, with: outcomes, at: request.hub, in: ledger))
        } else if case .fallback(let parent) = request.mode {
            guard let ledger else { throw Refused.noSuchRun(parent.id) }
            self = .followUp(try await UnreachedPeople.unfetched(of: parent, in: ledger))
        } else {
            self = .all
        }
    }
}

extension UnreachedPeople {
    /// The people for `run --again --only` from the last finished run; there may be none.
    static func required(
        of campaign: String, with outcomes: Set<Outcome>, at hub: HubIdentity,
        in ledger: (any RunHistory)?
    ) async throws -> UnreachedPeople {
        if let ledger, let rest = try await last(of: campaign, with: outcomes, at: hub, in: ledger)
        {
            return rest
        }
        throw Refused(
            """
            Campaign \(campaign) has no finished run on hub \(hub), so --only has nobody to choose from; \
            `hubsend runs` lists its runs. To send or continue it, leave out --again and --only.
            """)
    }
}
