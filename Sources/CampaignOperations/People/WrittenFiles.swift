import CampaignCore
import Files
import Reports
import Settings

/// Takes a person who was forgotten out of the files that hubsend wrote: reports in the folder of reports, and the audit.
struct WrittenFiles {
    /// Writes a file of audit lines anew, without the person; false when the file has no audit lines.
    typealias AuditChange = (_ path: String) throws -> Bool

    /// The files that were written anew, in order.
    private(set) var changed: [String] = []
    /// The files that could not be written anew, each with the reason.
    private(set) var unchanged: [(path: String, why: String)] = []

    private let person: Username
    private let settings: EffectiveSettings

    /// - Parameters:
    ///   - person: the person, whom the store has forgotten.
    ///   - settings: where the files are.
    init(without person: Username, _ settings: EffectiveSettings) {
        self.person = person
        self.settings = settings
    }

    /// The audit and its rotated files, whose names continue its name after a full stop or a hyphen.
    ///
    /// Compressed files are not looked into.
    static func audits(_ settings: EffectiveSettings) -> [String] {
        let audit = Path.resolved(settings.audit)
        guard let name = Path.name(of: audit) else { return [] }
        let folder = Path.folder(of: audit)
        do {
            return try Folder.names(in: folder).filter {
                $0 == name || $0.hasPrefix(name + ".") || $0.hasPrefix(name + "-")
            }.map { Path.file($0, in: folder) }
        } catch {
            // If the folder is there and cannot be listed, opening the audit says why.
            return [audit]
        }
    }

    /// Writes the files anew that name the person.
    ///
    /// - Parameters:
    ///   - own: the store's own files, which are left alone.
    ///   - audit: writes one of the audit's files anew.
    mutating func change(besides own: Set<String>, audit: AuditChange) {
        let search = NameSearch(person)
        let audits = search.files(in: Self.audits(settings), besides: own)
        for path in audits { note(path, Result { try audit(path) }) }
        for path in search.files(in: [settings.reports], besides: own.union(audits)) {
            note(path, Result { try change(report: path) })
        }
    }

    private func change(report path: String) throws -> Bool {
        guard try ReportTarget.isReport(path) else { return false }
        var report = NamelessReport(of: person)
        try FileReplacement.rewrite(path) { report.next($0) }
        return true
    }

    private mutating func note(_ path: String, _ result: Result<Bool, any Error>) {
        switch result {
        case .success(true): changed.append(path)
        case .success(false): break
        // The file was removed meanwhile.
        case .failure(let fault as SystemFault) where fault.kind == .missing: break
        case .failure(let error): unchanged.append((path, "\(error)"))
        }
    }
}
