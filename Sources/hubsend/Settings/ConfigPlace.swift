import Files
import Foundation

/// Which config file counts (contract, section 2).
struct ConfigPlace: Hashable {
    /// As a person would name it.
    let path: String
    /// Whether a flag or a variable named it, rather than where it lies: only then may it name commands to run.
    let isNamed: Bool

    /// Looks for the config.
    ///
    /// - Returns: nil when there is none.
    /// - Throws: ``CommandFailure`` when the campaigns have different ones.
    static func find(
        _ options: GlobalOptions, campaigns: [String], invocation: Invocation
    ) throws -> ConfigPlace? {
        if let path = options.config ?? invocation["HUBSEND_CONFIG"] {
            return ConfigPlace(path: path, isNamed: true)
        }
        let found = campaigns.map { beside($0) ?? standing(CampaignSearch.configName) }
        if let first = found.first {
            guard found.allSatisfy({ $0.map(resolved) == first.map(resolved) }) else {
                throw CommandFailure(
                    .configuration,
                    """
                    These campaigns have different config files: \
                    \(Set(found.map { $0 ?? "none" }).sorted().joined(separator: ", ")). \
                    Run them one by one, or name one config with --config.
                    """)
            }
            return first.map { ConfigPlace(path: $0, isNamed: false) }
        }
        return standing(CampaignSearch.configName).map { ConfigPlace(path: $0, isNamed: false) }
    }

    private static func beside(_ campaign: String) -> String? {
        guard campaign != "-" else { return nil }
        return standing(
            Path.file(CampaignSearch.configName, in: Path.folder(of: campaign)))
    }

    private static func standing(_ path: String) -> String? {
        FileManager.default.fileExists(atPath: path) ? path : nil
    }

    private static func resolved(_ path: String) -> String {
        URL(fileURLWithPath: path).resolvingSymlinksInPath().path
    }
}
