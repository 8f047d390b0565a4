package import CampaignCore
package import Logging

extension Logger {
    /// Adds the run's id to every line.
    package func of(_ run: RunID) -> Logger {
        var logger = self
        logger[metadataKey: "run"] = "\(run)"
        return logger
    }
}
