import CampaignCore
import CampaignFormat
import Delivery
import Files
import FoundationEssentials
import Storage

/// Why a command cannot do what it was asked for with campaigns and their runs.
enum OperationFault: Error, Sendable, CustomStringConvertible {
    case noSuchRun(RunID)
    case noSuchCampaign(String)
    case noSuchPayloads([NotificationID])
    /// A payload without content to write: one that was purged, or an alert, which has none.
    case noContent(of: NotificationID, isPurged: Bool)
    /// A file that was to be created, but exists.
    case fileIsThere(String)
    /// A store without runs.
    case noRun(StorePlace)
    case damagedStore(StorePlace, [StoreFault])
    /// A backup of a store on a server; the folder has this host's keys.
    case serverBackup(StorePlace, localFolder: String)
    /// The store is in a file, but only a store on a server can take a copy.
    case noServer(String)
    /// The store is in a file, whose path may be shown; the command needs a shared store.
    case noSharedStore(String)
    /// The hub is in this process, but the command needs one that others reach.
    case hubOfOneCommand
    /// A file to copy from that holds no store.
    case nothingToCopy(StorePlace)
    /// A file store's payload key is not this host's key for the server; both key files.
    case keyNotCopied(from: String, to: String)
    /// A store in a file that was only partly copied.
    case migrationInterrupted(StorePlace)
    case rekeyInterrupted(StorePlace)
    /// Some of a store's payloads could not be encrypted with another key.
    case rekeyIncomplete(StorePlace, RekeyedPayloads)
    /// A person's registrations at the hub could not be deleted: why, and whether that may pass.
    case personAtHub(Username, why: String, isPassing: Bool)
    /// A person is not forgotten: a process works on a campaign to them, or locks the store.
    case personInUse(Username, StorePlace)
    /// Files of hubsend's own that still name a person, and why they were not rewritten.
    case stillNamed(Username, files: [(path: String, why: String)])
    /// The messages of a run are at another hub than the configured one.
    case telemetryElsewhere(RunID, sent: HubIdentity, configured: HubIdentity)
    /// A campaign with more than one run that could be continued.
    case severalUnfinished(campaign: String, [RunID])
    /// Several runs may be meant, and the command is final; why, as the start of a sentence.
    case ambiguous(String, among: [RunRecord])
    case nothingToStop(campaign: String)
    /// A finished run that a fallback still follows, and the command that prevents it.
    case fallbackToCome(of: RunID, revoke: String)
    /// The run's own hub does not exist, and another is configured; the command that starts over.
    case missingHub(of: RunID, HubIdentity, configured: HubIdentity, anew: String)
    /// No run of the campaign is finished, so there is no rest of a run.
    case noFinishedRun(campaign: String, hub: HubIdentity)
    /// A preview of the rest of a run that cannot tell which hub is meant.
    case noHubForRest
    /// The audience refers to another campaign's run, and none is finished at the hub.
    ///
    /// `near` is a campaign with a similar name.
    case noRunForAudience(
        of: String, campaign: String, hub: HubIdentity, isExclusion: Bool, near: String?)
    /// The campaign excludes people of another campaign, whose latest run is not finished.
    case unfinishedRunForAudience(RunRecord, campaign: String, command: CommandForm)
    /// The audience refers to another campaign's run, whose deliveries were deleted at that time.
    case forgottenRunForAudience(of: String, campaign: String, RunID, deleted: Date)
    /// The audience refers to people of a run, and the preview cannot tell which hub is meant.
    case noHubForRuns(campaign: String)
    /// A person to show is not in the audience; `near` are similar names.
    case notInAudience(Username, campaign: String, near: [Username])
    /// A person to show is not in the rest of a run that is previewed; `near` are similar names.
    case notInRest(Username, of: RunID, with: Set<Outcome>, near: [Username])
    /// A person to show is not in the rehearsal that is previewed; `near` are similar names.
    case notInRehearsal(Username, near: [Username])
    /// A preview is to save a plan, but cannot tell for which hub.
    case noHubForPlan
    case planOfRehearsal
    /// The path for a plan holds something else.
    case notAPlan(String)
    /// Two files with the same campaign name.
    case sameCampaignTwice
    /// Several files with the same campaign name; none of them is sent.
    case sameCampaign(String, files: [String])
    /// A campaign that another process works on, and the command that stops it.
    case locked(campaign: String, stop: String)
    /// A campaign that was interrupted before anything was sent.
    case interrupted(campaign: String)
    /// A folder given to a command that takes files, and the command for each campaign in it.
    case folder(String, commands: [String])
    /// A file to check that is something else.
    case notACampaign(String, FileKind)
    case noSuchRule(String)
    case errorRule(String)
    /// A name for standard input, which nothing reads.
    case nameWithoutStandardInput
    /// A search found no campaign; `passedOver` is what it skipped, if anything.
    case noCampaign(searched: String, passedOver: String?)
    /// A payload key of the wrong form; no part of it is shown.
    case unusablePayloadKey(setting: String)
    case unusableHubName(why: String)
    /// A setting that is not a valid connection string; no part of it is shown.
    case unusableConnectionString(setting: String, why: String)
    /// A connection string for another hub than the first.
    case otherHub(setting: String, first: String)
    case unwritableFile(String, why: String)
    /// A pipe or a device that does not take a report.
    case unwritableReport(why: String)
    /// The disk is too full to write something.
    case noRoom(for: String, why: String)
    /// A report of a run whose people are not all known.
    case beingStaged(RunID, campaign: String)
    /// The path for a report holds something else.
    case notAReport(String)
    case reportIsFolder(String)
    case unreadableFile(String, why: String)
    case unopenableFile(String, why: String)

    /// The most lines in ``details``.
    private static let mostListed = 5

    /// Full sentences: what is wrong, where, what to do.
    var description: String {
        switch self {
        case .noSuchRun(let id):
            "There is no run \(id) in this store; `hubsend runs` lists those that are."
        case .noSuchCampaign(let name):
            "There is no run of a campaign \(name) in this store; `hubsend runs` lists those that are."
        case .noSuchPayloads(let ids):
            """
            There is no payload \(ids.map(\.text).joined(separator: ", ")) in this store, and nothing was done; \
            `hubsend payload list` lists those that are.
            """
        case .noContent(let id, isPurged: true):
            "The content of payload \(id) was purged; there is nothing to write."
        case .noContent(let id, isPurged: false):
            "Payload \(id) is an alert, which has no content; there is nothing to write."
        case .fileIsThere(let path):
            "The file \(path) is there already; name another, or delete it first."
        case .beingStaged(let id, let campaign):
            """
            Run \(id) of campaign \(campaign) is still being staged, and nothing was sent, so there is no report of \
            it yet. If its `hubsend run` was interrupted, the same command begins it again.
            """
        case .noRun(let place):
            "There is no run in the \(place) yet; start one with `hubsend run`."
        case .damagedStore(let place, _):
            "\(StoreError.corrupt(place)) This is wrong with it:"
        case .serverBackup(let place, let folder):
            """
            The \(place) is backed up with its server's own tools, such as `pg_dump` or `pg_basebackup`; see \
            hubsend-postgresql(7). The keys in \(VisibleText.path(folder)) are not in such a backup: keep a copy of them at \
            another place.
            """
        case .noServer(let store):
            """
            A file is copied into a store on a server, and the store is \(store). Name the server in the config's `store` or \
            with --store; see hubsend-postgresql(7).
            """
        case .noSharedStore(let store):
            """
            A worker takes part in runs that several processes share, in a store on a PostgreSQL server, and the store is \
            \(store), which needs none: `hubsend run` sends all of it. To move it to a server, with its memory of who was \
            sent what, give `hubsend store migrate --from FILE --store postgresql://db.example.com/hubsend`; see \
            hubsend-postgresql(7).
            """
        case .hubOfOneCommand:
            """
            The hub of this config (`hub.local`) lives inside one command only, so no other process can take part in its \
            runs. Start `hubsend hub`, and set the two variables that it prints, here and for `hubsend run`.
            """
        case .nothingToCopy(let place):
            "There is no \(place) that could be copied; nothing was written. Name the file of a store of hubsend with --from."
        case .keyNotCopied(let source, let target):
            """
            The payloads in the file are encrypted, and stay so on the server. Copy their key from \
            \(VisibleText.path(source)) to \(VisibleText.path(target)), with mode 0600, and call this again.
            """
        case .rekeyIncomplete(let place, let rekeyed) where rekeyed.unreadable > 0:
            """
            \(Figures.count(rekeyed.unreadable, "payload", "payloads")) in the \(place) cannot be decrypted with any of the keys, and \
            stay as they are; keep all keys. Look with `hubsend store check` whether the store is damaged, and put a backup back.
            """
        case .rekeyIncomplete(let place, let rekeyed) where rekeyed.isOvertaken:
            """
            Somebody began to encrypt the payloads in the \(place) with another key meanwhile. Keep all keys, put the same one \
            first on all hosts, and repeat the command.
            """
        case .rekeyIncomplete(let place, _):
            """
            All payloads in the \(place) were encrypted with the first key, but for a run that is being staged now. Keep all keys, and \
            repeat the command once `hubsend runs` shows none.
            """
        case .rekeyInterrupted(let place):
            """
            Not all payloads in the \(place) are encrypted with the first key yet; those that are stay so. The same command goes on; \
            keep all keys until then.
            """
        case .migrationInterrupted(let place):
            "interrupted; the runs of the \(place) that were copied stay, and the same command goes on with the others"
        case .personAtHub(let person, let why, _):
            """
            Nothing was forgotten in the store, since the registrations of \(person) at the hub could not be deleted. \
            \(why) Call it again when that is fixed, or leave the hub out with --local.
            """
        case .personInUse(let person, let place):
            """
            Not all that the \(place) has of \(person) was deleted: a process works on a campaign that goes to them, or keeps others \
            from writing. Let it end, or stop it (`hubsend runs` lists what goes on), and run the same command again.
            """
        case .stillNamed(let person, _):
            """
            The store has forgotten \(person), but these files of hubsend still name them, since they could not be written \
            anew. Mend that, and call it again:
            """
        case .telemetryElsewhere(let run, let sent, let configured):
            "Run \(run) was sent through the hub \(sent), and \(configured) is configured; only the first knows what became of "
                + "its messages."
        case .severalUnfinished(let campaign, let runs):
            "Campaign \(campaign) has \(Figures.count(runs.count)) runs that are not finished: "
                + "\(runs.map(\.text).joined(separator: ", ")). Name the one to continue."
        case .ambiguous(let why, _):
            "\(why). Nothing was changed; name the run that is meant:"
        case .nothingToStop(let campaign):
            "Every run of campaign \(campaign) is finished, so there is nothing to stop."
        case .fallbackToCome(let run, let revoke):
            "Run \(run) is finished, so there is nothing to stop, and a fallback is still to follow it. To keep it "
                + "away, and take the run's payloads back: \(revoke)"
        case .missingHub(let run, let hub, let configured, let anew):
            """
            Run \(run) was begun on the hub \(hub), which does not exist, and nothing of it was sent. To end it and begin the \
            campaign anew on \(configured): \(anew)
            """
        case .noFinishedRun(let campaign, let hub):
            """
            No run of campaign \(campaign) on hub \(hub) is finished, so nobody is left of one; \
            `hubsend runs` lists them. Leave --again and --only out to send it or to go on with it.
            """
        case .noHubForRest:
            """
            A preview asks no hub and runs no command, so it cannot tell from which hub's runs --only is to \
            choose. Set HUBSEND_HUB_CONNECTION_STRING (or _FILE) and HUBSEND_HUB_NAME.
            """
        case .noRunForAudience(let other, let campaign, let hub, isExclusion: false, let near):
            """
            The audience of campaign \(campaign) names the people of campaign \(other)'s last run, but no run of \(other) \
            on hub \(hub) is finished; `hubsend runs` lists them.\(Self.question(near)) Finish one first, or take \
            \(other) out of `runs`.
            """
        case .noRunForAudience(let other, let campaign, let hub, isExclusion: true, let near):
            """
            Campaign \(campaign) leaves out the people of the last run of campaign \(other), and no run of \(other) on \
            hub \(hub) is finished, so it is not known who they are.\(Self.question(near)) Check the name and the hub: \
            `hubsend runs` lists the runs. Only if \(other) may not have run yet, write \
            `runs: [{ campaign: \(other), optional: true }]`.
            """
        case .unfinishedRunForAudience(let run, let campaign, let command):
            """
            Campaign \(campaign) leaves out the people of campaign \(run.campaign), whose run \(run.id) is not finished \
            (\(run.state.rawValue)), so it is not known yet who they are. When it has ended, give this command again.
            """
                + (run.waitsForPerson ? " To finish it: \(command(["resume", run.id.text]))" : "")
        case .forgottenRunForAudience(let other, let campaign, let run, let time):
            """
            Campaign \(campaign) names people of the last run of campaign \(other) under `runs`, but the recipients of \
            that run, \(run), were deleted on \(UTCTime.readable(time)), as the config's `retention` says. Name these \
            people in a file instead.
            """
        case .noHubForRuns(let campaign):
            """
            A preview asks no hub and runs no command, so it cannot tell from which hub's runs the audience of campaign \
            \(campaign) takes its people. Set HUBSEND_HUB_CONNECTION_STRING (or _FILE) and HUBSEND_HUB_NAME.
            """
        case .notInAudience(let person, let campaign, let near):
            "\(person) is not in the audience of campaign \(campaign).\(Self.question(near))"
        case .notInRest(let person, let run, let outcomes, let near):
            "\(person) has no delivery in run \(run) that ended as \(Self.list(outcomes)), or is not in the audience any more."
                + Self.question(near)
        case .notInRehearsal(let person, let near):
            "\(person) is not in this rehearsal, which is for those whom --to names.\(Self.question(near))"
        case .noHubForPlan:
            """
            A plan says for which hub it is, and a preview asks no hub and runs no command to find out. Set \
            HUBSEND_HUB_CONNECTION_STRING (or _FILE; a key that may only listen will do) and HUBSEND_HUB_NAME.
            """
        case .planOfRehearsal: "A rehearsal has no plan; leave --to or --save out."
        case .notAPlan(let path):
            "The file \(VisibleText.path(path)) exists and is not a plan. Name another file, or delete this one first."
        case .sameCampaignTwice:
            "Two of the files are the same campaign; names are unique in a store."
        case .sameCampaign(let name, let files):
            """
            Campaign \(name) is in several files: \(files.map(VisibleText.path).joined(separator: ", ")). Names are unique \
            in a store, so none of them is sent; give each a name of its own.
            """
        case .locked(let campaign, let stop):
            """
            Campaign \(campaign): another process works on it; wait until that has ended, or stop it with: \
            \(stop)
            """
        case .interrupted(let campaign):
            "campaign \(campaign): interrupted before anything of it was sent"
        case .folder(let folder, _):
            "\"\(folder)\" is a folder, and this command takes campaign files. Name one of those in it:"
        case .notACampaign(let path, let kind): "\"\(path)\" is \(kind), not a campaign."
        case .noSuchRule(let name):
            "There is no rule \"\(name)\". "
                + (NearestName.nearest(to: name, among: Rule.all.map(\.id))
                    .map { "Did you mean \"\($0)\"? " } ?? "")
                + "`hubsend rules` lists all."
        case .errorRule(let name):
            """
            The rule "\(name)" is an error, which cannot be switched off: a campaign that breaks it is not sent. \
            `hubsend rules \(name)` says why.
            """
        case .nameWithoutStandardInput:
            "--stdin-name says which file standard input is, so it needs - among the paths."
        case .noCampaign(let searched, let passedOver):
            """
            There is no campaign file in \(searched); campaign files end in .yaml or .yml and have the key \
            "campaign"\(passedOver.map { "; " + $0 + " (--verbose names them)" } ?? "").
            """
        case .unusablePayloadKey(let setting):
            """
            What \(setting) gives is no payload key: it takes 32 bytes in base64 or hexadecimal, such as \
            `openssl rand -base64 32` prints; or several, with spaces or line ends between them, while keys are exchanged.
            """
        case .unusableHubName(let why): "The hub's name is wrong. \(why)"
        case .unusableConnectionString(let setting, let why):
            "The connection string in \(setting) is wrong. \(why)"
        case .otherHub(let setting, let first):
            """
            \(setting) leads to another hub than \(first). It is for the other key of the same hub, while keys are exchanged; \
            correct one of them, or unset it.
            """
        case .unwritableFile(let path, let why): "The file \(path) cannot be written: \(why)."
        case .unwritableReport(let why): "The report cannot be written: \(why)."
        case .noRoom(let what, let why):
            "The \(what) cannot be written: \(why). Make room, then have it written again."
        case .notAReport(let path):
            "The file \(path) exists and is not a report that hubsend wrote. Name another file, or delete this one first."
        case .reportIsFolder(let path): "\(path) is a folder; name a file in it."
        case .unreadableFile(let path, let why): "\(path) cannot be read: \(why)."
        case .unopenableFile(let path, let why): "\(path) cannot be opened: \(why)."
        }
    }

    /// Lines to show below the description; usually empty.
    var details: String {
        switch self {
        case .ambiguous(_, let runs):
            Self.list(runs, more: { "\(Figures.count($0)) more, see `hubsend runs`" }) { run in
                let rehearsal = run.isRehearsal ? ", a rehearsal" : ""
                let people = Figures.count(run.recipients, "person", "people")
                return "\(run.id)  \(run.state.rawValue), \(people)\(rehearsal)"
            }
        case .damagedStore(_, let faults):
            Self.list(faults, more: { "\(Figures.count($0)) more" }, line: \.description)
        case .stillNamed(_, let files):
            Self.list(files, more: { "\($0) more" }) { "\(VisibleText.path($0.path)): \($0.why)" }
        case .folder(_, let commands):
            Self.list(commands, more: { "\($0) more" }, line: \.self)
        default: ""
        }
    }

    /// Asks whether somebody else was meant; empty if no name is similar.
    private static func question(_ near: [Username]) -> String {
        near.isEmpty ? "" : question(near.map(\.text).joined(separator: ", "))
    }

    private static func question(_ near: String?) -> String {
        near.map { " Did you mean \($0)?" } ?? ""
    }

    /// Outcomes, always in the same order.
    private static func list(_ outcomes: Set<Outcome>) -> String {
        Outcome.allCases.filter(outcomes.contains).map(\.rawValue).joined(separator: ", ")
    }

    private static func list<Item>(
        _ items: [Item], more: (Int) -> String, line: (Item) -> String
    ) -> String {
        var lines = items.prefix(mostListed).map { "  \(line($0))\n" }
        let left = items.count - mostListed
        if left > 0 { lines.append("  and \(more(left))\n") }
        return lines.joined()
    }
}

/// Ends a command after its findings were shown, errors among them; nothing else is printed.
struct FindingsShown: Error {}

/// Ends a command after a person said no; nothing was done, and nothing is wrong.
struct ConsentRefused: Error {}

/// A run ended and is recorded, but its report could not be written.
struct ReportNotWritten: Error {
    let cause: any Error
    /// A sentence that says how to write it.
    let remedy: String
    /// Whether the same command again would write it, without sending anything.
    let isMendedByRerun: Bool

    init(cause: any Error, remedy: String, isMendedByRerun: Bool) {
        self.cause = cause
        self.remedy = remedy
        self.isMendedByRerun = isMendedByRerun
    }
}

struct ErrorWithRemedy: Error {
    let cause: any Error
    let remedy: String
}

extension OperationFault {
    /// - Parameter why: what to say about it; nil: the system's words.
    static func unwritable(_ path: String, _ fault: SystemFault, why: String? = nil) -> Self {
        let why = why ?? fault.description
        return fault.kind == .diskFull
            ? .noRoom(for: "file \(path)", why: why) : .unwritableFile(path, why: why)
    }
}
