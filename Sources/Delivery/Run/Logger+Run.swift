package import CampaignCore
package import Logging

extension Logger {
    /// One that says in every line which run it is about.
    package func of(_ run: RunID) -> Logger {
        var logger = self
        logger[metadataKey: "run"] = "\(run)"
        return logger
    }
}
