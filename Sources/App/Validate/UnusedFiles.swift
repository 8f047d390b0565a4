import CampaignFormat
import Files
import Foundation

/// Finds lists and pictures that no campaign names, in folders whose other files campaigns use.
///
/// Other folders are skipped, because a repository has many pictures unrelated to campaigns.
struct UnusedFiles {
    private static let endings: Set<String> = [
        "csv", "tsv", "txt", "png", "jpg", "jpeg", "gif", "webp", "heic", "avif", "mp3", "m4a",
        "wav", "mp4",
    ]
    /// Beginnings of file names that are common in any folder.
    private static let common = ["readme", "license", "licence", "changelog", "notice"]
    /// The maximum number of entries of a folder that are read.
    private static let most = 10_000
    private static let mostListed = 100

    /// The file names in use and the folder's path as written, by the path without links.
    private var folders: [String: (shown: String, names: Set<String>)] = [:]
    /// The texts of configs, which may name files too.
    private var configs: [String: String] = [:]

    /// Records the files of a campaign.
    ///
    /// Paths are relative to the current folder. Files outside `searched` are ignored, because
    /// campaigns elsewhere may use them.
    mutating func note(_ files: [String], searched: String, _ invocation: Invocation) {
        let top = Path.resolved(invocation.absolute(searched))
        for file in files {
            let shown = Path.folder(of: file)
            let folder = Path.resolved(Path.cleaned(invocation.absolute(shown)))
            guard folder == top || Path.relative(folder, to: top) != nil else { continue }
            let name = Path.name(of: file) ?? file
            folders[folder, default: (shown, [])].names.insert(name)
        }
    }

    /// Records a config; files that its text mentions are regarded as used.
    mutating func note(config path: String) {
        guard configs[path] == nil else { return }
        do {
            let bytes = try OpenFile(path, for: .reading).contents(limit: 1 << 20)
            configs[path] = String(decoding: bytes ?? [], as: UTF8.self)
        } catch {
            // The check of the config reports the error.
            configs[path] = ""
        }
    }

    func found() -> [String] {
        let files = folders.values.flatMap { folder, names in
            Self.entries(of: folder).filter { name in
                !names.contains(name) && Self.isCandidate(name)
                    && !configs.values.contains { $0.contains(name) }
            }.map { Path.file($0, in: folder) }
        }
        return Array(files.filter(isRegular).sorted().prefix(Self.mostListed))
    }

    private static func entries(of folder: String) -> [String] {
        do {
            return Array(
                try FileManager.default.contentsOfDirectory(atPath: folder).prefix(most))
        } catch {
            // If a folder cannot be listed, its files are unknown.
            return []
        }
    }

    private static func isCandidate(_ name: String) -> Bool {
        let name = name.lowercased()
        guard !Path.isHidden(name), let ending = name.split(separator: ".").dropFirst().last
        else { return false }
        return endings.contains(String(ending)) && !common.contains { name.hasPrefix($0) }
    }

    private func isRegular(_ path: String) -> Bool {
        do {
            return try FileStatus.find(path, followingLinks: false)?.kind == .regular
        } catch {
            return false
        }
    }
}
