import CampaignCore
import Crypto
import Files
import Foundation

/// Records reported problems without a store, in small files in the user's state folder.
struct TroubleFolder: TroubleLedger {
    /// The maximum length of a file that hubsend writes here.
    private static let longest = 8_192

    private let folder: String

    /// - Returns: nil if the environment does not set this folder; then nothing is recorded.
    init?(_ invocation: Invocation) {
        let state = invocation["STATE_DIRECTORY"] ?? invocation["XDG_STATE_HOME"]
        guard let base = state ?? invocation["HOME"].map({ $0 + "/.local/state" }),
            Path.isAbsolute(base), !base.contains(":")
        else { return nil }
        folder = Path.file("told", in: Path.file("hubsend", in: base))
    }

    func recordTrouble(
        about key: String, digest: String, againAfter interval: Duration, now: Date
    ) async throws -> Bool {
        try Folder.make(folder)
        let path = path(of: key)
        if let told = try read(path), told.digest == digest,
            abs(now.timeIntervalSince(told.time)) < interval / .seconds(1)
        {
            return false
        }
        let time = Int(now.timeIntervalSince1970)
        try FileReplacement.write("\(digest) \(time)\n\(key)".utf8, to: path)
        return true
    }

    func reportedTroubles() async throws -> Set<String> {
        guard try FileStatus.find(folder) != nil else { return [] }
        let told = try Folder.names(in: folder).compactMap { try read(Path.file($0, in: folder)) }
        return Set(told.map(\.key))
    }

    func forgetTroubles(about keys: Set<String>) async throws {
        for key in keys where try FileStatus.find(path(of: key)) != nil {
            try Folder.removeFile(path(of: key))
        }
    }

    private func path(of key: String) -> String {
        let digest = SHA256.hash(data: Data(key.utf8)).prefix(16)
        return Path.file(Hexadecimal.text(digest), in: folder)
    }

    /// The content of a file; nil if it is missing or was not written by hubsend.
    private func read(_ path: String) throws -> (digest: String, time: Date, key: String)? {
        guard try FileStatus.find(path)?.kind == .regular,
            let bytes = try OpenFile(path, for: .reading, followingLinks: false)
                .contents(limit: Self.longest)
        else { return nil }
        let text = String(decoding: bytes, as: UTF8.self)
        guard let end = text.firstIndex(of: "\n") else { return nil }
        let words = text[..<end].split(separator: " ")
        guard words.count == 2, let time = TimeInterval(words[1]) else { return nil }
        return (
            String(words[0]), Date(timeIntervalSince1970: time),
            String(text[text.index(after: end)...])
        )
    }
}
