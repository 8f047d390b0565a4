import CampaignFormat
import Files
import Foundation
import Settings

/// Finds lists and pictures beside those that campaigns name which no campaign names.
///
/// Only folders are looked at in which a campaign names some file: a repository is full of pictures that are none of ours.
struct UnusedFiles {
    /// How campaigns' files end.
    private static let endings: Set<String> = [
        "csv", "tsv", "txt", "png", "jpg", "jpeg", "gif", "webp", "heic", "avif", "mp3", "m4a",
        "wav", "mp4",
    ]
    /// What every folder may have beside its files.
    private static let common = ["readme", "license", "licence", "changelog", "notice"]
    /// More entries of one folder are not looked at, and more files not listed.
    private static let most = 10_000
    private static let mostListed = 100

    /// By folder without links, the names of the files that campaigns name, and the folder as a person would name it.
    private var folders: [String: (shown: String, names: Set<String>)] = [:]
    /// What a config mentions, where it may name files for all campaigns.
    private var configs: [String: String] = [:]

    /// Notes the files of a campaign.
    ///
    /// - Parameters:
    ///   - files: as a person would name them from the current folder.
    ///   - searched: the folder that was searched; files outside of it may be others' too.
    ///   - invocation: what paths are relative to.
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
            // Why it cannot be read is told by whoever needs it.
            configs[path] = ""
        }
    }

    /// The files that nobody names, in order.
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
            // A folder that cannot be listed has nothing that could be called left over.
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
