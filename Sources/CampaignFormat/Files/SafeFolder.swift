import Glibc

/// A folder beneath which files are opened, whatever anybody renames or links meanwhile.
///
/// Every component of a path is opened on its own in the folder before it and a link is read, never followed by the system, so that a
/// path cannot leave the folder between check and use. Links that stay beneath the folder work.
struct SafeFolder: Sendable {
    private static let longestPath = 1_024
    private static let deepest = 64
    private static let mostLinks = 16

    /// A folder that cannot be used is a fault of every file in it, and none of a campaign that names no file.
    private let root: Result<OpenFile, FileReferenceFault>
    /// From the root to the folder that paths are relative to; chosen by the caller, so that it may be hidden.
    private let prefix: [String]
    private let refused: Set<FileIdentity>

    /// Opens the folder.
    ///
    /// - Parameters:
    ///   - root: what no path may leave.
    ///   - base: the folder that paths are relative to; when it is not beneath the root, no path can be opened.
    ///   - refused: files and folders that are not opened; those that do not exist do not count.
    init(root: String, base: String, refused: [String]) {
        self.refused = Set(refused.compactMap(FileIdentity.init(path:)))
        do throws(SystemFault) {
            let opened = try OpenFile.open(path: root)
            let (outer, inner) = (try Self.resolved(root), try Self.resolved(base))
            prefix = Array(inner.dropFirst(outer.count))
            self.root = inner.starts(with: outer) ? .success(opened) : .failure(.outside)
        } catch {
            prefix = []
            self.root = .failure(.unreadable(error))
        }
    }

    /// Opens a regular file.
    ///
    /// - Parameter path: relative to the base.
    /// - Returns: the file at its beginning.
    /// - Throws: ``FileReferenceFault``.
    func open(_ path: String) throws(FileReferenceFault) -> OpenFile {
        guard !path.isEmpty else { throw .emptyPath }
        guard path.utf8.count <= Self.longestPath else { throw .tooDeep }
        guard path.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else { throw .badCharacter }
        var walk = try PathWalk(prefix: prefix, path: path)
        var folders = [try root.get()]
        var links = 0
        while let step = walk.next() {
            if step.name == ".." {
                folders.removeLast()
                guard !folders.isEmpty else { throw .outside }
                continue
            }
            guard step.isTrusted || !step.name.hasPrefix(".") else {
                throw .hidden(component: step.name)
            }
            let folder = folders[folders.count - 1]
            do {
                let file = try folder.open(component: step.name)
                let status = try file.status()
                guard !refused.contains(FileIdentity(status)) else {
                    throw FileReferenceFault.refused
                }
                guard status.isFolder else {
                    guard walk.isAtEnd else { throw FileReferenceFault.missing }
                    guard status.isRegularFile else { throw FileReferenceFault.notRegular }
                    return file
                }
                folders.append(file)
            } catch let fault as SystemFault where fault.number == ELOOP {
                links += 1
                guard links <= Self.mostLinks else { throw .tooDeep }
                do { try walk.follow(link: folder.target(ofLink: step.name)) } catch {
                    throw Self.reference(error)
                }
            } catch {
                throw Self.reference(error)
            }
            guard folders.count <= Self.deepest else { throw .tooDeep }
        }
        throw .folder
    }

    /// Opens a regular file and reads it.
    ///
    /// - Parameters:
    ///   - path: relative to the base.
    ///   - limit: the most bytes it may have.
    /// - Returns: all of its bytes.
    /// - Throws: ``FileReferenceFault``.
    func contents(of path: String, limit: Int) throws(FileReferenceFault) -> [UInt8] {
        let file = try open(path)
        do {
            guard let bytes = try file.contents(limit: limit) else {
                throw FileReferenceFault.tooLarge(limit: limit)
            }
            return bytes
        } catch {
            throw Self.reference(error)
        }
    }

    private static func reference(_ error: any Error) -> FileReferenceFault {
        switch error {
        case let fault as FileReferenceFault: fault
        case let fault as SystemFault:
            switch fault.number {
            case ENOENT, ENOTDIR: .missing
            case ENXIO, ENODEV: .notRegular
            default: .unreadable(fault)
            }
        default: .unreadable(SystemFault(number: EIO))
        }
    }

    /// The components of a path without links.
    private static func resolved(_ path: String) throws(SystemFault) -> [String] {
        guard let resolved = unsafe realpath(path, nil) else { throw .last }
        defer { unsafe free(resolved) }
        return unsafe String(cString: resolved).split(separator: "/").map(String.init)
    }
}
