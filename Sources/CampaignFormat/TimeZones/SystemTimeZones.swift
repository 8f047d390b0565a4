package import CampaignCore
import Files

/// The system's time zone database, as tzdata(7) installs it.
package struct SystemTimeZones: TimeZoneDatabase {
    package static let standardFolder = "/usr/share/zoneinfo"
    /// UTC does not require a lookup.
    private static let universal: Set = ["UTC", "Etc/UTC"]
    /// The maximum number of parts in a name, as in `America/Argentina/Ushuaia`.
    private static let deepest = 3

    private let folder: String

    package init(folder: String = Self.standardFolder) {
        self.folder = folder
    }

    package func rules(of name: String) throws(TimeZoneError) -> TimeZoneRules {
        if Self.universal.contains(name) { return TimeZoneRules(name: name, offset: 0) }
        guard Self.isName(name) else { throw .unknown }
        let path = Path.file(name, in: folder)
        let bytes: [UInt8]?
        switch Self.kind(of: path) {
        case .regular: bytes = Self.bytes(of: path)
        case .special, .link: throw .unreadable(path: path)
        case .folder: throw .unknown
        case nil:
            // On a minimal system, the folder may be empty.
            throw names.isEmpty ? .noDatabase(folder: folder) : .unknown
        }
        guard let bytes, let rules = TimeZoneFile.rules(of: bytes, name: name) else {
            throw .unreadable(path: path)
        }
        return rules
    }

    package var names: [String] { names(in: folder, of: "", depth: 1).sorted() }

    /// The version, such as `2025b`; nil if the files do not contain it.
    package var version: String? {
        do throws(SystemError) {
            let path = Path.file("tzdata.zi", in: folder)
            let line = try OpenFile(path, for: .reading).beginning(64).prefix { $0 != 0x0A }
            let words = String(decoding: line, as: UTF8.self).split(separator: " ")
            return words.count == 3 && words[1] == "version" ? String(words[2]) : nil
        } catch {
            return nil
        }
    }

    private func names(in folder: String, of region: String, depth: Int) -> [String] {
        var names: [String] = []
        for name in Self.entries(of: folder) where Self.isPart(name) {
            let path = Path.file(name, in: folder)
            switch Self.kind(of: path) {
            case .folder where depth < Self.deepest:
                names += self.names(in: path, of: region + name + "/", depth: depth + 1)
            case .regular:
                names.append(region + name)
            default:
                break
            }
        }
        return names
    }

    private static func bytes(of path: String) -> [UInt8]? {
        do throws(SystemError) {
            return try OpenFile(path, for: .reading).contents(limit: TimeZoneFile.limit)
        } catch {
            return nil
        }
    }

    private static func entries(of folder: String) -> [String] {
        do throws(SystemError) {
            return try Folder.names(in: folder)
        } catch {
            // The names are only needed for a suggestion after a wrong name.
            return []
        }
    }

    private static func kind(of path: String) -> FileStatus.Kind? {
        do throws(SystemError) {
            return try FileStatus.find(path)?.kind
        } catch {
            // A path that cannot be inspected is treated as missing.
            return nil
        }
    }

    /// Whether the name is one that a zone can have; such a name never leads out of the folder.
    private static func isName(_ text: String) -> Bool {
        text.utf8.count <= 64
            && text.split(separator: "/", omittingEmptySubsequences: false).allSatisfy(isPart)
    }

    /// Names begin with a capital letter, unlike tables and the copies with leap seconds.
    private static func isPart(_ text: some StringProtocol) -> Bool {
        text.utf8.first.map { UInt8(ascii: "A")...UInt8(ascii: "Z") ~= $0 } == true
            && text.utf8.allSatisfy { $0.isAlphanumeric(or: "_+-") }
    }
}
