import FoundationEssentials
import LocalHub
import Settings

/// The local hub's own keys, for whoever lets it listen beyond this machine.
enum LocalKeys {
    /// The variable that holds them, or names with `_FILE` or `_COMMAND` where they are to be had.
    static let variable = "HUBSEND_LOCAL_HUB_KEYS"

    /// The rules that the environment gives; nil: none, so that the development keys count.
    ///
    /// - Throws: ``CommandEnd`` when they cannot be had or read; never with any part of a key.
    static func read(_ invocation: Invocation) async throws -> [LocalHubRule]? {
        guard let secret = Secret.inEnvironment(variable, of: invocation) else { return nil }
        var rules: [LocalHubRule] = []
        let lines = try await secret.text().split(
            omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        for (index, line) in lines.enumerated() {
            let parts = line.split { $0 == " " || $0 == "\t" }.map(String.init)
            guard !parts.isEmpty, !line.hasPrefix("#") else { continue }
            guard parts.count == 3 else {
                throw fault(secret, index, "is not a name, a key and rights, with spaces between")
            }
            let claims = parts[2].split(separator: ",", omittingEmptySubsequences: false).map {
                LocalHubClaim(rawValue: $0.capitalized)
            }
            let known = claims.compactMap(\.self)
            guard known.count == claims.count else {
                throw fault(secret, index, "has rights other than listen, send and manage")
            }
            guard !rules.contains(where: { $0.name == parts[0] }) else {
                throw fault(secret, index, "has the name of a line before it")
            }
            rules.append(LocalHubRule(name: parts[0], key: parts[1], claims: Set(known)))
        }
        return rules
    }

    private static func fault(_ secret: Secret, _ index: Int, _ what: String) -> CommandEnd {
        CommandEnd(
            .configuration,
            "Line \(index + 1) of the local hub's keys (\(secret.setting)) \(what). "
                + "Write lines such as: backend 5up3rs3cret listen,send")
    }
}
