package import DeviceClient
import Files
package import Foundation

/// A folder for fetched content, with one new file per notification (mode 0600), named after its id
/// and type.
package struct DeviceFolder: Sendable {
    private static let longestType = 20
    private static let extensions = [
        "image/png": "png", "image/jpeg": "jpg", "image/gif": "gif", "image/webp": "webp",
        "text/plain": "txt", "text/html": "html", "text/uri-list": "uri",
        "application/json": "json", "application/pdf": "pdf", "audio/mpeg": "mp3",
        "audio/wav": "wav", "video/mp4": "mp4",
    ]

    private let path: String

    package init(path: String) throws {
        self.path = path
        do {
            try Folder.make(path)
        } catch {
            throw DeviceError(
                "The folder \(path) (--save) cannot be created: \(error). Choose a writable folder."
            )
        }
    }

    /// Saves a notification's content; if there is already a file for the id, it is not changed.
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
            throw DeviceError("The file \(path) cannot be written: \(error).")
        }
        do {
            try file.write(data)
        } catch {
            let writeError = error
            do {
                try Folder.removeFile(path)
            } catch {
                // The first error already explains the problem.
            }
            throw DeviceError("The file \(path) cannot be written: \(writeError).")
        }
        return path
    }
}
