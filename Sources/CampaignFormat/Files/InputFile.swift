import Glibc
import YAMLSyntax

/// A YAML file that the command line or a setting names, read whole.
struct InputFile {
    let path: String
    /// None where the file is too large.
    let bytes: [UInt8]
    /// In bytes.
    let size: Int
    /// The most bytes that are read.
    let limit: Int
    /// nil for standard input.
    let permissions: FilePermissions?

    /// Takes bytes from elsewhere, such as standard input.
    ///
    /// - Throws: ``InputFileError/binary(path:)``.
    init(path: String, bytes: [UInt8]) throws(InputFileError) {
        let limit = YAMLLimits().bytes
        let kept = bytes.count <= limit ? bytes : []
        self.init(path: path, bytes: kept, size: bytes.count, limit: limit, permissions: nil)
        guard !isBinary else { throw .binary(path: path) }
    }

    private init(path: String, bytes: [UInt8], size: Int, limit: Int, permissions: FilePermissions?)
    {
        self.path = path
        self.bytes = bytes
        self.size = size
        self.limit = limit
        self.permissions = permissions
    }

    /// Reads a regular file.
    ///
    /// - Parameters:
    ///   - path: links are followed, since whoever named it may read it.
    ///   - limit: the most bytes to read.
    /// - Returns: its bytes, or only its size where there are more.
    /// - Throws: ``InputFileError``.
    static func read(_ path: String, limit: Int = YAMLLimits().bytes) throws(InputFileError)
        -> InputFile
    {
        let input: InputFile
        do {
            let file = try OpenFile.open(path: path)
            let status = try file.status()
            guard !status.isFolder else { throw InputFileError.folder(path: path) }
            guard status.isRegularFile else { throw InputFileError.notRegular(path: path) }
            let bytes = try file.contents(limit: limit)
            input = InputFile(
                path: path, bytes: bytes ?? [],
                size: bytes?.count ?? max(limit + 1, Int(status.st_size)), limit: limit,
                permissions: FilePermissions(status))
        } catch let error as InputFileError {
            throw error
        } catch let fault as SystemFault {
            switch fault.number {
            case ENOENT, ENOTDIR: throw .missing(path: path)
            case ENXIO, ENODEV: throw .notRegular(path: path)
            default: throw .unreadable(path: path, reason: fault.description)
            }
        } catch {
            throw .unreadable(path: path, reason: "\(error)")
        }
        guard !input.isBinary else { throw .binary(path: path) }
        return input
    }

    /// Whether it holds what no text does; UTF-16 is text, and refused later with a better sentence.
    private var isBinary: Bool {
        let isUTF16 = bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF])
        return !isUTF16 && bytes.prefix(8_192).contains(0)
    }

    /// The folder that paths in it are relative to.
    static func folder(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    /// How a person would name, from the current folder, a file that another file names.
    static func shownPath(of path: String, from folder: String) -> String {
        folder == "." ? path : folder + (folder.hasSuffix("/") ? "" : "/") + path
    }
}
