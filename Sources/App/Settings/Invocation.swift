import CampaignCore
import CampaignFormat
import Files
import Foundation

/// How this process was started: program, arguments, user, environment, folder and streams.
struct Invocation: Sendable {
    /// All environment variables, including empty ones.
    let environment: [String: String]
    let currentFolder: String
    var isOutputTerminal = false
    var isErrorTerminal = false
    var isInputTerminal = false
    /// The program as it was called, which is a path or a name to find in `PATH`.
    var program = "hubsend"
    var arguments: [String] = []
    var user = SystemUser(0)

    static func current() -> Invocation {
        Invocation(
            environment: ProcessInfo.processInfo.environment,
            currentFolder: FileManager.default.currentDirectoryPath,
            isOutputTerminal: isatty(STDOUT_FILENO) == 1,
            isErrorTerminal: isatty(STDERR_FILENO) == 1,
            isInputTerminal: isatty(STDIN_FILENO) == 1,
            program: CommandLine.arguments.first ?? "hubsend",
            arguments: Array(CommandLine.arguments.dropFirst()), user: .current)
    }

    /// A variable's value; nil if it is empty.
    subscript(variable: String) -> String? {
        guard let value = environment[variable], !value.isEmpty else { return nil }
        return value
    }

    var starter: RunStarter {
        RunStarter(
            user: user.description, sudoUser: self["SUDO_USER"],
            host: ProcessInfo.processInfo.hostName)
    }

    /// The names of hubsend's variables that are set, sorted, without their values.
    var ownVariables: [String] {
        OwnVariables.names.filter { self[$0] != nil }.sorted()
    }

    /// The names of variables that are set and start like those of hubsend but are unknown, sorted.
    var unknownVariables: [String] {
        environment.keys.filter {
            $0.hasPrefix(OwnVariables.prefix) && !OwnVariables.names.contains($0)
        }.sorted()
    }

    /// Whether people's names and values are hidden, because a build log may be public.
    var masksPeople: Bool { self["CI"] != nil }

    /// Refuses variables of hubsend that are empty or contain only spaces.
    ///
    /// Such a value is usually the result of a failed expansion. If an empty secret were treated as
    /// unset, the config's local hub would be used without anybody noticing.
    func refuseEmptyVariables() throws(Refused) {
        let names = environment.filter {
            $0.key.hasPrefix(OwnVariables.prefix) && $0.value.allSatisfy(\.isWhitespace)
        }.keys.sorted()
        guard !names.isEmpty else { return }
        let list = names.joined(separator: ", ")
        throw Refused(
            names.count == 1
                ? "The variable \(list) is set, but empty. Give it a value, or unset it."
                : "The variables \(list) are set, but empty. Give them values, or unset them.")
    }

    /// Refuses variables whose names look like misspelt variables of hubsend.
    ///
    /// Otherwise, a typo could silently select another hub or store. Other unknown names are
    /// allowed, because another program may use them.
    func refuseMisspelledVariables() throws(Refused) {
        let slips = environment.keys.sorted().compactMap { name in
            OwnVariables.meant(by: name).map {
                "There is no variable \(name); did you mean \($0)?"
            }
        }
        guard slips.isEmpty else { throw Refused(slips.joined(separator: " ")) }
    }

    /// A path that the reader of a message can use: as given if they use the same terminal,
    /// otherwise absolute.
    func pasted(_ path: String) -> String { isReaderHere ? path : whole(path) }

    func absolute(_ path: String) -> String {
        Path.isAbsolute(path) ? path : Path.file(path, in: currentFolder)
    }

    /// Whether text on a stream may have colours (`NO_COLOR`, `CLICOLOR_FORCE`).
    func allowsColor(onTerminal isTerminal: Bool) -> Bool {
        if self["NO_COLOR"] != nil { return false }
        if let force = self["CLICOLOR_FORCE"], force != "0" { return true }
        return isTerminal && self["TERM"] != "dumb"
    }
}

/// All variables with this prefix that hubsend reads or sets.
enum OwnVariables {
    static let prefix = "HUBSEND_"

    static let names: [String] =
        [
            "CONFIG", "STORE", "REPORTS", "AUDIENCES", "HUB_NAME", "HUB_CA", "HUB_PROXY", "HUB_URL",
            "HUB_TLS_CONNECTION_STRING", "BACKEND",
        ].map { prefix + $0 }
        + [
            "HUB_CONNECTION_STRING", "HUB_CONNECTION_STRING_SECONDARY", "PAYLOAD_KEY", "HEARTBEAT",
            "LOCAL_HUB_KEYS",
            "DEVICE_PASSWORD", "DEVICE_TOKEN",
        ]
        .flatMap { name in ["", "_FILE", "_COMMAND"].map { prefix + name + $0 } }

    /// Common beginnings of names, which are ignored when names are compared.
    private static let families = ["HUB_", "DEVICE_", ""].map { prefix + $0 }

    /// The variable that was probably meant; nil for a known name or one that is not similar.
    static func meant(by name: String) -> String? {
        guard !names.contains(name), let family = families.first(where: name.hasPrefix) else {
            return nil
        }
        // Because of the common beginning, a short name of another program would look similar.
        let tails = names.filter { $0.hasPrefix(family) }.map {
            (name: $0, tail: $0.dropFirst(family.count).lowercased())
        }
        let nearest = NearestName.nearest(
            to: String(name.dropFirst(family.count)), among: tails.map(\.tail))
        return tails.first { $0.tail == nearest }?.name
    }
}
