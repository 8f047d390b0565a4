import Foundation

/// Where a secret is to be had: its own value, a file or a command.
///
/// No secret has a flag, since command lines are seen by everybody on a machine.
enum Secret {
    case value(String, from: String)
    case file(String, from: String)
    case command(String, from: String)

    /// The variable that holds a hub's connection string.
    static let connectionString = "HUBSEND_HUB_CONNECTION_STRING"
    /// The variable that holds the key which payloads are encrypted with.
    static let payloadKey = "HUBSEND_PAYLOAD_KEY"

    /// The longest secret that is read, in bytes.
    private static let longest = 16_384
    /// How long a command may take, in seconds.
    private static let longestRun = 30

    /// What named it: a variable or a config key.
    var setting: String {
        switch self {
        case .value(_, let from), .file(_, let from), .command(_, let from): from
        }
    }

    /// The secret that the environment names, looking at `NAME`, `NAME_FILE` and `NAME_COMMAND`.
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

    /// Its text without running anything; nil for a command.
    ///
    /// - Throws: ``CommandFailure`` when the file cannot be read or others can read it.
    func textWithoutCommands() throws -> String? {
        switch self {
        case .value(let text, _): text
        case .file(let path, let from): try Self.read(path, from: from)
        case .command: nil
        }
    }

    /// Its text; runs the command, if it is one.
    ///
    /// - Throws: ``CommandFailure`` when it cannot be had. Never with any part of it.
    func text() throws -> String {
        switch self {
        case .value(let text, _): text
        case .file(let path, let from): try Self.read(path, from: from)
        case .command(let command, let from): try Self.run(command, from: from)
        }
    }

    private static func read(_ path: String, from: String) throws -> String {
        let data = try SettingFile.read(
            path, from: from, protected: .fromReading, limit: longest)
        return try checked(data, from: from)
    }

    private static func run(_ command: String, from: String) throws -> String {
        let process = Process()
        let output = Pipe()
        // `timeout` ends the command's children too; those that the caller's mask keeps from seeing SIGTERM, it kills.
        process.executableURL = URL(fileURLWithPath: "/usr/bin/timeout")
        process.arguments = ["--kill-after=1", String(longestRun), "/bin/sh", "-c", command]
        process.standardOutput = output
        process.standardInput = FileHandle.nullDevice
        do {
            try process.run()
        } catch {
            throw CommandFailure(
                .configuration,
                "The command in \(from) cannot be started: /usr/bin/timeout is missing (Debian: coreutils)."
            )
        }
        let data: Data
        do {
            data = try output.fileHandleForReading.read(upToCount: longest + 1) ?? Data()
            try output.fileHandleForReading.close()
        } catch {
            throw CommandFailure(
                .configuration,
                "What the command in \(from) prints cannot be read: \(SystemError.last).")
        }
        process.waitUntilExit()
        guard ![124, 137].contains(process.terminationStatus) else {
            throw CommandFailure(
                .configuration,
                "The command in \(from) did not end within \(longestRun) s. Run it by hand to see why."
            )
        }
        guard process.terminationStatus == 0 else {
            throw CommandFailure(
                .configuration,
                "The command in \(from) ended with code \(process.terminationStatus). Run it by hand to see why."
            )
        }
        return try checked(data, from: from)
    }

    private static func checked(_ data: Data, from: String) throws -> String {
        guard data.count <= longest, let text = String(data: data, encoding: .utf8) else {
            throw CommandFailure(
                .configuration, "What \(from) gives is no secret: it is too long or not text.")
        }
        let trimmed = text.trimmingCharacters(in: .whitespacesAndNewlines)
        guard !trimmed.isEmpty else {
            throw CommandFailure(.configuration, "What \(from) gives is empty.")
        }
        return trimmed
    }
}
