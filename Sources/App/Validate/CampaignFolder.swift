import CampaignFormat
import Files
import Foundation

/// Finds the campaigns in folders, and refuses folders for commands that take only files.
enum CampaignFolder {
    /// The maximum number of files of a folder that are read.
    private static let mostRead = 100

    /// The given files and the campaigns in the given folders, in order and without duplicates.
    ///
    /// `-` is standard input. A file that cannot be read is included, so that its error is
    /// reported.
    static func campaigns(
        among paths: [String]
    ) throws(Refused) -> [CampaignSearch.Hit] {
        let search = CampaignSearch(paths)
        let hits = search.files().filter { $0.isNamed || mayBeCampaign($0.path) }
        guard !hits.isEmpty else { throw .noCampaign(in: search) }
        return hits
    }

    /// Refuses folders, and suggests the campaigns in the first one.
    static func refuse(_ paths: [String], _ invocation: Invocation) throws {
        guard let folder = paths.first(where: isFolder) else { return }
        let campaigns = campaigns(in: folder)
        guard !campaigns.isEmpty else { throw InputFileError.folder(path: folder) }
        throw Refused(
            "\"\(folder)\" is a folder, but this command takes campaign files. Name one of the files in it:",
            details: Refused.lines(campaigns) { invocation.command(replacing: folder, by: $0) })
    }

    /// The campaigns directly in a folder, sorted by name.
    private static func campaigns(in folder: String) -> [String] {
        let names: [String]
        do {
            names = try FileManager.default.contentsOfDirectory(atPath: folder)
        } catch {
            // The folder is refused anyway, so the reason is irrelevant.
            return []
        }
        return names.filter(CampaignSearch.isCandidate).sorted().prefix(mostRead)
            .map { Path.file($0, in: folder) }.filter { kind(of: $0) == .campaign }
    }

    /// Whether a file is a campaign, or cannot be read, which must be reported.
    static func mayBeCampaign(_ path: String) -> Bool { [nil, .campaign].contains(kind(of: path)) }

    /// The kind of a file; nil if it cannot be read.
    static func kind(of path: String) -> FileKind? {
        do { return try CampaignFile.kind(of: path) } catch { return nil }
    }

    private static func isFolder(_ path: String) -> Bool {
        do {
            return try FileStatus(of: path).kind == .folder
        } catch {
            return false
        }
    }
}

extension Refused {
    /// - Parameter skipped: a phrase about skipped files, if any.
    static func noCampaign(in search: CampaignSearch, skipped: String? = nil) -> Refused {
        let skipped = skipped.map { "; \($0) (--verbose lists them)" } ?? ""
        return Refused(
            """
            There is no campaign file in \(search.shownPaths). Campaign files end in .yaml or .yml and have the key \
            "campaign"\(skipped).
            """)
    }
}
