import CampaignCore
import CampaignFormat
import Crypto
import Delivery
import Files
import Foundation
import Storage

/// A problem that persists until somebody fixes it.
struct Trouble: Sendable {
    /// The subject of the problem: a campaign's file, its runs at a hub, or a group's settings.
    let subject: Subject
    /// Distinguishes the problems of a subject, for example by a run's id; empty if there can be
    /// only one.
    var part = ""
    let essence: String
    /// How long to wait before reporting the problem again.
    var interval = TroubleMemory.interval

    /// The subject of a problem, as the store records it.
    struct Subject: Hashable, Sendable {
        let text: String

        static func file(_ path: String) -> Subject { Subject(text: "file " + path) }
        /// A named path that cannot be searched for campaigns.
        static func path(_ path: String) -> Subject { Subject(text: "path " + path) }
        /// The settings of a group of campaigns.
        static func settings(_ path: String) -> Subject { Subject(text: "settings " + path) }
        /// The connection to the hub of a group.
        static func connection(_ path: String) -> Subject { Subject(text: "connection " + path) }
        static func runs(of campaign: String, at hub: HubIdentity) -> Subject {
            Subject(text: "runs \(hub) \(campaign)")
        }
        /// Runs that cannot continue because their campaigns' files are no longer in a searched
        /// folder.
        static func lostRuns(beneath folder: String, at hub: HubIdentity) -> Subject {
            Subject(text: "lost runs \(hub) \(folder)")
        }
        static func sending(of campaign: String, at hub: HubIdentity) -> Subject {
            Subject(text: "sending \(hub) \(campaign)")
        }
    }
}

extension Trouble {
    init(_ subject: Subject, _ error: any Error) {
        if let faults = error as? ConfigErrors {
            self.init(subject, faults.findings)
            return
        }
        self.init(subject: subject, essence: Self.lasting("\(type(of: error)) \(error)"))
    }

    init(_ subject: Subject, _ findings: [Diagnostic]) {
        let lines = findings.map { finding in
            "\(finding.file):\(finding.range.line):\(finding.range.column) \(finding.rule) "
                + Self.lasting("\(finding.message)")
        }
        self.init(subject: subject, essence: lines.joined(separator: "\n"))
    }

    /// A run that has not ended.
    init(_ run: RunRecord) {
        let reason = TroubleReason.essence(of: run.reason ?? "")
        self.init(
            subject: .runs(of: run.campaign, at: run.hub), part: run.id.text,
            essence: "\(run.state.rawValue) \(run.pause?.rawValue ?? "") \(Self.lasting(reason))")
    }

    /// A run that gets no fallback because nobody has fetched anything from it.
    init(unfetched run: RunRecord) {
        self.init(
            subject: .runs(of: run.campaign, at: run.hub), part: "fallback \(run.id)",
            essence: "unfetched")
    }

    /// A start that is skipped because it may already have been sent; reported once.
    init(missed: DueWork.Missed, of campaign: String, at hub: HubIdentity) {
        self.init(
            subject: .runs(of: campaign, at: hub), part: "missed \(UTCTime.text(missed.start))",
            essence: "missed", interval: .seconds(10 * 365 * 86_400))
    }

    /// A run that cannot continue because its campaign's file is gone.
    init(lost run: RunRecord, beneath folder: String) {
        self.init(
            subject: .lostRuns(beneath: folder, at: run.hub), part: run.id.text,
            essence: run.campaignPath)
    }

    var key: String { Self.key(of: subject, part: part) }

    static func key(of subject: Subject, part: String = "") -> String {
        part.isEmpty ? subject.text : subject.text + "\n" + part
    }

    /// Whether a key belongs to a deleted file, which will not be checked again.
    static func isAboutMissingFile(_ key: String) -> Bool {
        let beginning = Subject.file("").text
        return key.hasPrefix(beginning)
            && !FileManager.default.fileExists(atPath: String(key.dropFirst(beginning.count)))
    }

    /// Distinguishes the problem from others of the same subject; a hash, so it reveals no personal
    /// data.
    var digest: String { Hexadecimal.text(SHA256.hash(data: Data(essence.utf8)).prefix(16)) }

    /// The sentence without numbers and durations, because an age changes every minute.
    private static func lasting(_ text: String) -> String {
        text.replacing(
            /([0-9][0-9,.:]*( ?(days?|hours?|minutes?|seconds?|ms|[dhms])\b)? ?)+/, with: "#")
    }
}

/// Records which problems were reported, in this call and in earlier ones.
///
/// At a terminal, every problem is reported, without any effect on what cron mails.
actor TroubleMemory {
    /// How long to wait before reporting the same problem again.
    static let interval = Duration.seconds(24 * 60 * 60)

    private let ledger: (any TroubleLedger)?
    private let isAtTerminal: Bool
    private let now: @Sendable () -> Date
    /// The keys of problems that still exist, whether they were reported or not.
    private var open: Set<String> = []
    private var reported: Set<String> = []
    private var settled: [Trouble.Subject] = []

    /// - Parameter ledger: where reported problems are recorded; if it is nil, everything is
    ///   reported.
    init(
        _ ledger: (any TroubleLedger)?, isAtTerminal: Bool, now: @escaping @Sendable () -> Date
    ) {
        self.ledger = ledger
        self.isAtTerminal = isAtTerminal
        self.now = now
    }

    /// Opens or creates the record in a store or, if there is no store, in the user's folder.
    static func kept(
        inStoreAt address: StoreAddress?, isMade: Bool, _ invocation: Invocation,
        now: @escaping @Sendable () -> Date
    ) async -> TroubleMemory {
        var store: (any Store)?
        do {
            if let address {
                let isWanted = if isMade { true } else { await address.isThere() }
                if isWanted { store = try await address.open() }
            }
        } catch {
            // If the store cannot be used, nothing is recorded.
        }
        return TroubleMemory(
            store ?? TroubleFolder(invocation), isAtTerminal: invocation.isErrorTerminal, now: now)
    }

    /// Whether to report a problem now; must be called only once per problem.
    func isNews(_ trouble: Trouble) async -> Bool {
        let isFirst = reported.insert(trouble.key + trouble.digest).inserted
        noteOpen(trouble.subject, part: trouble.part)
        guard isFirst else { return false }
        guard let ledger, !isAtTerminal else { return true }
        do {
            return try await ledger.recordTrouble(
                about: trouble.key, digest: trouble.digest, againAfter: trouble.interval,
                now: now())
        } catch {
            // A problem that cannot be recorded is reported.
            return true
        }
    }

    /// Records that a problem reported earlier may still exist.
    func noteOpen(_ subject: Trouble.Subject, part: String = "") {
        open.insert(Trouble.key(of: subject, part: part))
    }

    /// Records that a subject was checked, so that problems that were not found again count as
    /// resolved.
    func settle(_ subject: Trouble.Subject) {
        settled.append(subject)
    }

    func forgetResolved() async throws {
        guard let ledger, !settled.isEmpty else { return }
        let known = try await ledger.reportedTroubles()
        guard !known.isEmpty else { return }
        let subjects = Set(settled.map(\.text))
        let over = known.subtracting(open).filter { key in
            subjects.contains(String(key.prefix { $0 != "\n" })) || Trouble.isAboutMissingFile(key)
        }
        try await ledger.forgetTroubles(about: over)
    }
}
