import CampaignCore
import CampaignFormat
import Files
import Foundation
import ProcessControl
import Storage

/// Deletes a person from the store and from hubsend's own files, and says what was done.
struct PersonRemoval {
    struct Result {
        /// Sentences about what was done, and about files that still name the person.
        let sentences: [String]
        /// The reason why the removal is incomplete, if there is one.
        let error: Refused?
    }

    private static let most = 100_000
    private static let mostListed = 50

    private let person: Username
    private let settings: EffectiveSettings

    init(of person: Username, _ settings: EffectiveSettings) {
        self.person = person
        self.settings = settings
    }

    func ask(isLocal: Bool) async throws {
        let line =
            "This deletes the name of \(person) and everything rendered only for them from the store"
            + (isLocal ? "." : ", and their devices' registrations from the hub.")
        try await Question.ask(
            "Delete permanently?", after: [line], otherwise: "Nothing was changed.",
            settings.invocation)
    }

    /// The person's registration ids in the store; a missing store is not created.
    func registrations() async throws -> [String] {
        let store = try await settings.store.openForReading()
        let ids = try await store.registrations(of: person, handle: nil, limit: Self.most)
            .map(\.id)
        try store.close()
        return ids
    }

    /// Deletes the person from the store, and then from reports and the audit log.
    ///
    /// `atHub` is nil if the hub was not contacted; `audit` returns false for a file without audit
    /// lines.
    func run(
        atHub: Int?, audit: (_ path: String) throws -> Bool
    ) async throws -> Result {
        // On a server, names of forgotten people are hashed with the payload key; a file has its
        // own key.
        let options =
            settings.store.file == nil ? try await settings.storeOptions() : StoreOptions()
        let store = try await settings.store.open(options)
        let forgotten: ForgottenPerson
        do {
            forgotten = try await store.forget(person, at: Date())
        } catch StoreError.locked(let place) {
            throw Refused(
                """
                Not everything about \(person) was deleted from the \(place): another process is sending a campaign to \
                them or has locked the store. Wait for it to end, or stop it (`hubsend runs` lists the runs), and run \
                the same command again.
                """, status: .tryAgain)
        }
        let own = Set(settings.storeFiles)
        var written = WrittenFiles(without: person, settings)
        await written.change(besides: own, in: store, audit: audit)
        try store.close()
        let sentences = Self.sentences(
            person, forgotten, isOnServer: settings.store.file == nil, atHub: atHub,
            changed: written.changed, files: files(besides: own))
        guard !written.unchanged.isEmpty else { return Result(sentences: sentences, error: nil) }
        let error = Refused(
            """
            \(person) was deleted from the store, but these files still name them, because they could not be rewritten. \
            Fix that, and run the command again:
            """,
            details: Refused.lines(written.unchanged) { "\(VisibleText.path($0.path)): \($0.why)" })
        return Result(sentences: sentences, error: error)
    }

    private func files(besides own: Set<String>) -> [String] {
        let home = settings.configPath.map { Path.folder(of: settings.invocation.absolute($0)) }
        let places: [String?] = [
            home, settings.localFolder, settings.reports, settings.audiences?.path,
        ]
        return NameSearch(person).files(
            in: places.compactMap(\.self) + WrittenFiles.audits(settings), besides: own)
    }

    /// - Parameter isOnServer: a server may retain the name longer than a file does.
    static func sentences(
        _ person: Username, _ forgotten: ForgottenPerson, isOnServer: Bool = false, atHub: Int?,
        changed: [String] = [], files: [String]
    ) -> [String] {
        let runs = Figures.count(forgotten.runs, "run", "runs")
        let payloads = Figures.count(forgotten.payloads, "payload", "payloads")
        let known = Figures.count(forgotten.registrations, "registration", "registrations")
        let found = forgotten.runs + forgotten.payloads + forgotten.registrations + (atHub ?? 0)
        var lines = [
            found == 0
                ? "The store had nothing about \(person). Check the spelling: upper and lower case matter."
                : "\(person) was deleted from the store: the name in \(runs), \(payloads) and \(known)."
        ]
        if let atHub {
            let deleted = Figures.count(atHub, "registration", "registrations")
            lines.append("At the hub, \(deleted) \(atHub == 1 ? "was" : "were") deleted.")
        } else {
            lines.append(
                "The hub was not contacted, so it may still have their devices' registrations.")
        }
        if isOnServer {
            lines.append(
                "No row in the store names them any more. The server's write-ahead log, its replicas and backups, and free space in its files may contain the name until they are overwritten or expire."
            )
        } else if !forgotten.isErased {
            lines.append(
                "Deleted pages of the file may still contain the name, because other processes are using the store. Run this again when nothing else uses it."
            )
        }
        lines.append(
            "A keyed hash of the name is kept, to exclude them from later runs. Backups elsewhere may still name them."
        )
        if isOnServer {
            lines.append(
                "Other hosts that use the store have their own reports and audit logs, which may name them: run this on each host too."
            )
        }
        return lines + list("These files were rewritten without the name:", changed)
            + list("These files still name them:", files)
    }

    /// Returns a line followed by the paths, or an empty text if there are no paths.
    private static func list(_ line: String, _ paths: [String]) -> [String] {
        guard !paths.isEmpty else { return [] }
        var lines = [line] + paths.prefix(mostListed).map { "  \(VisibleText.path($0))" }
        if paths.count > mostListed {
            lines.append("  and \(Figures.count(paths.count - mostListed)) more")
        }
        return lines
    }
}
