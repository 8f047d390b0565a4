import CampaignFormat
import Files
import Foundation

/// Finds the campaigns in a folder, and refuses folders if a command takes only files.
enum CampaignFolder {
    /// The most files of a folder that are read.
    private static let mostRead = 100

    /// All named files and the campaigns in named folders, in order, each once; `-` is standard
    /// input.
    ///
    /// A file that cannot be read is included, so that reading it says why.
    static func campaigns(
        among paths: [String]
    ) throws(Refused) -> [CampaignSearch.Hit] {
        let search = CampaignSearch(paths)
        let hits = search.files().filter { $0.isNamed || mayBeCampaign($0.path) }
        guard !hits.isEmpty else { throw .noCampaign(in: search) }
        return hits
    }

    /// Refuses folders, and names the campaigns in the first of them.
    static func refuse(_ paths: [String], _ invocation: Invocation) throws {
        guard let folder = paths.first(where: isFolder) else { return }
        let campaigns = campaigns(in: folder)
        guard !campaigns.isEmpty else { throw InputFileError.folder(path: folder) }
        throw Refused(
            "\"\(folder)\" is a folder, and this command takes campaign files. Name one of those in it:",
            details: Refused.lines(campaigns) { invocation.command(replacing: folder, by: $0) })
    }

    /// The campaigns directly in a folder, by name.
    private static func campaigns(in folder: String) -> [String] {
        let names: [String]
        do {
            names = try FileManager.default.contentsOfDirectory(atPath: folder)
        } catch {
            // The folder is refused anyway, so it does not matter why it cannot be read.
            return []
        }
        return names.filter(CampaignSearch.isCandidate).sorted().prefix(mostRead)
            .map { Path.file($0, in: folder) }.filter { kind(of: $0) == .campaign }
    }

    /// Whether a file is a campaign, or cannot be read, so that reading it says why.
    static func mayBeCampaign(_ path: String) -> Bool { [nil, .campaign].contains(kind(of: path)) }

    /// nil if the file cannot be read.
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
    /// - Parameter passedOver: what the search skipped, if anything.
    static func noCampaign(in search: CampaignSearch, passedOver: String? = nil) -> Refused {
        let skipped = passedOver.map { "; \($0) (--verbose names them)" } ?? ""
        return Refused(
            """
            There is no campaign file in \(search.shownPaths); campaign files end in .yaml or .yml and have the key \
            "campaign"\(skipped).
            """)
    }
}
