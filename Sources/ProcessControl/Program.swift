import CampaignCore
import Files

/// The program of a command line, found as a shell finds it (POSIX.1-2024, 2.9.1.4).
package struct Program: Sendable, Equatable {
    /// The search path if `PATH` is not set.
    private static let standardSearchPath = "/usr/bin:/bin"

    /// The name as typed, which the program sees as its own name.
    package let name: String
    /// Absolute.
    package let path: String
    package let arguments: [String]

    /// Finds the program of the first word; relative paths start at `currentFolder`, and a nil
    /// search path means the default.
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
            switch Self.inspect(path) {
            case .program: return
            case .nothing: throw ProgramNotStarted(.notFound, name, "the file does not exist.")
            case .folder: throw ProgramNotStarted(.notExecutable, name, "it is a folder.")
            case .other(let why): throw ProgramNotStarted(.notExecutable, name, why)
            }
        }
        var obstacle: String?
        let folders = searchPath ?? Self.standardSearchPath
        let parts = folders.utf8.split(
            separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
        for folder in parts.map({ String(Substring($0)) }) where !name.isEmpty {
            // An empty part of the search path means the current folder.
            let file = absolute(folder.isEmpty ? name : folder + "/" + name)
            switch Self.inspect(file) {
            case .program:
                path = file
                return
            case .nothing, .folder: continue
            case .other(let why): obstacle = obstacle ?? "\(file): \(why)"
            }
        }
        if let obstacle { throw ProgramNotStarted(.notExecutable, name, obstacle) }
        throw ProgramNotStarted(.notFound, name, "no folder in PATH contains it.")
    }

    private enum Kind {
        case program
        case nothing
        case folder
        case other(String)
    }

    private static func inspect(_ path: String) -> Kind {
        do {
            switch try FileStatus(of: path).kind {
            case .regular: break
            case .folder: return .folder
            case .link, .special: return .other("it is not a regular file.")
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

/// The error if a program could not be started, with the exit code that shells use (POSIX.1-2024,
/// 2.8.2).
package struct ProgramNotStarted: Error, Equatable, CustomStringConvertible {
    package enum Reason: Int32 {
        case notExecutable = 126
        case notFound = 127
    }

    package let reason: Reason
    private let name: String
    /// What is wrong and, if known, what to do.
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
