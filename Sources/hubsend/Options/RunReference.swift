import ArgumentParser
import CampaignCore
import Storage

/// A run as it is named on the command line: by its id, or by its campaign.
///
/// The one is never taken for the other: an id has capitals, and a campaign's name has none.
enum RunReference: Hashable, Sendable {
    case run(RunID)
    case campaign(String)

    /// The most of a campaign's runs that are looked through.
    private static let most = 10_000
    private static let longestName = 60

    /// Reads a run's id or a campaign's name from the command line.
    ///
    /// - Throws: `ValidationError` that says what either looks like.
    static func argument(_ text: String) throws -> RunReference {
        if let id = RunID(text) { return .run(id) }
        let isName = text.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
                UInt8(ascii: "-"):
                true
            default:
                false
            }
        }
        guard isName, (1...longestName).contains(text.utf8.count) else {
            let isFile = text.contains("/") || text.hasSuffix(".yaml") || text.hasSuffix(".yml")
            throw ValidationError(
                "\"\(text)\" is no run's id, such as 20261201T090000Z-k3v7qa, and no campaign's name"
                    + "\(isFile ? ": give what stands behind `campaign:` in the file" : ""); "
                    + "`hubsend runs` lists both.")
        }
        return .campaign(text)
    }

    /// The run, or the campaign's last one, rehearsals included.
    ///
    /// - Throws: ``CommandEnd`` when there is none.
    func last(in store: SQLiteStore) async throws -> RunRecord {
        switch self {
        case .run(let id):
            guard let run = try await store.run(id) else { throw CommandEnd.noSuchRun(id) }
            return run
        case .campaign(let name):
            guard let run = try await store.runs(campaign: name, limit: 1).first else {
                throw CommandEnd.noSuchCampaign(name)
            }
            return run
        }
    }

    /// The run, or the campaign's only one that is not finished; its last one when all are.
    ///
    /// - Throws: ``CommandEnd`` when there is none, or more than one that may be meant.
    func unfinished(in store: SQLiteStore) async throws -> RunRecord {
        guard case .campaign(let name) = self else { return try await last(in: store) }
        let runs = try await store.runs(campaign: name, limit: Self.most)
            .filter { $0.state != .finished }
        guard runs.count <= 1 else {
            let ids = runs.map(\.id.text).joined(separator: ", ")
            throw CommandEnd(
                .configuration,
                "Campaign \(name) has \(Figures.count(runs.count)) runs that are not finished: \(ids). Name the one to continue."
            )
        }
        if let run = runs.first { return run }
        return try await last(in: store)
    }
}
