package import CampaignFormat
import Files
import Foundation

/// A folder, given where a command takes campaign files only.
package enum CampaignFolder {
    /// How many files of a folder are looked at.
    private static let mostRead = 100

    /// The campaign files among some paths: those that are named, and in folders those that are campaigns.
    ///
    /// - Parameter paths: files and folders; `-` is standard input.
    /// - Returns: the files in order, each once; one that cannot be read is among them, so that reading it says why.
    /// - Throws: ``OperationFault/noCampaign(searched:passedOver:)`` when there is none.
    package static func campaigns(
        among paths: [String]
    ) throws(OperationFault) -> [CampaignSearch.Hit] {
        let search = CampaignSearch(paths)
        let hits = search.files().filter { $0.isNamed || mayBeCampaign($0.path) }
        guard !hits.isEmpty else {
            throw .noCampaign(searched: search.shownPaths, passedOver: nil)
        }
        return hits
    }

    /// Refuses folders, and names the campaigns in the first of them.
    ///
    /// - Parameters:
    ///   - paths: what was given.
    ///   - command: the command's name.
    /// - Throws: ``OperationFault`` with commands that can be typed instead; `InputFileError` where there are none.
    package static func refuse(_ paths: [String], for command: String) throws {
        guard let folder = paths.first(where: isFolder) else { return }
        let campaigns = campaigns(in: folder)
        guard !campaigns.isEmpty else { throw InputFileError.folder(path: folder) }
        throw OperationFault.folder(folder, command: command, campaigns: campaigns)
    }

    /// The campaigns right in a folder, by name.
    private static func campaigns(in folder: String) -> [String] {
        let names: [String]
        do {
            names = try FileManager.default.contentsOfDirectory(atPath: folder)
        } catch {
            // Why it cannot be read is not what the person has to mend.
            return []
        }
        return names.filter(CampaignSearch.isCandidate).sorted().prefix(mostRead)
            .map { Path.file($0, in: folder) }.filter(isCampaign)
    }

    private static func mayBeCampaign(_ path: String) -> Bool {
        do {
            return try CampaignFile.kind(of: path) == .campaign
        } catch {
            return true
        }
    }

    private static func isCampaign(_ path: String) -> Bool {
        do {
            return try CampaignFile.kind(of: path) == .campaign
        } catch {
            return false
        }
    }

    private static func isFolder(_ path: String) -> Bool {
        do {
            return try FileStatus(of: path).kind == .folder
        } catch {
            return false
        }
    }
}
