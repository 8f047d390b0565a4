import CampaignCore
import CampaignFormat
import Delivery
import Foundation

/// A campaign file that was read, and the settings that hold for it.
struct CampaignSource: Sendable {
    let loaded: LoadedCampaign
    let settings: EffectiveSettings

    /// The campaign; nil if the file has errors.
    ///
    /// If only named files are missing on this host, the part that a staged run needs.
    var campaign: Campaign? { loaded.campaign ?? loaded.withoutFiles }

    /// Reads a campaign file, perhaps found in the folder `searched`; `-` is standard input.
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

    /// The campaign file of a run as it is now, for its `delivery`; nil if gone or, after a
    /// warning, bad.
    static func reread(of record: RunRecord, settings: EffectiveSettings) -> LoadedCampaign? {
        let path = record.campaignPath
        guard path != "-", FileManager.default.fileExists(atPath: path) else { return nil }
        do {
            let loaded = try CampaignFile.read(
                path, scope: settings.scope, terms: settings.terms)
            // The campaign's files need not exist here: the run has its people already.
            if (loaded.campaign ?? loaded.withoutFiles)?.name == record.campaign { return loaded }
        } catch {
            Console.complain("hubsend: warning: \(error)")
        }
        Console.complain(
            "hubsend: warning: \(path) cannot be used any more; the run keeps its delivery settings."
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
        } else if case .rest(let outcomes) = request.mode {
            self = .rest(
                try await RestOfRun.required(
                    of: request.campaign.name, with: outcomes, at: request.hub, in: ledger))
        } else if case .fallback(let parent) = request.mode {
            guard let ledger else { throw Refused.noSuchRun(parent.id) }
            self = .rest(try await RestOfRun.unfetched(of: parent, in: ledger))
        } else {
            self = .all
        }
    }
}

extension RestOfRun {
    /// The rest of the campaign's last finished run, perhaps nobody, for `run --again --only`.
    static func required(
        of campaign: String, with outcomes: Set<Outcome>, at hub: HubIdentity,
        in ledger: (any RunHistory)?
    ) async throws -> RestOfRun {
        if let ledger, let rest = try await last(of: campaign, with: outcomes, at: hub, in: ledger)
        {
            return rest
        }
        throw Refused(
            """
            No run of campaign \(campaign) on hub \(hub) is finished, so nobody is left of one; \
            `hubsend runs` lists them. Leave --again and --only out to send it or to go on with it.
            """)
    }
}
