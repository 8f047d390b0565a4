import CampaignCore
import CampaignFormat
package import Files
package import Foundation
import ProcessControl

/// Where a secret comes from: a value, a file or a command.
///
/// No secret has a flag, since command lines are seen by everybody on a machine.
package enum Secret: Sendable {
    case value(String, from: String)
    case file(String, from: String)
    case command(String, from: String)

    /// The variable that holds a hub's connection string.
    package static let connectionString = "HUBSEND_HUB_CONNECTION_STRING"
    /// The variable that holds the same with the rule's other key, while keys are exchanged.
    package static let secondaryConnectionString = connectionString + "_SECONDARY"
    /// The variable that holds the key which payloads are encrypted with.
    package static let payloadKey = "HUBSEND_PAYLOAD_KEY"
    /// The variable that holds the address that is told of runs.
    package static let heartbeat = "HUBSEND_HEARTBEAT"

    /// The longest secret that is read, in bytes.
    private static let longest = 16_384

    /// What named it: a variable or a config key.
    package var setting: String {
        switch self {
        case .value(_, let from), .file(_, let from), .command(_, let from): from
        }
    }

    /// The secret that the environment names, looking at `NAME`, `NAME_FILE` and `NAME_COMMAND`.
    package static func inEnvironment(_ name: String, of invocation: Invocation) -> Secret? {
        if let value = invocation[name] { return .value(value, from: name) }
        if let path = invocation[name + "_FILE"] {
            return .file(invocation.absolute(path), from: name + "_FILE")
        }
        if let command = invocation[name + "_COMMAND"] {
            return .command(command, from: name + "_COMMAND")
        }
        return nil
    }

    /// The secret that a config names.
    ///
    /// - Parameters:
    ///   - source: where the config says that it is.
    ///   - key: the config's key for it.
    init(_ source: SecretSource, key: String) {
        switch source {
        case .text(let text): self = .value(text.value, from: key)
        case .file(let path): self = .file(path, from: key + "_file")
        case .command(let command): self = .command(command, from: key + "_command")
        }
    }

    /// Its text without running anything; nil for a command.
    ///
    /// - Throws: ``SettingFault`` when the file cannot be read or others can read it.
    package func textWithoutCommands() throws(SettingFault) -> String? {
        switch self {
        case .value(let text, _): text
        case .file(let path, let from): try Self.read(path, from: from)
        case .command: nil
        }
    }

    /// Its text; runs the command, if it is one.
    ///
    /// - Parameter patience: how long the command may take, less than a minute.
    /// - Throws: ``SettingFault`` when it cannot be had, never with any part of it; `CancellationError`.
    package func text(within patience: Duration = .seconds(30)) async throws -> String {
        switch self {
        case .value(let text, _): return text
        case .file(let path, let from): return try Self.read(path, from: from)
        case .command(let command, let from):
            do {
                let bytes = try await ShellCommand(command, patience: patience).output(
                    limit: Self.longest)
                return try Self.checked(Data(bytes), from: from)
            } catch let failure as ShellCommand.Failure {
                throw SettingFault.command(failure, setting: from)
            }
        }
    }

    private static func read(_ path: String, from: String) throws(SettingFault) -> String {
        let data = try SettingFile.read(
            path, from: from, protected: .secret, limit: longest)
        return try checked(data, from: from)
    }

    private static func checked(_ data: Data, from: String) throws(SettingFault) -> String {
        guard data.count <= longest, let text = String(data: data, encoding: .utf8) else {
            throw .unusableSecret(setting: from)
        }
        let trimmed = text.trimmingCharacters(in: .whitespacesAndNewlines)
        guard !trimmed.isEmpty else { throw .emptySecret(setting: from) }
        return trimmed
    }
}

/// Reads files that settings name and that others must not get at.
package enum SettingFile {
    /// Reads a file.
    ///
    /// - Parameters:
    ///   - path: the file; links are followed, since the person who named it may read it.
    ///   - setting: what named it.
    ///   - protection: what others must not be able to do.
    ///   - limit: the longest content that may be, in bytes.
    /// - Throws: ``SettingFault`` when it cannot be read, is no regular file, is too long or is not protected.
    package static func read(
        _ path: String, from setting: String, protected protection: FileProtection, limit: Int
    ) throws(SettingFault) -> Data {
        do {
            return Data(try ProtectedFile.read(path, protection, limit: limit))
        } catch {
            throw .unusableFile(path, setting: setting, error)
        }
    }
}
