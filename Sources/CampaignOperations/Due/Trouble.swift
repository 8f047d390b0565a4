import CampaignCore
import CampaignFormat
import Crypto
import Delivery
import Files
import Foundation
import Settings
import Storage

/// Something that is wrong and stays so until somebody mends it.
struct Trouble: Sendable {
    /// What it is about: a campaign's file, its runs at a hub, the settings of a group.
    let subject: Subject
    /// Tells several troubles of the same subject apart, such as a run's id; empty when there is only one.
    let part: String
    private let essence: String
    /// After so long, people are told of it again.
    let interval: Duration

    /// What a trouble is about, as the store remembers it.
    struct Subject: Hashable, Sendable {
        let text: String

        /// A campaign's file.
        static func file(_ path: String) -> Subject { Subject(text: "file " + path) }
        /// A path that was named and cannot be searched for campaigns.
        static func path(_ path: String) -> Subject { Subject(text: "path " + path) }
        /// The settings of a group of campaigns, or how its hub is reached.
        static func settings(_ path: String) -> Subject { Subject(text: "settings " + path) }
        /// The way to the hub of a group of campaigns.
        static func connection(_ path: String) -> Subject { Subject(text: "connection " + path) }
        /// The runs of a campaign that have not ended.
        static func runs(of campaign: String, at hub: HubIdentity) -> Subject {
            Subject(text: "runs \(hub) \(campaign)")
        }
        /// The runs that do not go on because their campaigns' files are gone from a searched folder.
        static func lostRuns(beneath folder: String, at hub: HubIdentity) -> Subject {
            Subject(text: "lost runs \(hub) \(folder)")
        }
        /// What keeps a campaign from being sent.
        static func sending(of campaign: String, at hub: HubIdentity) -> Subject {
            Subject(text: "sending \(hub) \(campaign)")
        }
    }

    private init(
        _ subject: Subject, part: String = "", essence: String,
        interval: Duration = TroubleMemory.interval
    ) {
        self.subject = subject
        self.part = part
        self.essence = essence
        self.interval = interval
    }

    /// An error.
    init(_ subject: Subject, _ error: any Error) {
        if let faults = error as? ConfigFaults {
            self.init(subject, faults.findings)
            return
        }
        self.init(subject, essence: Self.lasting("\(type(of: error)) \(error)"))
    }

    /// Findings in files.
    init(_ subject: Subject, _ findings: [Diagnostic]) {
        let lines = findings.map { finding in
            "\(finding.file):\(finding.range.line):\(finding.range.column) \(finding.rule) "
                + Self.lasting("\(finding.message)")
        }
        self.init(subject, essence: lines.joined(separator: "\n"))
    }

    /// A run that has not ended.
    init(_ run: RunRecord) {
        let reason = TroubleReason.essence(of: run.reason ?? "")
        self.init(
            .runs(of: run.campaign, at: run.hub), part: run.id.text,
            essence: "\(run.state.rawValue) \(run.pause?.rawValue ?? "") \(Self.lasting(reason))")
    }

    /// A run that no fallback follows because nobody has fetched anything of it.
    init(unfetched run: RunRecord) {
        self.init(
            .runs(of: run.campaign, at: run.hub), part: "fallback \(run.id)", essence: "unfetched")
    }

    /// A start that is not sent since it may have been sent already; it is told once.
    init(missed: DueWork.Missed, of campaign: String, at hub: HubIdentity) {
        self.init(
            .runs(of: campaign, at: hub), part: "missed \(UTCTime.text(missed.start))",
            essence: "missed",
            interval: .seconds(10 * 365 * 86_400))
    }

    /// A run that does not go on because its campaign's file is gone.
    init(lost run: RunRecord, beneath folder: String) {
        self.init(
            .lostRuns(beneath: folder, at: run.hub), part: run.id.text, essence: run.campaignPath)
    }

    /// The key by which the store remembers it.
    var key: String { Self.key(of: subject, part: part) }

    static func key(of subject: Subject, part: String = "") -> String {
        part.isEmpty ? subject.text : subject.text + "\n" + part
    }

    /// Whether a key belongs to a file that is gone, and so is never looked at again.
    static func isOfFileThatIsGone(_ key: String) -> Bool {
        let beginning = Subject.file("").text
        return key.hasPrefix(beginning)
            && !FileManager.default.fileExists(atPath: String(key.dropFirst(beginning.count)))
    }

    /// Tells it from other troubles about the same; it is a digest, so that the store keeps no values of people.
    var digest: String {
        SHA256.hash(data: Data(essence.utf8)).prefix(16)
            .map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    /// A sentence without its numbers and lengths of time, since an age is another one each minute.
    private static func lasting(_ text: String) -> String {
        text.replacing(
            /([0-9][0-9,.:]*( ?(days?|hours?|minutes?|seconds?|ms|[dhms])\b)? ?)+/, with: "#")
    }
}

/// What people were told of in earlier calls, and in this one.
///
/// A person at a terminal is told everything each time. That does not count for those who read cron's mail.
actor TroubleMemory {
    /// After so long, people are told of the same trouble again.
    static let interval = Duration.seconds(24 * 60 * 60)

    private let ledger: (any TroubleLedger)?
    private let isAtTerminal: Bool
    private let now: @Sendable () -> Date
    /// The keys of troubles that still hold, whether or not people were told of them.
    private var standing: Set<String> = []
    private var told: Set<String> = []
    private var settled: [Trouble.Subject] = []

    /// - Parameters:
    ///   - ledger: where it is kept; nil: nowhere, so that everything is told.
    ///   - isAtTerminal: whether a person looks on at a terminal.
    ///   - now: the current time.
    init(
        _ ledger: (any TroubleLedger)?, isAtTerminal: Bool, now: @escaping @Sendable () -> Date
    ) {
        self.ledger = ledger
        self.isAtTerminal = isAtTerminal
        self.now = now
    }

    /// The memory in a store that this call uses for nothing else, or in the user's folder when there is no store.
    ///
    /// - Parameters:
    ///   - address: the store; nil: it is not known.
    ///   - isMade: whether a missing store is made.
    ///   - invocation: where standard streams lead.
    ///   - now: the current time.
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
            // A store that cannot be used remembers nothing.
        }
        return TroubleMemory(
            store ?? TroubleFolder(invocation), isAtTerminal: invocation.isErrorTerminal, now: now)
    }

    /// Whether a trouble is to be told now; each trouble is asked about once.
    func isNews(_ trouble: Trouble) async -> Bool {
        let isFirst = told.insert(trouble.key + trouble.digest).inserted
        stands(trouble.subject, part: trouble.part)
        guard isFirst else { return false }
        guard let ledger, !isAtTerminal else { return true }
        do {
            return try await ledger.tellTrouble(
                about: trouble.key, digest: trouble.digest, againAfter: trouble.interval,
                now: now())
        } catch {
            // What cannot be remembered is told.
            return true
        }
    }

    /// Notes that a trouble which was told may still hold.
    func stands(_ subject: Trouble.Subject, part: String = "") {
        standing.insert(Trouble.key(of: subject, part: part))
    }

    /// Notes that a subject was looked at: its troubles that do not hold now are over.
    func settle(_ subject: Trouble.Subject) {
        settled.append(subject)
    }

    /// Forgets the troubles that are over.
    ///
    /// - Throws: what the store throws.
    func forgetWhatIsOver() async throws {
        guard let ledger, !settled.isEmpty else { return }
        let known = try await ledger.toldTroubles()
        guard !known.isEmpty else { return }
        let subjects = Set(settled.map(\.text))
        let over = known.subtracting(standing).filter { key in
            subjects.contains(String(key.prefix { $0 != "\n" })) || Trouble.isOfFileThatIsGone(key)
        }
        try await ledger.forgetTroubles(about: over)
    }
}
