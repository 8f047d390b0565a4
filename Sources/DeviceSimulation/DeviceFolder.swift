package import DeviceClient
import Files
package import Foundation

/// A folder that gets what devices fetched, a file each, named by id and type.
///
/// Files are new ones of mode 0600: nothing is written over, and no link is followed.
package struct DeviceFolder: Sendable {
    private static let longestType = 20
    private static let extensions = [
        "image/png": "png", "image/jpeg": "jpg", "image/gif": "gif", "image/webp": "webp",
        "text/plain": "txt", "text/html": "html", "text/uri-list": "uri",
        "application/json": "json", "application/pdf": "pdf", "audio/mpeg": "mp3",
        "audio/wav": "wav", "video/mp4": "mp4",
    ]

    private let path: String

    /// Makes the folder when it is missing.
    ///
    /// - Throws: ``DeviceFault``.
    package init(path: String) throws {
        self.path = path
        do {
            try Folder.make(path)
        } catch {
            throw DeviceFault.unmakeableFolder(path, why: "\(error)")
        }
    }

    /// Saves what a notification holds.
    ///
    /// - Parameters:
    ///   - data: the bytes.
    ///   - id: the notification; a second device that gets it finds the file there, which stays.
    ///   - type: `secure`, or the type of a rich one; what cannot stand in a name is left out.
    ///   - mediaType: decides the ending.
    /// - Throws: ``DeviceFault`` when it cannot be written.
    package func save(
        _ data: Data, of id: DeviceClient.NotificationID, type: String, mediaType: String
    ) throws -> String {
        let ending = Self.extensions[mediaType] ?? "bin"
        let word = type.lowercased().filter { $0.isASCII && ($0.isLetter || $0.isNumber) }
            .prefix(Self.longestType)
        let path = Path.file(
            "\(id)\(word.isEmpty ? "" : "." + word).\(ending)", in: path)
        let file: OpenFile
        do {
            file = try OpenFile(path, for: .creating, followingLinks: false)
        } catch {
            guard error.kind != .exists else { return path }
            throw DeviceFault.unwritableFile(path, why: "\(error)")
        }
        do {
            try file.write(data)
        } catch {
            let fault = error
            do {
                try Folder.removeFile(path)
            } catch {
                // What is wrong with the disk is told by the fault before.
            }
            throw DeviceFault.unwritableFile(path, why: "\(fault)")
        }
        return path
    }
}
