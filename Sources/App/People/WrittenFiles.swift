import CampaignCore
import Files

/// Removes a forgotten person from hubsend's own files: reports in their folder, and the audit.
struct WrittenFiles {
    /// Rewrites an audit file without the person; false if it has no audit lines.
    typealias AuditChange = (_ path: String) throws -> Bool

    private(set) var changed: [String] = []
    private(set) var unchanged: [(path: String, why: String)] = []

    private let person: Username
    private let settings: EffectiveSettings

    init(without person: Username, _ settings: EffectiveSettings) {
        self.person = person
        self.settings = settings
    }

    /// The audit and its rotated files, named like it with a suffix after a dot or a hyphen.
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
            // If the folder exists and cannot be listed, opening the audit says why.
            return [audit]
        }
    }

    /// Rewrites the files that name the person.
    ///
    /// - Parameter own: the store's own files, which are left alone.
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
        case .failure(let fault as SystemFault) where fault.kind == .missing: break
        case .failure(let error): unchanged.append((path, "\(error)"))
        }
    }
}
