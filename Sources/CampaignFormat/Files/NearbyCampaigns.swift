import Files

/// Finds campaign files that may have been meant by a wrong path.
package enum NearbyCampaigns {
    /// The folders in which people usually keep campaigns.
    private static let usual = "campaigns"
    private static let mostRead = 100
    private static let mostNamed = 3

    /// Files whose path differs only in the folder, the extension or a typo, or whose campaign has
    /// the given name.
    static func paths(near path: String) -> [String] {
        guard let name = Path.name(of: path) else { return [] }
        let folders = folders(near: Path.folder(of: path))
        let files = folders.flatMap { folder in
            entries(of: folder).filter(CampaignSearch.isCandidate).sorted().map {
                (path: Path.file($0, in: folder), stem: stem($0))
            }
        }
        let wanted = stem(name)
        let same = files.filter { $0.stem == wanted }.map(\.path)
        guard same.isEmpty else { return Array(same.prefix(mostNamed)) }
        let campaigns = files.prefix(mostRead).compactMap { file in
            campaignName(in: file.path).map { (path: file.path, stem: stem($0)) }
        }
        let named = campaigns.filter { $0.stem == wanted }.map(\.path)
        guard named.isEmpty else { return Array(named.prefix(mostNamed)) }
        let known = files + campaigns
        let near = NearestName.nearest(to: wanted, among: known.map(\.stem))
        return known.first { $0.stem == near }.map { [$0.path] } ?? []
    }

    /// The campaign names in the files of a folder.
    package static func names(in folder: String) -> [String] {
        entries(of: folder).filter(CampaignSearch.isCandidate).sorted().prefix(mostRead)
            .compactMap { campaignName(in: Path.file($0, in: folder)) }
    }

    /// The folder or one with a similar name, and the usual subfolder in it.
    private static func folders(near folder: String) -> [String] {
        let above = Path.folder(of: folder)
        let found: String? =
            if entries(of: folder).isEmpty, let name = Path.name(of: folder), above != folder {
                NearestName.nearest(to: name, among: entries(of: above)).map {
                    Path.file($0, in: above)
                }
            } else {
                folder
            }
        guard let found else { return [] }
        return [found, Path.file(usual, in: found)]
    }

    private static func stem(_ name: String) -> String {
        let name = name.lowercased()
        let ending = [".yaml", ".yml"].first(where: name.hasSuffix) ?? ""
        return String(name.dropLast(ending.count).replacing("-", with: "_"))
    }

    /// The campaign's name if it is on a line of its own.
    private static func campaignName(in path: String) -> String? {
        guard let bytes = try? OpenFile(path, for: .reading).beginning(4_096) else { return nil }
        let key = "campaign:"
        let line = String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline)
            .first { $0.hasPrefix(key) }
        return line?.dropFirst(key.count).split(separator: "#").first.map {
            String($0).trimming { " \"'\t".contains($0) }
        }
    }

    private static func entries(of folder: String) -> [String] {
        (try? Folder.names(in: folder)) ?? []
    }
}
