import CampaignCore
import Files
import Foundation
import Storage

/// Removes a forgotten person from hubsend's own files: the reports folder and the audit log.
struct WrittenFiles {
    /// Rewrites an audit file without the person; returns false if it has no audit lines.
    typealias AuditChange = (_ path: String) throws -> Bool

    private(set) var changed: [String] = []
    private(set) var unchanged: [(path: String, why: String)] = []

    private let person: Username
    private let settings: EffectiveSettings

    init(without person: Username, _ settings: EffectiveSettings) {
        self.person = person
        self.settings = settings
    }

    /// The audit log and its rotated files, whose names add a suffix after a dot or a hyphen.
    ///
    /// Compressed files are not read.
    static func audits(_ settings: EffectiveSettings) -> [String] {
        let audit = Path.resolved(settings.audit)
        guard let name = Path.name(of: audit) else { return [] }
        let folder = Path.folder(of: audit)
        do {
            return try Folder.names(in: folder).filter {
                $0 == name || $0.hasPrefix(name + ".") || $0.hasPrefix(name + "-")
            }.map { Path.file($0, in: folder) }
        } catch {
            // If the folder exists but cannot be listed, opening the audit log reports why.
            return [audit]
        }
    }

    /// Rewrites the files that name the person, except the store's, from which the person was
    /// already deleted.
    mutating func change(
        besides own: Set<String>, in store: any Store, audit: AuditChange
    ) async {
        let search = NameSearch(person)
        let audits = search.files(in: Self.audits(settings), besides: own)
        for path in audits { note(path, Result { try audit(path) }) }
        for path in search.files(in: [settings.reports], besides: own.union(audits)) {
            do {
                note(path, .success(try await change(report: path, in: store)))
            } catch {
                note(path, .failure(error))
            }
        }
    }

    /// Rewrites a report, or removes the person from each of its lines.
    private func change(report path: String, in store: any Store) async throws -> Bool {
        let beginning = try ReportTarget.beginning(of: path)
        guard let report = WrittenReport(beginning),
            let format = WrittenReport.format(of: beginning)
        else { return false }
        if format == .html {
            // A page that lists several runs contains no names.
            guard let id = report.runOfPage else { return false }
            guard let run = try await whole(id, in: store) else { throw LostPage() }
            try await replace(path, by: format, of: run, store)
            return true
        }
        if let run = try await run(named: path, as: format, in: store) {
            do {
                try await replace(path, by: format, of: run, store)
                return true
            } catch {
                // Even if a run cannot be read, the person must be removed from the file.
            }
        }
        try FileReplacement.rewrite(path, line: ReportRedaction(person: person).line)
        return true
    }

    private func replace(
        _ path: String, by format: ReportFormat, of run: RunRecord, _ store: any Store
    ) async throws {
        // The new file would belong to this user, so another user's file must not be replaced.
        guard try FileStatus(of: path).owner == geteuid() else { throw SystemError(number: EPERM) }
        try await ReportFile(store: store, record: run, command: settings.commandForm)
            .write(format, to: path)
    }

    /// The run whose report has this file name; nil if no run matches or the store no longer has
    /// its deliveries.
    private func run(
        named path: String, as format: ReportFormat, in store: any Store
    ) async throws -> RunRecord? {
        guard let name = Path.name(of: path), let id = RunID(String(name.prefix(RunID.length))),
            let run = try await whole(id, in: store)
        else { return nil }
        return name == format.fileName(run: id, campaign: run.campaign) ? run : nil
    }

    /// Returns a run if the store still has its deliveries.
    private func whole(_ id: RunID, in store: any Store) async throws -> RunRecord? {
        guard let run = try await store.run(id), run.deliveriesDeleted == nil else { return nil }
        return run
    }

    private mutating func note(_ path: String, _ result: Result<Bool, any Error>) {
        switch result {
        case .success(true): changed.append(path)
        case .success(false): break
        case .failure(let error as SystemError) where error.kind == .missing: break
        case .failure(let error): unchanged.append((path, "\(error)"))
        }
    }
}

private struct LostPage: Error, CustomStringConvertible {
    var description: String {
        """
        the store no longer has this run's recipients, so the page cannot be rewritten; delete it
        """
    }
}
