import FoundationEssentials
import LocalHub

/// The local hub's own keys, for whoever lets it listen beyond this machine.
enum LocalKeys {
    /// The variable that holds them, or names with `_FILE` or `_COMMAND` where they are to be had.
    static let variable = "HUBSEND_LOCAL_HUB_KEYS"

    /// The rules that the environment gives; nil: none, so that the development keys count.
    ///
    /// - Throws: ``CommandFailure`` when they cannot be had or read; never with any part of a key.
    static func read(_ invocation: Invocation) throws -> [LocalHubRule]? {
        guard let secret = Secret.inEnvironment(variable, of: invocation) else { return nil }
        let lines = try secret.text().split(whereSeparator: \.isNewline)
        return try lines.enumerated().map { number, line in
            let parts = line.split { $0 == " " || $0 == "\t" }.map(String.init)
            guard parts.count == 3 else {
                throw fault(secret, number, "is not a name, a key and rights, with spaces between")
            }
            let claims = parts[2].split(separator: ",").map {
                LocalHubClaim(rawValue: $0.capitalized)
            }
            let known = claims.compactMap(\.self)
            guard known.count == claims.count, !known.isEmpty else {
                throw fault(secret, number, "has rights other than listen, send and manage")
            }
            return LocalHubRule(name: parts[0], key: parts[1], claims: Set(known))
        }
    }

    private static func fault(_ secret: Secret, _ number: Int, _ what: String) -> CommandFailure {
        CommandFailure(
            .configuration,
            "Line \(number + 1) of the local hub's keys (\(secret.setting)) \(what). "
                + "Write lines such as: backend 5up3rs3cret listen,send")
    }
}
