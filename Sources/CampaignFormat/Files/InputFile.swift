import Files
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
    /// Nil for standard input.
    private let status: FileStatus?

    /// Takes bytes from elsewhere, such as standard input.
    init(path: String, bytes: [UInt8]) {
        let limit = YAMLLimits().bytes
        let kept = bytes.count <= limit ? bytes : []
        self.init(path: path, bytes: kept, size: bytes.count, limit: limit, status: nil)
    }

    private init(path: String, bytes: [UInt8], size: Int, limit: Int, status: FileStatus?) {
        self.path = path
        self.bytes = bytes
        self.size = size
        self.limit = limit
        self.status = status
    }

    /// Reads a regular file.
    ///
    /// - Parameters:
    ///   - path: a link only where it does not lead out of its folder.
    ///   - folders: wider folders within which a link may lead, but to nothing that is hidden there.
    ///   - limit: the most bytes to read.
    /// - Returns: its bytes, or only its size where there are more.
    /// - Throws: ``InputFileError``.
    static func read(
        _ path: String, within folders: [String] = [], limit: Int = YAMLLimits().bytes
    ) throws(InputFileError) -> InputFile {
        let file: OpenFile
        do throws(NamedFile.Fault) {
            file = try NamedFile.open(path, within: folders)
        } catch {
            switch error {
            case .leadsOut(let target): throw .linkOut(path: path, target: target)
            case .system(let fault): throw InputFileError(fault, at: path)
            }
        }
        let status: FileStatus
        let bytes: [UInt8]?
        do throws(SystemFault) {
            status = try file.status()
            bytes = status.kind == .regular ? try file.contents(limit: limit) : []
        } catch {
            throw InputFileError(error, at: path)
        }
        guard status.kind != .folder else { throw .folder(path: path) }
        guard status.kind == .regular else { throw .notRegular(path: path) }
        return InputFile(
            path: path, bytes: bytes ?? [], size: bytes?.count ?? max(limit + 1, status.size),
            limit: limit, status: status)
    }

    /// Whether it belongs to one of these users; standard input belongs to the caller.
    func isOwned(byOneOf users: Set<UInt32>) -> Bool {
        status.map { users.contains($0.owner) } ?? true
    }

    /// What speaks against trusting it, or against a secret in it; nil: nothing.
    func objection(to protection: FileProtection) -> FileFault? {
        status.flatMap { protection.objection(to: $0) }
    }
}
