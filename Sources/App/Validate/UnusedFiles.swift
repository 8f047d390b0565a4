import CampaignFormat
import Files
import Foundation

/// Finds lists and pictures that no campaign names, in folders that campaigns use.
///
/// Other folders are skipped: a repository has many pictures unrelated to campaigns.
struct UnusedFiles {
    private static let endings: Set<String> = [
        "csv", "tsv", "txt", "png", "jpg", "jpeg", "gif", "webp", "heic", "avif", "mp3", "m4a",
        "wav", "mp4",
    ]
    /// Beginnings of names that any folder may have.
    private static let common = ["readme", "license", "licence", "changelog", "notice"]
    /// The most entries of a folder that are read.
    private static let most = 10_000
    private static let mostListed = 100

    /// By each folder's path without links: the names used, and the folder as it was named.
    private var folders: [String: (shown: String, names: Set<String>)] = [:]
    /// The texts of configs, which may name files for all campaigns.
    private var configs: [String: String] = [:]

    /// Notes the files of a campaign.
    ///
    /// Paths start from the current folder; files outside of `searched` are skipped, since other
    /// campaigns may use them.
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

    /// Notes a config: what its text mentions counts as used.
    mutating func note(config path: String) {
        guard configs[path] == nil else { return }
        do {
            let bytes = try OpenFile(path, for: .reading).contents(limit: 1 << 20)
            configs[path] = String(decoding: bytes ?? [], as: UTF8.self)
        } catch {
            // The check of the config reports why it cannot be read.
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
            // If a folder cannot be listed, nothing is known about its files.
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
