import CampaignCore
import Files

/// Finds files that name a person: audiences, reports, the audit log, and copies of the store.
struct NameSearch {
    private static let block = 1 << 20
    /// The names of folders that contain no files of campaigns or stores.
    private static let passedOver: Set = [".git", ".build", "node_modules"]

    /// The bytes of the name in ASCII and in both byte orders of UTF-16.
    private let forms: [[UInt8]]

    init(_ person: Username) {
        let name = Array(person.text.utf8)
        forms = [name, name.flatMap { [$0, 0] as [UInt8] }, name.flatMap { [0, $0] as [UInt8] }]
    }

    /// The files that name the person, or that might but cannot be read; missing paths are skipped.
    func files(in places: [String], besides own: Set<String>) -> [String] {
        var found: Set<String> = []
        var visited: Set<String> = []
        for place in places { search(Path.resolved(place), own, &visited, &found) }
        return found.sorted()
    }

    private func search(
        _ path: String, _ own: Set<String>, _ visited: inout Set<String>,
        _ found: inout Set<String>
    ) {
        guard !own.contains(path), visited.insert(path).inserted else { return }
        do {
            guard let status = try FileStatus.find(path, followingLinks: false) else { return }
            switch status.kind {
            case .folder:
                for name in try Folder.names(in: path) where !Self.passedOver.contains(name) {
                    search(Path.file(name, in: path), own, &visited, &found)
                }
            case .regular:
                if try isNamed(in: path) { found.insert(path) }
            case .link, .special: return
            }
        } catch {
            found.insert(path)
        }
    }

    private func isNamed(in path: String) throws -> Bool {
        let file = try OpenFile(path, for: .reading, followingLinks: false)
        var block = [UInt8](repeating: 0, count: Self.block)
        var rest: [UInt8] = []
        while true {
            let count = try file.read(into: &block, from: 0)
            guard count > 0 else { return false }
            let bytes = rest + block[..<count]
            if forms.contains(where: { Self.stands($0, in: bytes) }) { return true }
            // A name can span two blocks, and the letter before it has to be checked too.
            rest = Array(bytes.suffix(2 * Username.maximumLength + 2))
        }
    }

    /// Whether a name is a whole word rather than part of a longer name.
    private static func stands(_ name: [UInt8], in bytes: [UInt8]) -> Bool {
        var start = 0
        while let place = bytes.firstOccurrence(of: name, from: start) {
            let end = place + name.count
            let before = place > 0 ? bytes[place - 1] : 0
            let after = end < bytes.count ? bytes[end] : 0
            if !isInName(before), !isInName(after) { return true }
            start = place + 1
        }
        return false
    }

    private static func isInName(_ byte: UInt8) -> Bool {
        byte.isAlphanumeric(or: "_-")
    }
}
