import DeviceClient
import Foundation

/// A folder that gets what devices fetched, a file each, named by id and type.
///
/// Files are new ones of mode 0600: nothing is written over, and no link is followed.
struct DeviceFolder: Sendable {
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
    /// - Throws: ``CommandFailure``.
    init(path: String) throws {
        self.path = path
        do {
            try FileManager.default.createDirectory(
                atPath: path, withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700])
        } catch {
            throw CommandFailure(
                .configuration,
                "The folder \(path) of --save cannot be made; name one that can be written.")
        }
    }

    /// Saves what a notification holds.
    ///
    /// - Parameters:
    ///   - data: the bytes.
    ///   - id: the notification; a second device that gets it finds the file there, which stays.
    ///   - type: `secure`, or the type of a rich one; what cannot stand in a name is left out.
    ///   - mediaType: decides the ending.
    /// - Returns: the file.
    /// - Throws: ``CommandFailure`` when it cannot be written.
    func save(
        _ data: Data, of id: DeviceClient.NotificationID, type: String, mediaType: String
    ) throws -> String {
        let ending = Self.extensions[mediaType] ?? "bin"
        let word = type.lowercased().filter { $0.isASCII && ($0.isLetter || $0.isNumber) }
            .prefix(Self.longestType)
        let file = FilePath.file(
            "\(id)\(word.isEmpty ? "" : "." + word).\(ending)", in: path)
        let descriptor = unsafe open(
            file, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        if descriptor < 0, errno == EEXIST { return file }
        guard descriptor >= 0 else { throw Self.failure(file) }
        let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        do {
            try handle.write(contentsOf: data)
        } catch {
            let failure = Self.failure(file)
            unsafe unlink(file)
            throw failure
        }
        return file
    }

    private static func failure(_ file: String) -> CommandFailure {
        CommandFailure(.configuration, "The file \(file) cannot be written: \(SystemError.last).")
    }
}
