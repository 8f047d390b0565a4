import CampaignCore
import CampaignFormat
import Files
import Foundation
import ProcessControl
import Storage

/// Forgets a person in the store and in hubsend's own files, and says what was done.
struct PersonRemoval {
    struct Result {
        /// What was done, and which files still name the person.
        let sentences: [String]
        /// Why something is left to do, if anything is.
        let fault: Refused?
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
            "The name of \(person) and all that was rendered for them alone goes from the store"
            + (isLocal ? "." : ", and their devices' registrations from the hub.")
        try await Question.ask(
            "Forget for good?", after: [line], otherwise: "Nothing was changed.",
            settings.invocation)
    }

    /// The person's registration ids in the store; a missing store is not made.
    func registrations() async throws -> [String] {
        let store = try await settings.store.openForReading()
        let ids = try await store.registrations(of: person, handle: nil, limit: Self.most)
            .map(\.id)
        try store.close()
        return ids
    }

    /// Forgets the person in the store, and then in reports and the audit.
    ///
    /// `atHub` is nil if the hub was left out; `audit` returns false for a file without audit
    /// lines.
    func run(
        atHub: Int?, audit: (_ path: String) throws -> Bool
    ) async throws -> Result {
        // On a server, the payload key recognises forgotten people; a file has its own key.
        let options =
            settings.store.file == nil ? try await settings.storeOptions() : StoreOptions()
        let store = try await settings.store.open(options)
        let forgotten: ForgottenPerson
        do {
            forgotten = try await store.forget(person, at: Date())
        } catch StoreError.locked(let place) {
            throw Refused(
                """
                Not all that the \(place) has of \(person) was deleted: a process works on a campaign that goes to them, or \
                keeps others from writing. Let it end, or stop it (`hubsend runs` lists what goes on), and run the same \
                command again.
                """, status: .tryAgain)
        }
        let own = Set(settings.storeFiles)
        var written = WrittenFiles(without: person, settings)
        await written.change(besides: own, in: store, audit: audit)
        try store.close()
        let sentences = Self.sentences(
            person, forgotten, isOnServer: settings.store.file == nil, atHub: atHub,
            changed: written.changed, files: files(besides: own))
        guard !written.unchanged.isEmpty else { return Result(sentences: sentences, fault: nil) }
        let fault = Refused(
            """
            The store has forgotten \(person), but these files of hubsend still name them, since they could not be written \
            anew. Mend that, and call it again:
            """,
            details: Refused.lines(written.unchanged) { "\(VisibleText.path($0.path)): \($0.why)" })
        return Result(sentences: sentences, fault: fault)
    }

    private func files(besides own: Set<String>) -> [String] {
        let home = settings.configPath.map { Path.folder(of: settings.invocation.absolute($0)) }
        let places: [String?] = [
            home, settings.localFolder, settings.reports, settings.audiences?.path,
        ]
        return NameSearch(person).files(
            in: places.compactMap(\.self) + WrittenFiles.audits(settings), besides: own)
    }

    /// - Parameter isOnServer: less can be promised of a server than of a file.
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
                ? "The store had nothing of \(person). Check the spelling: names are compared exactly, with upper and lower case."
                : "\(person) is forgotten: the name in \(runs), \(payloads) and \(known) went from the store."
        ]
        if let atHub {
            let deleted = Figures.count(atHub, "registration", "registrations")
            lines.append("At the hub, \(deleted) \(atHub == 1 ? "was" : "were") deleted.")
        } else {
            lines.append("The hub was left out: it may still have their devices' registrations.")
        }
        if isOnServer {
            lines.append(
                "No row of the store names them any more. The server's write-ahead log, its replicas and backups, and free space in its files can hold the name until they are overwritten or expire."
            )
        } else if !forgotten.isErased {
            lines.append(
                "Pages that were deleted may still hold the name, since others use the store. Call this again when nothing else does."
            )
        }
        lines.append(
            "A keyed hash of the name stays, which keeps them out of later runs. Backups at other places may still name them."
        )
        if isOnServer {
            lines.append(
                "Other hosts that use the store have reports and an audit of their own, which may name them: call this on each of them too."
            )
        }
        return lines + list("These files were written anew without the name:", changed)
            + list("These files still name them:", files)
    }

    /// A line with paths below it; empty if there are no paths.
    private static func list(_ line: String, _ paths: [String]) -> [String] {
        guard !paths.isEmpty else { return [] }
        var lines = [line] + paths.prefix(mostListed).map { "  \(VisibleText.path($0))" }
        if paths.count > mostListed {
            lines.append("  and \(Figures.count(paths.count - mostListed)) more")
        }
        return lines
    }
}
