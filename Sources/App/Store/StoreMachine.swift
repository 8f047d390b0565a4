import CampaignCore
import Crypto
import Files
import Foundation

/// A file next to a store that names the machine that last started schedules.
///
/// If a folder is copied with its store, both machines would otherwise send each start. The file
/// contains a keyed hash of systemd's machine id (machine-id(5)).
struct StoreMachine: Sendable {
    private static let beginning = "hubsend machine "

    let path: String

    init(besideStoreAt store: String) {
        path = Path.resolved(store) + ".machine"
    }

    /// Records this machine, if its id is known; throws ``StoreElsewhere`` if another machine is
    /// recorded.
    func claim(for own: String?) throws {
        guard let own else { return }
        guard try FileStatus.find(path) != nil else {
            try FileReplacement.write("\(Self.beginning)\(own)\n".utf8, to: path)
            return
        }
        let bytes = try OpenFile(path, for: .reading, followingLinks: false).beginning(256)
        let text = String(decoding: bytes, as: UTF8.self)
        // A truncated file, or one that hubsend did not write, names no machine.
        guard text.hasPrefix(Self.beginning), text != "\(Self.beginning)\(own)\n" else { return }
        throw StoreElsewhere(mark: path)
    }

    /// A keyed hash of this machine's id; nil if it has no id, and in a container.
    static func current() -> String? {
        guard !Container.isHere else { return nil }
        do throws(SystemError) {
            return hash(
                ofMachine: String(
                    decoding: try OpenFile("/etc/machine-id", for: .reading).beginning(64),
                    as: UTF8.self))
        } catch {
            return nil
        }
    }

    /// - Parameter text: the content of `/etc/machine-id`.
    static func hash(ofMachine text: String) -> String? {
        let id = text.prefix { $0 != "\n" }
        guard id.count == 32, id.allSatisfy(\.isHexDigit), id.contains(where: { $0 != "0" }) else {
            return nil
        }
        let code = HMAC<SHA256>.authenticationCode(
            for: Data("hubsend".utf8), using: SymmetricKey(data: Data(id.utf8)))
        return Hexadecimal.text(code.prefix(16))
    }
}

struct StoreElsewhere: Refusal, Hashable, CustomStringConvertible {
    let mark: String

    var description: String {
        """
        The store was copied from another machine, which may still send the same campaigns, so no \
        scheduled campaign starts here. If the other machine no longer runs `hubsend run --due` \
        with its copy, delete this marker file: rm \(ShellWord.quoted(mark))
        """
    }
}
