import CampaignCore
import CampaignFormat
import Files
import Foundation
import ProcessControl

/// Where a secret comes from: a value, a file or a command.
///
/// Secrets have no flags, because everybody on a machine can read command lines.
enum Secret: Sendable {
    case value(String, from: String)
    case file(String, from: String)
    case command(String, from: String)

    static let connectionString = "HUBSEND_HUB_CONNECTION_STRING"
    /// The connection string with the rule's other key, during key rotation.
    static let secondaryConnectionString = connectionString + "_SECONDARY"
    static let payloadKey = "HUBSEND_PAYLOAD_KEY"
    static let heartbeat = "HUBSEND_HEARTBEAT"

    /// The longest secret, in bytes.
    private static let longest = 16_384

    /// The variable or the config key that the secret comes from.
    var setting: String {
        switch self {
        case .value(_, let from), .file(_, let from), .command(_, let from): from
        }
    }

    /// Reads `NAME`, `NAME_FILE` and `NAME_COMMAND`.
    static func inEnvironment(_ name: String, of invocation: Invocation) -> Secret? {
        if let value = invocation[name] { return .value(value, from: name) }
        if let path = invocation[name + "_FILE"] {
            return .file(invocation.absolute(path), from: name + "_FILE")
        }
        if let command = invocation[name + "_COMMAND"] {
            return .command(command, from: name + "_COMMAND")
        }
        return nil
    }

    init(_ source: SecretSource, key: String) {
        switch source {
        case .text(let text): self = .value(text.value, from: key)
        case .file(let path): self = .file(path, from: key + "_file")
        case .command(let command): self = .command(command, from: key + "_command")
        }
    }

    /// The text of the secret without running a command; nil if it comes from a command.
    func textWithoutCommands() throws -> String? {
        switch self {
        case .value(let text, _): text
        case .file(let path, let from): try Self.read(path, from: from)
        case .command: nil
        }
    }

    /// The text of the secret, which no error quotes; a command has a time limit.
    func text(within patience: Duration = .seconds(30)) async throws -> String {
        switch self {
        case .value(let text, _): return text
        case .file(let path, let from): return try Self.read(path, from: from)
        case .command(let command, let from):
            do {
                let bytes = try await ShellCommand(command, timeout: patience).output(
                    limit: Self.longest)
                return try Self.checked(Data(bytes), of: "The output of the command in \(from)")
            } catch let failure as ShellCommand.Failure {
                throw Refused("The command in \(from) \(failure).")
            }
        }
    }

    private static func read(_ path: String, from: String) throws -> String {
        let data = try SettingFile.read(
            path, from: from, protected: .secret, limit: longest)
        return try checked(data, of: "The file \(path) (\(from))")
    }

    private static func checked(_ data: Data, of subject: String) throws(Refused) -> String {
        guard data.count <= longest, let text = String(data: data, encoding: .utf8) else {
            throw Refused("\(subject) is too long for a secret, or is not text.")
        }
        let trimmed = text.trimmingCharacters(in: .whitespacesAndNewlines)
        guard !trimmed.isEmpty else { throw Refused("\(subject) is empty.") }
        return trimmed
    }
}

/// Reads protected files that settings name.
enum SettingFile {
    /// Reads a file of at most `limit` bytes; links are followed, because a setting is trusted.
    static func read(
        _ path: String, from setting: String, protected protection: FileProtection, limit: Int
    ) throws(UnusableFile) -> Data {
        do {
            return Data(try ProtectedFile.read(path, protection, limit: limit))
        } catch {
            throw UnusableFile(path: path, setting: setting, problem: error)
        }
    }
}

/// The error if a file that a setting names is unreadable, not a regular file, too long, or not
/// protected.
struct UnusableFile: Refusal, CustomStringConvertible {
    let path: String
    let setting: String
    let problem: ProtectedFileError

    var owner: SystemUser? {
        if case .ownedByAnother(let owner, _) = problem { owner } else { nil }
    }

    var description: String {
        "The file \(path) that \(setting) names \(problem.text(path: ShellWord.quoted(path)))"
    }
}
