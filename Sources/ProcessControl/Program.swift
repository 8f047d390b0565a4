import CampaignCore
import Files

/// A program that a command line names, found as a shell finds it (POSIX.1-2024, 2.9.1.4).
package struct Program: Sendable, Equatable {
    /// If `PATH` is not set.
    private static let standardSearchPath = "/usr/bin:/bin"

    /// As typed; the program sees it as its own name.
    package let name: String
    /// Absolute.
    package let path: String
    package let arguments: [String]

    /// Finds the program of the first word, with relative paths from an absolute folder; a nil path
    /// means the default.
    package init(
        _ words: [String], in currentFolder: String, searching searchPath: String?
    ) throws(ProgramNotStarted) {
        func absolute(_ path: String) -> String {
            Path.isAbsolute(path) ? path : currentFolder + "/" + path
        }
        name = words.first ?? ""
        arguments = Array(words.dropFirst())
        guard !name.utf8.contains(UInt8(ascii: "/")) else {
            path = absolute(name)
            switch Self.look(at: path) {
            case .program: return
            case .nothing: throw ProgramNotStarted(.notFound, name, "there is no such file.")
            case .folder: throw ProgramNotStarted(.notExecutable, name, "it is a folder.")
            case .other(let why): throw ProgramNotStarted(.notExecutable, name, why)
            }
        }
        var obstacle: String?
        let folders = searchPath ?? Self.standardSearchPath
        let parts = folders.utf8.split(
            separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
        for folder in parts.map({ String(Substring($0)) }) where !name.isEmpty {
            // An empty part is the current folder.
            let file = absolute(folder.isEmpty ? name : folder + "/" + name)
            switch Self.look(at: file) {
            case .program:
                path = file
                return
            case .nothing, .folder: continue
            case .other(let why): obstacle = obstacle ?? "\(file): \(why)"
            }
        }
        if let obstacle { throw ProgramNotStarted(.notExecutable, name, obstacle) }
        throw ProgramNotStarted(.notFound, name, "no folder of PATH has such a program.")
    }

    private enum Sight {
        case program
        case nothing
        case folder
        case other(String)
    }

    private static func look(at path: String) -> Sight {
        do {
            switch try FileStatus(of: path).kind {
            case .regular: break
            case .folder: return .folder
            case .link, .special: return .other("it is no regular file.")
            }
        } catch {
            return [.missing, .noFolder].contains(error.kind) ? .nothing : .other("\(error).")
        }
        guard Folder.mayRun(path) else {
            return .other("it is not executable. Run: chmod +x \(ShellWord.quoted(path))")
        }
        return .program
    }
}

/// A program could not be started, with the exit code of shells (POSIX.1-2024, 2.8.2).
package struct ProgramNotStarted: Error, Equatable, CustomStringConvertible {
    package enum Reason: Int32 {
        case notExecutable = 126
        case notFound = 127
    }

    package let reason: Reason
    private let name: String
    /// What is wrong, and what to do where that is known.
    private let detail: String

    init(_ reason: Reason, _ name: String, _ detail: String) {
        self.reason = reason
        self.name = name
        self.detail = detail
    }

    package var description: String {
        switch reason {
        case .notExecutable: "The command \"\(name)\" cannot be run: \(detail)"
        case .notFound: "The command \"\(name)\" was not found: \(detail)"
        }
    }
}
